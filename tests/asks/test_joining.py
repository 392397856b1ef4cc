"""The same call again follows the ask that it opened; a call that only looks like it never does. In both protocol eras."""

import asyncio
from typing import Any

import pytest

from tests.support.agents import ERAS, agent, values_of
from tests.support.calls import ANSWERED, ASKED_BACK, OPENING, opening, question
from tests.support.house import STRANGER, House, Person, make_token
from tests.support.raw import held, message
from tests.support.waiting import eventually, soon

every_era = pytest.mark.parametrize("era", ERAS)


async def cut_off(house: House, person: Person, era: str, tool: str, arguments: dict[str, Any], words: str) -> str:
    """Call a tool and lose the connection while it waits; the ask's id, once nobody waits for it."""
    headers, body = message(era, tool, arguments)
    async with held(house.url, house.token, headers, body) as call:
        ask = await person.opened(words)
        await soon(call.first_body_byte())
        call.close()
    await person.turned(ask["id"], waiting=False, seconds=5)
    return ask["id"]


@every_era
@pytest.mark.parametrize("tool", OPENING)
async def test_the_same_call_again_joins_the_open_ask(house: House, person: Person, era: str, tool: str):
    arguments, reply, words = opening(tool)
    ask_id = await cut_off(house, person, era, tool, arguments, words)
    async with agent(house.url, house.token, era=era) as client:
        again = asyncio.create_task(client.call_tool(tool, arguments))
        await person.turned(ask_id, waiting=True, seconds=5)
        replied = await person.reply(ask_id, reply)
        values = values_of(await soon(again))
    assert values == {"askId": ask_id, "reply": reply, "repliedAt": replied["updatedAt"]}
    assert await house.count(words) == 1


@every_era
async def test_a_call_joins_from_another_client_and_era_and_with_nulls_and_unknown_arguments(
    house: House, person: Person, era: str
):
    arguments, words = question()
    ask_id = await cut_off(house, person, era, "ask_question", arguments, words)
    other = ERAS[1 - ERAS.index(era)]
    async with agent(house.url, house.token, era=other) as client:
        told = {**arguments, "options": None, "context": None, "wait_for_previous": True}
        again = asyncio.create_task(client.call_tool("ask_question", told))
        await person.turned(ask_id, waiting=True, seconds=5)
        await person.reply(ask_id, ANSWERED)
        assert values_of(await soon(again))["askId"] == ask_id
    assert await house.count(words) == 1


@every_era
async def test_two_calls_that_follow_one_ask_both_get_its_reply(house: House, person: Person, era: str):
    arguments, words = question()
    async with (
        agent(house.url, house.token, era=era) as first,
        agent(house.url, house.token, era=era) as second,
    ):
        calls = [asyncio.create_task(each.call_tool("ask_question", arguments)) for each in (first, second)]
        ask = await person.opened(words)

        async def both() -> bool:
            return len(await house.followers(ask["id"])) == 2

        await eventually(both, what="two followers")
        await person.reply(ask["id"], ANSWERED)
        for call in calls:
            values = values_of(await soon(call))
            assert (values["askId"], values["reply"]) == (ask["id"], ANSWERED)
    assert await house.count(words) == 1


@every_era
async def test_an_undelivered_reply_is_returned_at_once_to_the_same_call_which_says_when_it_was_given(
    house: House, person: Person, era: str
):
    arguments, words = question()
    ask_id = await cut_off(house, person, era, "ask_question", arguments, words)
    replied = await person.reply(ask_id, ANSWERED)
    async with agent(house.url, house.token, era=era) as client:
        values = values_of(await soon(client.call_tool("ask_question", arguments)))
    assert values["askId"] == ask_id
    assert values["reply"] == ANSWERED
    assert values["repliedAt"] == replied["closedAt"]
    assert "before this call" in values["next"]
    assert await house.count(words) == 1


@every_era
async def test_after_its_reply_was_delivered_the_same_call_asks_anew(house: House, person: Person, era: str):
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        first = await person.opened(words)
        await person.reply(first["id"], ANSWERED)
        await soon(call)
        await eventually(lambda: house.is_delivered(first["id"]), what="the mark")
        again = asyncio.create_task(client.call_tool("ask_question", arguments))
        second = await person.opened(words)
        assert second["id"] != first["id"]
        other = {"outcome": "answered", "selected": [], "text": "Not on a Friday."}
        await person.reply(second["id"], other)
        values = values_of(await soon(again))
    assert values["reply"] == other
    assert "next" not in values


