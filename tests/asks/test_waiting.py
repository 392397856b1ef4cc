"""`waiting` says whether an agent is there: it turns off soon after the agent is gone, and does not flicker."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import websockets

from tests.support.agents import ERAS, agent, values_of
from tests.support.calls import ANSWERED, ASKED_BACK, question
from tests.support.house import House, Person, house_on, make_token
from tests.support.inprocess import serving_here
from tests.support.postgres import ThrowawayPostgres
from tests.support.raw import MODERN, held, message, post, result_in
from tests.support.waiting import eventually, soon

every_era = pytest.mark.parametrize("era", ERAS)


@contextlib.asynccontextmanager
async def events(house: House) -> AsyncIterator[websockets.ClientConnection]:
    """The event socket, after its snapshot."""
    address = house.url.replace("http", "ws", 1) + "/api/v1/events"
    headers = {"Authorization": f"Bearer {house.reply_token}"}
    async with websockets.connect(address, additional_headers=headers) as socket:
        assert json.loads(await socket.recv())["type"] == "snapshot"
        yield socket


async def of_ask(socket: websockets.ClientConnection, ask_id: str | None, seconds: float) -> list[dict[str, Any]]:
    """Every frame about an ask (or any) that comes within so many seconds, with when it came."""
    clock = asyncio.get_running_loop().time
    frames: list[dict[str, Any]] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                frame = json.loads(await socket.recv())
                if ask_id in (None, frame["ask"]["id"]):
                    frames.append({**frame, "came": clock()})
    return frames


async def next_of(socket: websockets.ClientConnection, words: str) -> dict[str, Any]:
    """The next frame about the ask of these words."""
    async with asyncio.timeout(10):
        while True:
            frame = json.loads(await socket.recv())
            if frame["ask"]["prompt"].get("question") == words:
                return frame


@every_era
async def test_an_ask_is_opened_with_its_agent_waiting_and_closed_without(house: House, person: Person, era: str):
    arguments, words = question()
    async with events(house) as socket, agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        opened = await next_of(socket, words)
        assert opened["type"] == "ask.opened"
        assert opened["ask"]["waiting"] is True
        await person.reply(opened["ask"]["id"], ANSWERED)
        updated = await next_of(socket, words)
        assert updated["type"] == "ask.updated"
        assert (updated["ask"]["waiting"], updated["ask"]["status"]) == (False, "closed")
        await soon(call)


@every_era
@pytest.mark.parametrize("how", ["close", "reset"])
async def test_waiting_turns_off_within_two_seconds_of_a_cut_connection(house: House, person: Person, era: str, how: str):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with events(house) as socket, held(house.url, house.token, headers, body) as call:
        opened = await next_of(socket, words)
        await soon(call.first_body_byte())
        cut = asyncio.get_running_loop().time()
        getattr(call, how)()
        updated = await next_of(socket, words)
        assert asyncio.get_running_loop().time() - cut < 2
    assert updated["ask"]["waiting"] is False
    assert updated["ask"]["status"] == "awaiting_human"
    assert updated["ask"]["updatedAt"] == opened["ask"]["updatedAt"]
    assert not await house.followers(opened["ask"]["id"])


@every_era
async def test_waiting_turns_off_after_a_call_was_cut_before_it_got_anywhere(house: House, person: Person, era: str):
    """However early the client leaves, a call that opened its ask does not follow it for ever."""
    asked = [question() for _ in range(30)]
    for number, (arguments, _) in enumerate(asked):
        headers, body = message(era, "ask_question", arguments)
        async with held(house.url, house.token, headers, body) as call:
            await asyncio.wait({reading := asyncio.ensure_future(call.first_body_byte())}, timeout=number * 0.002)
            reading.cancel()
            await asyncio.wait({reading})
            call.reset()

    async def left() -> bool:
        rows = await house.rows(
            "select 1 from followers f join asks a on a.id = f.ask_id where a.title = any($1)", [words for _, words in asked]
        )
        waiting = await house.rows("select 1 from asks where waiting and title = any($1)", [words for _, words in asked])
        return not rows and not waiting

    await eventually(left, 5, "no follower")


@every_era
async def test_waiting_does_not_flicker_when_calls_come_and_go(house: House, person: Person, era: str):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with events(house) as socket:
        watching: asyncio.Task[list[dict[str, Any]]] | None = None
        for _ in range(12):
            async with held(house.url, house.token, headers, body) as call:
                await soon(call.first_body_byte())
                if watching is None:
                    ask_id = (await person.opened(words))["id"]
                    watching = asyncio.create_task(of_ask(socket, ask_id, 6))
        assert watching is not None
        frames = await watching
    changes = [frame for frame in frames if frame["type"] == "ask.updated"]
    for before, after in pairwise(changes):
        assert before["ask"]["waiting"] is not after["ask"]["waiting"]
        assert after["came"] - before["came"] > 0.9
    assert changes[-1]["ask"]["waiting"] is False
    assert len({frame["ask"]["updatedAt"] for frame in frames}) == 1


@every_era
async def test_as_long_as_one_of_two_agents_is_there_nothing_is_announced(house: House, person: Person, era: str):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with held(house.url, house.token, headers, body) as stays:
        ask = await person.opened(words)
        await stays.first_body_byte()
        async with events(house) as socket:
            async with held(house.url, house.token, headers, body) as goes:
                await goes.first_body_byte()
            assert await of_ask(socket, ask["id"], 2.5) == []
        assert (await person.ask(ask["id"]))["waiting"] is True


@every_era
async def test_a_wait_that_ended_at_its_cap_is_followed_on_for_45_seconds(house: House, person: Person, era: str):
    arguments, _ = question()
    async with agent(house.url, house.token, era=era, headers={"Loopback-Max-Wait": "1"}) as client:
        capped = values_of(await soon(client.call_tool("ask_question", arguments)))

        async def lingers() -> bool:
            rows = await house.followers(capped["askId"])
            return len(rows) == 1 and rows[0]["replica_id"] is None

        await eventually(lingers, what="a lease of its own")
        (row,) = await house.rows(
            "select extract(epoch from expires_at - clock_timestamp())::float as left from followers where ask_id = $1",
            capped["askId"],
        )
        assert 40 < row["left"] <= 45
        assert (await person.ask(capped["askId"]))["waiting"] is True
        await house.rows("update followers set expires_at = clock_timestamp() where ask_id = $1", capped["askId"])
        ask = await person.turned(capped["askId"], waiting=False, seconds=5)
        assert ask["updatedAt"] == ask["createdAt"]


@every_era
async def test_a_call_that_joins_turns_waiting_on_again(house: House, person: Person, era: str):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with held(house.url, house.token, headers, body) as call:
        ask = await person.opened(words)
        await soon(call.first_body_byte())
    off = await person.turned(ask["id"], waiting=False, seconds=2.5)
    async with held(house.url, house.token, headers, body) as call:
        on = await person.turned(ask["id"], waiting=True, seconds=4)
        assert on["updatedAt"] == off["updatedAt"] == ask["updatedAt"]
        await person.reply(ask["id"], ASKED_BACK)
        assert (await soon(call.result()))["result"]["structuredContent"]["reply"] == ASKED_BACK


@pytest.fixture(scope="module")
def two_houses(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, House]]:
    """Two servers on one database."""
    with (
        postgres.database() as url,
        house_on(url, tmp_path_factory.mktemp("first")) as first,
        house_on(url, tmp_path_factory.mktemp("second")) as second,
    ):
        yield first, second


async def test_a_reply_given_at_one_server_ends_the_wait_at_another(two_houses: tuple[House, House]):
    first, second = two_houses
    arguments, words = question()
    async with second.person() as person, agent(first.url, first.token) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        ask = await person.opened(words)
        await person.reply(ask["id"], ANSWERED)
        assert values_of(await soon(call))["reply"] == ANSWERED


async def test_an_undelivered_reply_is_given_by_any_server(two_houses: tuple[House, House]):
    first, second = two_houses
    arguments, words = question()
    headers, body = message(ERAS[1], "ask_question", arguments)
    async with first.person() as person:
        async with held(first.url, first.token, headers, body) as call:
            ask = await person.opened(words)
            await soon(call.first_body_byte())
        await person.turned(ask["id"], waiting=False, seconds=4)
        await person.reply(ask["id"], ANSWERED)
    async with agent(second.url, second.token) as client:
        assert values_of(await soon(client.call_tool("ask_question", arguments)))["askId"] == ask["id"]


async def test_waiting_turns_off_within_fifteen_seconds_of_the_death_of_the_process_that_held_the_call(
    two_houses: tuple[House, House],
):
    """The last test of these two: the first of them dies."""
    first, second = two_houses
    arguments, words = question()
    headers, body = message(ERAS[1], "ask_question", arguments)
    async with second.person() as person, held(first.url, first.token, headers, body) as call:
        ask = await person.opened(words)
        await soon(call.first_body_byte())
        first.server.kill()
        off = await person.turned(ask["id"], waiting=False, seconds=15)
        assert off["status"] == "awaiting_human"
        assert off["updatedAt"] == ask["updatedAt"]


async def test_a_call_that_comes_while_the_server_stops_is_told_to_come_back_and_followed_on(database_url: str, tmp_path: Path):
    async with serving_here(database_url, tmp_path) as (url, application):
        token = (await make_token(database_url, can="ask")).secret
        await application.drain()
        arguments, _ = question()
        headers, body = message(MODERN, "ask_question", arguments)
        values = result_in((await post(url, token, headers, body)).text)["result"]["structuredContent"]
        assert values["waiting"] is True
        house = House(None, database_url, "")  # pyright: ignore[reportArgumentType]

        async def lingers() -> bool:
            return [row["replica_id"] for row in await house.followers(values["askId"])] == [None]

        await eventually(lingers, what="a lease of its own")
