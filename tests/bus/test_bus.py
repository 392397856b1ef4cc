"""The bus: every committed announcement is followed by a turn, whatever happens to the connection."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import asyncpg
import pytest
from sqlalchemy import Text, cast, literal, text, update

from app.bus.bus import Bus
from app.bus.signal import announce, signal
from app.bus.subscription import Subscription
from app.database.database import Database
from app.database.tables import spaces
from tests.support.proxy import proxied

BUMP = text("update spaces set version = version + 1 where id = :id returning version")
VERSION = text("select version from spaces where id = :id")
KILL = text(
    "select pg_terminate_backend(pid) from pg_stat_activity "
    "where application_name = 'loopback-bus' and datname = current_database()"
)


class Undone(Exception):
    """Rolls a transaction back."""


@asynccontextmanager
async def listening(url: str, *, ping: float = 5, patience: float = 2, recheck: float = 60) -> AsyncIterator[Bus]:
    bus = Bus(url, ping=ping, patience=patience, recheck=recheck)
    await bus.start()
    try:
        yield bus
    finally:
        await bus.close()


@pytest.fixture
async def bus(database_url: str) -> AsyncIterator[Bus]:
    async with listening(database_url) as bus:
        yield bus


@pytest.fixture(autouse=True)
async def _space(database: Database) -> None:
    async with database.begin() as conn:
        await conn.execute(text("insert into spaces (id) values ('home')"))


async def write(database: Database, space: str = "home") -> int:
    """What every use-case does: bump, announce, commit."""
    async with database.begin() as conn:
        version = (await conn.execute(BUMP, {"id": space})).scalar_one()
        await announce(conn, space, version)
    return version


async def read(database: Database) -> int:
    async with database.read() as conn:
        return (await conn.execute(VERSION, {"id": "home"})).scalar_one()


async def is_quiet(subscription: Subscription, seconds: float = 0.2) -> bool:
    """Whether no turn comes for a while."""
    try:
        async with asyncio.timeout(seconds):
            await subscription.changed()
    except TimeoutError:
        return True
    return False


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 10) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.01)


async def test_the_first_turn_comes_at_once_and_the_next_with_a_commit(bus: Bus, database: Database) -> None:
    with bus.subscribe("home") as subscription:
        await subscription.changed()
        assert await is_quiet(subscription)
        await write(database)
        async with asyncio.timeout(5):
            await subscription.changed()
        assert await is_quiet(subscription)


async def test_a_change_during_the_read_brings_another_turn(bus: Bus, database: Database) -> None:
    with bus.subscribe("home") as subscription:
        await subscription.changed()
        await write(database)  # while its follower reads
        async with asyncio.timeout(5):
            await subscription.changed()


async def test_a_turn_is_taken_back_before_the_read_and_never_after(bus: Bus) -> None:
    with bus.subscribe("home") as subscription:
        await subscription.changed()
        subscription.wake()  # during the read
        async with asyncio.timeout(5):
            await subscription.changed()
        assert await is_quiet(subscription)


async def test_an_announcement_is_heard_at_commit_and_never_after_a_rollback(bus: Bus, database: Database) -> None:
    with bus.subscribe("home") as subscription:
        await subscription.changed()
        with suppress(Undone):
            async with database.begin() as conn:
                await announce(conn, "home", 1)
                raise Undone
        assert await is_quiet(subscription)
        async with database.begin() as conn:
            await announce(conn, "home", 1)
            assert await is_quiet(subscription)
        async with asyncio.timeout(5):
            await subscription.changed()


async def test_a_signal_can_ride_on_the_statement_that_writes(bus: Bus, database: Database) -> None:
    riding = (
        update(spaces)
        .where(spaces.c.id == "home")
        .values(version=spaces.c.version + 1)
        .returning(spaces.c.version, signal(spaces.c.id, spaces.c.version))
    )
    with bus.subscribe("home") as subscription:
        await subscription.changed()
        async with database.begin() as conn:
            assert (await conn.execute(riding)).one()[0] == 1
        async with asyncio.timeout(5):
            await subscription.changed()


async def test_the_payload_is_the_topic_and_the_version(database: Database, database_url: str) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    listener = await asyncpg.connect(database_url)
    await listener.add_listener("loopback", lambda *message: heard.put_nowait(message[3]))
    async with database.begin() as conn:
        await announce(conn, 'a "quoted" space', 7)
        await conn.execute(signal(cast(literal("gate"), Text), literal(2**40)).select())
    async with asyncio.timeout(5):
        assert [await heard.get(), await heard.get()] == ['["a \\"quoted\\" space",7]', '["gate",1099511627776]']
    await listener.close()


async def test_other_topics_are_not_woken(bus: Bus, database: Database) -> None:
    with bus.subscribe("elsewhere") as elsewhere, bus.subscribe("home") as home:
        await elsewhere.changed()
        await home.changed()
        await write(database)
        async with asyncio.timeout(5):
            await home.changed()
        assert await is_quiet(elsewhere)


async def test_words_that_are_not_ours_wake_everyone_and_do_no_harm(bus: Bus, database: Database) -> None:
    with bus.subscribe("home") as subscription:
        await subscription.changed()
        for payload in ("", "nonsense", "7", "[[],1]"):
            async with database.begin() as conn:
                await conn.execute(text("select pg_notify('loopback', :payload)"), {"payload": payload})
            async with asyncio.timeout(5):
                await subscription.changed()
    assert bus.connected


async def test_who_has_left_is_forgotten(bus: Bus) -> None:
    register = bus._subscriptions
    with bus.subscribe("home"), bus.subscribe("home"):
        assert len(register["home"]) == 2
    assert not register


async def test_a_listener_killed_again_and_again_during_many_commits_loses_nothing(
    database: Database, database_url: str
) -> None:
    async with listening(database_url) as bus:
        seen, goal = 0, math.inf

        async def follow() -> None:
            nonlocal seen
            with bus.subscribe("home") as subscription:
                while seen < goal:
                    await subscription.changed()
                    seen = await read(database)

        async def kill() -> None:
            while bus.reconnects < 5:
                async with database.read() as conn:
                    await conn.execute(KILL)
                await asyncio.sleep(0.02)

        async with asyncio.timeout(30), asyncio.TaskGroup() as group:  # below the recheck: the signals alone must do
            group.create_task(follow())
            killer = group.create_task(kill())
            written = 0
            while not killer.done():
                written = await write(database)
            while seen < written:
                await asyncio.sleep(0.01)
            goal = written + 1
            async with database.begin() as conn:  # its signal is sent while nobody listens
                await conn.execute(KILL)
                await announce(conn, "home", (await conn.execute(BUMP, {"id": "home"})).scalar_one())


async def test_a_connection_that_went_silent_is_found_and_replaced(database: Database, database_url: str) -> None:
    async with proxied(database_url) as proxy, listening(proxy.url, ping=0.1, patience=0.2) as bus:
        with bus.subscribe("home") as subscription:
            await subscription.changed()
            proxy.silence()
            version = await write(database)  # nobody hears this
            async with asyncio.timeout(10):
                await subscription.changed()
            assert await read(database) == version
            assert bus.connected
            assert bus.reconnects == 1


async def test_everyone_is_woken_now_and_then_anyway(database_url: str) -> None:
    async with listening(database_url, ping=0.05, recheck=0.1) as bus:
        with bus.subscribe("home") as subscription:
            for _ in range(3):
                async with asyncio.timeout(5):
                    await subscription.changed()


async def test_it_says_whether_it_hears_and_keeps_trying(database: Database, database_url: str) -> None:
    async with proxied(database_url) as proxy:
        bus = Bus(proxy.url)
        async with asyncio.timeout(10):
            proxy.refuse = True
            await bus.start()
            assert not bus.connected
            proxy.refuse = False

        async def connected() -> bool:
            return bus.connected

        await until(connected)
        assert bus.reconnects == 0
        await bus.close()
        assert not bus.connected


async def test_closing_leaves_no_connection(database: Database, database_url: str) -> None:
    async with listening(database_url):
        pass
    listeners = text(
        "select count(*) from pg_stat_activity where application_name = 'loopback-bus' and datname = current_database()"
    )

    async def gone() -> bool:
        async with database.read() as conn:
            return (await conn.execute(listeners)).scalar_one() == 0

    await until(gone)
