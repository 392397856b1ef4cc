"""A server that stops, dies or comes back loses nothing that was asked."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.agents import ERAS, agent, values_of
from tests.support.calls import ANSWERED, OPENING, opening, question
from tests.support.house import House, Person, house_on
from tests.support.postgres import ThrowawayPostgres
from tests.support.raw import MODERN, Held, held, initialize, message, post, result_in
from tests.support.waiting import eventually, soon

every_era = pytest.mark.parametrize("era", ERAS)


@pytest.fixture
def place(postgres: ThrowawayPostgres, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A database and a folder that outlive the servers on them."""
    with postgres.database() as url:
        yield url, tmp_path / "data"


@asynccontextmanager
async def running(url: str, folder: Path) -> AsyncIterator[House]:
    """A server; starting and stopping it blocks, and so happens beside the test's own connections."""
    server = house_on(url, folder)
    house = await asyncio.to_thread(server.__enter__)
    try:
        yield house
    finally:
        await asyncio.to_thread(server.__exit__, None, None, None)


async def hold_all(stack: AsyncExitStack, house: House, era: str, asked: list[dict[str, Any]]) -> list[Held]:
    """Every question asked, each on a connection of its own, and waiting."""
    calls: list[Held] = []
    for arguments in asked:
        headers, body = message(era, "ask_question", arguments)
        headers["Loopback-Max-Wait"] = "3600"
        calls.append(await stack.enter_async_context(held(house.url, house.token, headers, body)))
    for call in calls:
        await soon(call.first_body_byte())
    return calls


async def ask_again(
    house: House, person: Person, era: str, calls: list[tuple[str, dict[str, Any], dict[str, Any], str]]
) -> None:
    """Every agent calls again, in another order than before, and gets its own reply."""
    before = {words: (await person.opened(words))["id"] for _, _, _, words in calls}
    async with agent(house.url, house.token, era=era) as client:
        again = [asyncio.create_task(client.call_tool(tool, arguments)) for tool, arguments, _, _ in reversed(calls)]
        for _, _, reply, words in calls:
            await person.turned(before[words], waiting=True, seconds=10)
            await person.reply(before[words], reply)
        for call, (_, _, reply, words) in zip(again, reversed(calls), strict=True):
            values = values_of(await soon(call))
            assert (values["askId"], values["reply"]) == (before[words], reply)
    for _, _, _, words in calls:
        assert await house.count(words) == 1


def ten_calls() -> list[tuple[str, dict[str, Any], dict[str, Any], str]]:
    """Ten calls of every kind: tool, arguments, the reply to come, the words."""
    kinds = [tool for tool in OPENING for _ in range(4)][:10]
    return [(tool, *opening(tool)) for tool in kinds]


@every_era
async def test_after_kill_9_every_ask_is_there_and_every_agent_that_calls_again_gets_its_reply(
    place: tuple[str, Path], era: str
):
    url, folder = place
    calls = ten_calls()
    async with AsyncExitStack() as stack:
        async with running(url, folder) as house:
            async with house.person() as person:
                for tool, arguments, _, _ in calls:
                    headers, body = message(era, tool, arguments)
                    await (await stack.enter_async_context(held(house.url, house.token, headers, body))).first_body_byte()
                for *_, words in calls:
                    assert (await person.opened(words))["waiting"] is True
            house.server.kill()
        async with running(url, folder) as house, house.person() as person:
            assert len((await person.snapshot())["open"]) == len(calls)
            await ask_again(house, person, era, calls)


@every_era
async def test_after_their_connections_were_cut_every_agent_that_calls_again_gets_its_reply(
    house: House, person: Person, era: str
):
    calls = ten_calls()
    async with AsyncExitStack() as stack:
        for number, (tool, arguments, _, words) in enumerate(calls):
            headers, body = message(era, tool, arguments)
            call = await stack.enter_async_context(held(house.url, house.token, headers, body))
            await soon(call.first_body_byte())
            await person.opened(words)
            (call.reset if number % 2 else call.close)()
    await ask_again(house, person, era, calls)


@every_era
async def test_told_to_stop_a_server_ends_twenty_held_calls_well_formed_within_three_seconds(place: tuple[str, Path], era: str):
    url, folder = place
    asked = [question(f"Number {number}?")[0] for number in range(20)]
    async with running(url, folder) as house:
        async with AsyncExitStack() as stack:
            calls = await hold_all(stack, house, era, asked)
            started = time.monotonic()
            house.server.process.terminate()
            results = await asyncio.gather(*(call.result() for call in calls))
            assert time.monotonic() - started < 3
        for result in results:
            values = result["result"]["structuredContent"]
            assert values["waiting"] is True
            assert "wait_for_reply" in values["next"]
            assert result["result"].get("isError", False) is False
        assert await asyncio.to_thread(house.server.process.wait, 10) == 0
        rows = await house.rows("select f.replica_id, a.waiting from asks a left join followers f on f.ask_id = a.id")
        assert [(row["replica_id"], row["waiting"]) for row in rows] == [(None, True)] * 20
        left = await house.rows("select min(extract(epoch from expires_at - clock_timestamp()))::float as left from followers")
        assert 30 < left[0]["left"] <= 45
    async with running(url, folder) as house, house.person() as person, agent(house.url, house.token, era=era) as client:
        again = asyncio.create_task(client.call_tool("ask_question", asked[7]))
        ask = await person.opened(asked[7]["question"])

        async def joined() -> bool:
            return len(await house.followers(ask["id"])) == 2

        await eventually(joined, what="the one that lingers and the one that called again")
        await person.reply(ask["id"], ANSWERED)
        assert values_of(await soon(again))["askId"] == ask["id"]
        assert len(await house.rows("select 1 from asks")) == 20


async def test_a_session_of_the_handshake_era_survives_a_restart_and_still_names_its_client(place: tuple[str, Path]):
    url, folder = place
    async with running(url, folder) as house:
        begun = await initialize(house.url, house.token, ("gemini-cli-mcp-client", "0.61.0"))
        assert begun.status_code == 200
        session = begun.headers["mcp-session-id"]
        house.server.kill()
    async with running(url, folder) as house:
        arguments, words = question()
        headers, body = message("legacy", "ask_question", arguments)
        headers["Mcp-Session-Id"] = session
        async with house.person() as person, held(house.url, house.token, headers, body) as call:
            ask = await person.opened(words)
            assert ask["client"] == "gemini-cli-mcp-client 0.61.0"
            await person.reply(ask["id"], ANSWERED)
            assert (await soon(call.result()))["result"]["structuredContent"]["reply"] == ANSWERED


async def test_a_reply_that_was_given_while_no_server_could_deliver_it_waits_for_its_agent(place: tuple[str, Path]):
    url, folder = place
    arguments, words = question()
    async with running(url, folder) as house:
        headers, body = message(MODERN, "ask_question", arguments)
        async with house.person() as person:
            async with held(house.url, house.token, headers, body) as call:
                ask = await person.opened(words)
                await soon(call.first_body_byte())
            await person.turned(ask["id"], waiting=False, seconds=4)
            await person.reply(ask["id"], ANSWERED)
        house.server.kill()
    async with running(url, folder) as house:
        headers, body = message(MODERN, "wait_for_reply", {"askId": ask["id"]})
        answer = await post(house.url, house.token, headers, body)
        assert result_in(answer.text)["result"]["structuredContent"]["reply"] == ANSWERED
        await eventually(lambda: house.is_delivered(ask["id"]), what="the mark")