@every_era
async def test_a_reply_that_was_not_collected_for_a_day_answers_no_new_call(house: House, person: Person, era: str):
    arguments, words = question()
    ask_id = await cut_off(house, person, era, "ask_question", arguments, words)
    await person.reply(ask_id, ANSWERED)
    await house.rows("update replies set at = at - interval '24 hours 1 second' where ask_id = $1", ask_id)
    async with agent(house.url, house.token, era=era) as client:
        again = asyncio.create_task(client.call_tool("ask_question", arguments))
        second = await person.opened(words)
        assert second["id"] != ask_id
        await person.reply(second["id"], {"outcome": "dismissed"})
        assert values_of(await soon(again))["reply"] == {"outcome": "dismissed"}


@every_era
async def test_a_join_on_the_agents_turn_returns_at_once_the_reply_that_put_it_there(house: House, person: Person, era: str):
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        ask = await person.opened(words)
        replied = await person.reply(ask["id"], ASKED_BACK)
        await soon(call)
        await eventually(lambda: house.is_delivered(ask["id"]), what="the mark")
        for tool, sent in (("ask_question", arguments), ("wait_for_reply", {"askId": ask["id"]})):
            values = values_of(await soon(client.call_tool(tool, sent)))
            assert values["askId"] == ask["id"]
            assert values["reply"] == ASKED_BACK
            assert values["repliedAt"] == replied["updatedAt"]
    assert await house.count(words) == 1


@every_era
@pytest.mark.parametrize(
    "difference",
    [{"project": "another"}, {"context": "It is late."}, {"multiple": True}, {"options": [{"label": "A"}, {"label": "B"}]}],
    ids=lambda each: next(iter(each)),
)
async def test_calls_that_differ_in_one_argument_never_get_each_others_answer(
    house: House, person: Person, era: str, difference: dict[str, Any]
):
    arguments, words = question()
    ask_id = await cut_off(house, person, era, "ask_question", arguments, words)
    await person.reply(ask_id, ANSWERED)
    async with agent(house.url, house.token, era=era) as client:
        other = asyncio.create_task(client.call_tool("ask_question", {**arguments, **difference}))
        second = await person.opened(words)
        assert second["id"] != ask_id
        await person.reply(second["id"], {"outcome": "dismissed"})
        assert values_of(await soon(other))["reply"] == {"outcome": "dismissed"}


@every_era
async def test_another_tool_with_the_same_words_is_another_ask(house: House, person: Person, era: str):
    review, reply, words = opening("request_review", content=[{"type": "markdown", "text": "x"}])
    ask_id = await cut_off(house, person, era, "request_review", review, words)
    await person.reply(ask_id, reply)
    async with agent(house.url, house.token, era=era) as client:
        briefing, _, _ = opening("send_briefing", title=words)
        other = asyncio.create_task(client.call_tool("send_briefing", {**briefing, "title": words}))
        second = await person.opened(words)
        assert (second["id"] != ask_id, second["kind"]) == (True, "briefing")
        await person.reply(second["id"], {"outcome": "dismissed"})
        assert values_of(await soon(other))["reply"] == {"outcome": "dismissed"}


@every_era
async def test_another_actors_same_call_is_another_ask(house: House, person: Person, era: str):
    arguments, words = question()
    ask_id = await cut_off(house, person, era, "ask_question", arguments, words)
    await person.reply(ask_id, ANSWERED)
    stranger = await make_token(house.database_url, can="ask", actor=STRANGER)
    async with agent(house.url, stranger.secret, era=era) as client:
        other = asyncio.create_task(client.call_tool("ask_question", arguments))
        second = await person.opened(words)
        assert second["id"] != ask_id
        assert second["raisedBy"] == {"id": STRANGER}
        await person.reply(second["id"], {"outcome": "dismissed"})
        assert values_of(await soon(other))["reply"] == {"outcome": "dismissed"}


@every_era
async def test_another_token_of_the_same_actor_joins(house: House, person: Person, era: str):
    arguments, words = question()
    ask_id = await cut_off(house, person, era, "ask_question", arguments, words)
    await person.reply(ask_id, ANSWERED)
    another = await make_token(house.database_url, can="ask")
    async with agent(house.url, another.secret, era=era) as client:
        values = values_of(await soon(client.call_tool("ask_question", arguments)))
    assert (values["askId"], values["reply"]) == (ask_id, ANSWERED)


@every_era
async def test_the_same_call_many_times_at_once_opens_one_ask(house: House, person: Person, era: str):
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        calls = [asyncio.create_task(client.call_tool("ask_question", arguments)) for _ in range(8)]
        ask = await person.opened(words)

        async def all_of_them() -> bool:
            return len(await house.followers(ask["id"])) == 8

        await eventually(all_of_them, what="eight followers")
        await person.reply(ask["id"], ANSWERED)
        assert {values_of(await soon(call))["askId"] for call in calls} == {ask["id"]}
    assert await house.count(words) == 1
