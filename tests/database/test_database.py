"""Transactions: what is kept, what is undone, what reaches the server, and what happens when it does not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import asyncpg
import psutil
import pytest
from sqlalchemy import text

from app.core.refusal import Refusal
from app.database.database import Database
from app.database.driver import to_dsn
from app.database.engine import make_engine
from contract.problems import Code
from tests.support.proxy import proxied

INSERT = text("insert into actors (id) values (:id)")
COUNT = text("select count(*) from actors")


@pytest.fixture
async def small(database_url: str) -> AsyncIterator[Database]:
    """Two connections at most."""
    database = Database(make_engine(database_url, pool=2))
    yield database
    await database.close()


async def count(database: Database) -> int:
    async with database.read() as conn:
        return (await conn.execute(COUNT)).scalar_one()


async def test_a_transaction_is_committed_at_its_end(database: Database) -> None:
    async with database.begin() as conn:
        await conn.execute(INSERT, {"id": "ada"})
        assert await count(database) == 0
    assert await count(database) == 1


async def test_a_transaction_that_raises_is_rolled_back(database: Database) -> None:
    async def fail() -> None:
        async with database.begin() as conn:
            await conn.execute(INSERT, {"id": "ada"})
            raise Refusal(Code.ASK_CLOSED, "closed")

    with pytest.raises(Refusal, match="closed"):
        await fail()
    assert await count(database) == 0


async def test_a_cancelled_transaction_is_rolled_back_and_gives_its_connection_back(small: Database) -> None:
    async def stall(begun: asyncio.Event) -> None:
        async with small.begin() as conn:
            await conn.execute(INSERT, {"id": "ada"})
            begun.set()
            await conn.execute(text("select pg_sleep(60)"))

    for _ in range(5):
        begun = asyncio.Event()
        task = asyncio.create_task(stall(begun))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await count(small) == 0


async def test_a_snapshot_sees_one_moment_and_cannot_write(database: Database) -> None:
    async with database.snapshot() as conn:
        assert (await conn.execute(COUNT)).scalar_one() == 0
        async with database.begin() as other:
            await other.execute(INSERT, {"id": "ada"})
        assert (await conn.execute(COUNT)).scalar_one() == 0
    with pytest.raises(Exception, match="read-only transaction"):
        async with database.snapshot() as conn:
            await conn.execute(INSERT, {"id": "grace"})


async def test_when_all_connections_are_busy_the_next_is_refused_within_the_time_allowed(small: Database) -> None:
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(small.begin())
        begin = loop.time()
        with pytest.raises(Refusal, match="busy") as refused:
            await count(small)
        assert refused.value.code == Code.UNAVAILABLE
        assert 1.5 < loop.time() - begin < 6
    assert await count(small) == 0


async def test_a_server_that_cannot_be_reached_is_a_refusal() -> None:
    for url in ("postgresql://x@127.0.0.1:1/x", "postgresql://x@/x?host=/nowhere"):
        database = Database(make_engine(url))
        with pytest.raises(Refusal, match="cannot be reached") as refused:
            await count(database)
        assert refused.value.code == Code.UNAVAILABLE
        await database.close()


async def test_idle_connections_that_the_server_closed_are_replaced_unnoticed(small: Database, database_url: str) -> None:
    async with small.begin() as one, small.begin() as other:
        await one.execute(COUNT)
        await other.execute(COUNT)
    await end_others(database_url)
    for _ in range(4):
        assert await count(small) == 0


async def test_a_connection_lost_during_a_transaction_is_a_refusal(database: Database, database_url: str) -> None:
    async def lose() -> None:
        async with database.begin() as conn:
            await conn.execute(INSERT, {"id": "ada"})
            await end_others(database_url)
            await conn.execute(COUNT)

    with pytest.raises(Refusal, match="went away") as refused:
        await lose()
    assert refused.value.code == Code.UNAVAILABLE
    assert await count(database) == 0


async def end_others(url: str) -> None:
    """End every connection to this database, and wait until the processes behind them have gone."""
    connection = await asyncpg.connect(url)
    others = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    ended = await connection.fetch(f"select pid, pg_terminate_backend(pid) {others}")
    await connection.close()
    async with asyncio.timeout(10):
        while any(psutil.pid_exists(row["pid"]) for row in ended):
            await asyncio.sleep(0.01)
    for _ in range(2):  # the loop sees the closed sockets
        await asyncio.sleep(0)


async def test_nothing_but_the_statements_and_their_transaction_reaches_the_server(database_url: str) -> None:
    """The floor of what a use-case costs: no ping, no reset, nothing prepared twice."""
    async with proxied(database_url) as proxy:
        database = Database(make_engine(proxy.url, pool=1))
        assert await count(database) == 0  # connects and prepares
        proxy.statements.clear()
        async with database.begin() as conn:
            await conn.execute(COUNT)
            await conn.execute(COUNT)
        assert proxy.statements == ["BEGIN ISOLATION LEVEL READ COMMITTED;", "execute", "execute", "COMMIT;"]
        proxy.statements.clear()
        assert await count(database) == 0
        assert proxy.statements == ["execute"]
        proxy.statements.clear()
        async with database.snapshot() as conn:
            await conn.execute(COUNT)
        assert proxy.statements == ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;", "execute", "COMMIT;"]
        await database.close()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_an_address_may_have_any_usual_scheme(scheme: str) -> None:
    assert to_dsn(f"{scheme}://a:b@c/d?sslmode=require") == "postgresql://a:b@c/d?sslmode=require"


@pytest.mark.parametrize("url", ["mysql://a:secret@b/c", "secret", "postgresql://"])
def test_another_address_is_refused_at_once_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="must begin with postgresql://") as refused:
        make_engine(url)
    assert "secret" not in str(refused.value)
