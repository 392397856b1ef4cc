"""A tool that waits returns exactly the person's reply, in both protocol eras."""

import asyncio
from typing import Any

import pytest

from tests.support.agents import ERAS, agent, values_of
from tests.support.calls import ANSWERED, ASKED_BACK, OPENING, opening, question
from tests.support.house import House, Person
from tests.support.waiting import soon

every_era = pytest.mark.parametrize("era", ERAS)
every_opening = pytest.mark.parametrize("tool", OPENING)


@every_era
@every_opening
async def test_a_call_waits_and_returns_exactly_the_reply(house: House, person: Person, era: str, tool: str):
    arguments, reply, words = opening(tool)
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool(tool, arguments))
        ask = await person.opened(words)
        assert not call.done()
        assert ask["waiting"] is True
        assert ask["status"] == "awaiting_human"
        replied = await person.reply(ask["id"], reply)
        values = values_of(await soon(call))
    assert values == {"askId": ask["id"], "reply": reply, "repliedAt": replied["updatedAt"]}


@every_era
async def test_answering_what_was_asked_back_waits_for_the_next_reply(house: House, person: Person, era: str):
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        ask = await person.opened(words)
        await person.reply(ask["id"], ASKED_BACK)
        assert values_of(await soon(call))["reply"] == ASKED_BACK
        answering = asyncio.create_task(client.call_tool("answer_follow_up", {"askId": ask["id"], "answer": "To all."}))
        await person.turned(ask["id"], waiting=True, seconds=5)
        assert not answering.done()
        await person.reply(ask["id"], ANSWERED)
        values = values_of(await soon(answering))
    assert values["reply"] == ANSWERED
    assert "next" not in values
    thread = (await person.ask(ask["id"]))["thread"]
    assert [entry["author"] for entry in thread] == ["human", "agent", "human"]
    assert thread[1]["answer"] == "To all."


@every_era
async def test_a_briefing_goes_round_until_every_point_is_resolved(house: House, person: Person, era: str):
    arguments, reply, words = opening("send_briefing")
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("send_briefing", arguments))
        ask = await person.opened(words)
        await person.reply(ask["id"], reply)
        await soon(call)
        answers = [{"point": "1", "answer": "Since May.", "points": [{"title": "In May"}]}]
        answering = asyncio.create_task(client.call_tool("answer_briefing", {"askId": ask["id"], "answers": answers}))
        await person.turned(ask["id"], waiting=True, seconds=5)
        last: dict[str, Any] = {"outcome": "responded", "points": [{"point": "1", "resolved": True}]}
        closed = await person.reply(ask["id"], last)
        values = values_of(await soon(answering))
    assert values["reply"] == last
    assert closed["status"] == "closed"
    assert closed["thread"][1]["points"] == [{"id": "1.1", "title": "In May"}]


@every_era
async def test_waiting_for_a_reply_waits_where_there_is_none_and_returns_at_once_where_there_is(
    house: House, person: Person, era: str
):
    arguments, words = question()
    async with agent(house.url, house.token, era=era, headers={"Loopback-Max-Wait": "1"}) as client:
        capped = values_of(await soon(client.call_tool("ask_question", arguments)))
    ask = await person.opened(words)
    async with agent(house.url, house.token, era=era) as client:
        waiting = asyncio.create_task(client.call_tool("wait_for_reply", {"askId": capped["askId"]}))
        await person.turned(ask["id"], waiting=True, seconds=5)
        await asyncio.wait({waiting}, timeout=0.3)
        assert not waiting.done()
        replied = await person.reply(ask["id"], ANSWERED)
        assert values_of(await soon(waiting))["reply"] == ANSWERED
        for _ in range(2):
            values = values_of(await soon(client.call_tool("wait_for_reply", {"askId": ask["id"]})))
            assert values["reply"] == ANSWERED
            assert values["repliedAt"] == replied["closedAt"]


@every_era
async def test_who_asks_is_named_by_client_and_actor(house: House, person: Person, era: str):
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        ask = await person.opened(words)
        assert ask["client"] == "claude-code 2.1.0"
        assert ask["raisedBy"] == {"id": "local"}
        assert ask["project"] == arguments["project"]
        replied = await person.reply(ask["id"], ANSWERED)
        assert replied["thread"][0]["by"] == {"id": "local"}
        await soon(call)


@every_era
async def test_many_agents_of_one_process_each_get_their_own_reply(house: House, person: Person, era: str):
    asked = [question(f"Number {number}?") for number in range(10)]
    async with agent(house.url, house.token, era=era) as client:
        calls = [asyncio.create_task(client.call_tool("ask_question", arguments)) for arguments, _ in asked]
        for _, words in reversed(asked):
            ask = await person.opened(words)
            await person.reply(ask["id"], {"outcome": "answered", "selected": [], "text": words})
        for call, (_, words) in zip(calls, asked, strict=True):
            assert values_of(await soon(call))["reply"]["text"] == words


@every_era
async def test_progress_tells_that_it_waits_for_the_person(house: House, person: Person, era: str):
    arguments, words = question()
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments, progress_callback=note))
        ask = await person.opened(words)
        await person.reply(ask["id"], ANSWERED)
        await soon(call)
    assert told
    assert told[0][1:] == (None, "Waiting for the person, 0 s")
