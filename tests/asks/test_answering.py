"""An answer sent again adds nothing, and never answers a question that the agent has not seen. In both protocol eras."""

import asyncio

import pytest
from mcp import Client

from tests.support.agents import ERAS, agent, error_of, values_of
from tests.support.calls import ANSWERED, ASKED_BACK, opening, question
from tests.support.house import STRANGER, House, Person, make_token
from tests.support.raw import held, message
from tests.support.waiting import eventually, soon

every_era = pytest.mark.parametrize("era", ERAS)

YES = "Yes."
ASKED_BACK_AGAIN = {"outcome": "follow_up", "question": "Even the interns?"}


async def asked_back(house: House, person: Person, client: Client) -> str:
    """An ask that was asked back about, and the agent knows."""
    arguments, words = question()
    call = asyncio.create_task(client.call_tool("ask_question", arguments))
    ask = await person.opened(words)
    await person.reply(ask["id"], ASKED_BACK)
    assert values_of(await soon(call))["reply"] == ASKED_BACK
    await eventually(lambda: house.is_delivered(ask["id"]), what="the mark")
    return ask["id"]


async def answer_and_vanish(house: House, person: Person, era: str, ask_id: str) -> None:
    """Answer, and lose the connection before the next reply."""
    headers, body = message(era, "answer_follow_up", {"askId": ask_id, "answer": YES})
    async with held(house.url, house.token, headers, body) as call:
        await soon(call.first_body_byte())
        call.close()
    await person.turned(ask_id, waiting=False, seconds=5)


async def answers_to(person: Person, ask_id: str) -> list[str]:
    return [entry["answer"] for entry in (await person.ask(ask_id))["thread"] if entry["author"] == "agent"]


@every_era
async def test_a_retried_answer_adds_nothing_and_waits_on(house: House, person: Person, era: str):
    async with agent(house.url, house.token, era=era) as client:
        ask_id = await asked_back(house, person, client)
        await answer_and_vanish(house, person, era, ask_id)
        again = asyncio.create_task(client.call_tool("answer_follow_up", {"askId": ask_id, "answer": YES}))
        await person.turned(ask_id, waiting=True, seconds=5)
        assert await answers_to(person, ask_id) == [YES]
        await person.reply(ask_id, ANSWERED)
        assert values_of(await soon(again))["reply"] == ANSWERED


@every_era
async def test_a_retried_answer_never_answers_a_question_that_the_agent_has_not_seen(house: House, person: Person, era: str):
    async with agent(house.url, house.token, era=era) as client:
        ask_id = await asked_back(house, person, client)
        await answer_and_vanish(house, person, era, ask_id)
        await person.reply(ask_id, ASKED_BACK_AGAIN)
        values = values_of(await soon(client.call_tool("answer_follow_up", {"askId": ask_id, "answer": YES})))
        assert values["reply"] == ASKED_BACK_AGAIN
        assert await answers_to(person, ask_id) == [YES]
        await eventually(lambda: house.is_delivered(ask_id), what="the mark")
        now = asyncio.create_task(client.call_tool("answer_follow_up", {"askId": ask_id, "answer": YES}))
        await person.turned(ask_id, waiting=True, seconds=5)
        assert await answers_to(person, ask_id) == [YES, YES]
        await person.reply(ask_id, ANSWERED)
        assert values_of(await soon(now))["reply"] == ANSWERED


@every_era
async def test_other_answers_to_a_question_that_the_agent_has_not_seen_are_taken_as_what_they_are(
    house: House, person: Person, era: str
):
    """Only equal answers are a retry: other words on the agent's turn are its answer."""
    async with agent(house.url, house.token, era=era) as client:
        ask_id = await asked_back(house, person, client)
        await answer_and_vanish(house, person, era, ask_id)
        await person.reply(ask_id, ASKED_BACK_AGAIN)
        call = asyncio.create_task(client.call_tool("answer_follow_up", {"askId": ask_id, "answer": "No, not them."}))
        await person.turned(ask_id, waiting=True, seconds=5)
        assert await answers_to(person, ask_id) == [YES, "No, not them."]
        await person.reply(ask_id, ANSWERED)
        await soon(call)


@every_era
async def test_a_retried_answer_gets_the_reply_that_closed_the_ask_meanwhile(house: House, person: Person, era: str):
    async with agent(house.url, house.token, era=era) as client:
        ask_id = await asked_back(house, person, client)
        await answer_and_vanish(house, person, era, ask_id)
        await person.reply(ask_id, ANSWERED)
        values = values_of(await soon(client.call_tool("answer_follow_up", {"askId": ask_id, "answer": YES})))
        assert values["reply"] == ANSWERED
        assert "before this call" in values["next"]
        await eventually(lambda: house.is_delivered(ask_id), what="the mark")
        said = error_of(await soon(client.call_tool("answer_follow_up", {"askId": ask_id, "answer": YES})))
        assert "closed" in said
        assert "it was answered" in said


@every_era
async def test_another_answer_while_it_is_the_persons_move_is_refused(house: House, person: Person, era: str):
    async with agent(house.url, house.token, era=era) as client:
        ask_id = await asked_back(house, person, client)
        await answer_and_vanish(house, person, era, ask_id)
        said = error_of(await soon(client.call_tool("answer_follow_up", {"askId": ask_id, "answer": "No."})))
        assert "wait_for_reply" in said
        assert await answers_to(person, ask_id) == [YES]


@every_era
async def test_an_ask_that_was_never_asked_back_about_takes_no_answer(house: House, person: Person, era: str):
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        ask = await person.opened(words)
        assert "wait_for_reply" in error_of(
            await soon(client.call_tool("answer_follow_up", {"askId": ask["id"], "answer": YES}))
        )
        await person.reply(ask["id"], ANSWERED)
        await soon(call)


@every_era
async def test_another_actors_ask_is_not_found(house: House, person: Person, era: str):
    stranger = await make_token(house.database_url, can="ask", actor=STRANGER)
    async with (
        agent(house.url, house.token, era=era) as client,
        agent(house.url, stranger.secret, era=era) as other,
    ):
        ask_id = await asked_back(house, person, client)
        for tool, sent in (
            ("answer_follow_up", {"askId": ask_id, "answer": YES}),
            ("answer_briefing", {"askId": ask_id, "answers": [{"point": "1", "answer": YES}]}),
            ("wait_for_reply", {"askId": ask_id}),
        ):
            said = error_of(await soon(other.call_tool(tool, sent)))
            assert "there is no ask" in said
            assert "list_asks" in said
        listed = values_of(await soon(other.call_tool("list_asks", {})))["asks"]
        assert ask_id not in {ask["askId"] for ask in listed}


@every_era
async def test_a_briefing_dismissed_meanwhile_says_so(house: House, person: Person, era: str):
    arguments, reply, words = opening("send_briefing")
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("send_briefing", arguments))
        ask = await person.opened(words)
        await person.reply(ask["id"], reply)
        await soon(call)
        await person.reply(ask["id"], {"outcome": "dismissed"})
        answers = [{"point": "1", "answer": "Since May."}]
        said = error_of(await soon(client.call_tool("answer_briefing", {"askId": ask["id"], "answers": answers})))
        assert "it was dismissed" in said


@every_era
async def test_retried_answers_on_a_briefing_add_nothing_in_whatever_order(house: House, person: Person, era: str):
    arguments, _, words = opening("send_briefing")
    wrote = {"outcome": "responded", "points": [{"point": "1", "text": "Since when?"}, {"point": "2", "text": "Why?"}]}
    answers = [{"point": "1", "answer": "Since May.", "points": [{"title": "In May"}]}, {"point": "2", "answer": "Haste."}]
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("send_briefing", arguments))
        ask = await person.opened(words)
        await person.reply(ask["id"], wrote)
        await soon(call)
        sent = {"askId": ask["id"], "answers": answers}
        headers, body = message(era, "answer_briefing", sent)
        async with held(house.url, house.token, headers, body) as lost:
            await lost.first_body_byte()
            lost.close()
        await person.turned(ask["id"], waiting=False, seconds=5)
        again = {"askId": ask["id"], "answers": answers[::-1]}
        joined = asyncio.create_task(client.call_tool("answer_briefing", again))
        await person.turned(ask["id"], waiting=True, seconds=5)
        assert await answers_to(person, ask["id"]) == ["Since May.", "Haste."]
        more = {"outcome": "responded", "points": [{"point": "1.1", "text": "Which day?"}]}
        await person.reply(ask["id"], more)
        assert values_of(await soon(joined))["reply"] == more


@every_era
async def test_every_point_that_was_written_on_wants_an_answer_and_every_mistake_is_named(
    house: House, person: Person, era: str
):
    arguments, _, words = opening("send_briefing")
    wrote = {"outcome": "responded", "points": [{"point": "1", "text": "Since when?"}, {"point": "2", "text": "Why?"}]}
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("send_briefing", arguments))
        ask = await person.opened(words)
        await person.reply(ask["id"], wrote)
        await soon(call)
        answers = [{"point": "1", "answer": "Since May."}, {"point": "9", "answer": "x"}, {"point": "1", "answer": " "}]
        said = error_of(await soon(client.call_tool("answer_briefing", {"askId": ask["id"], "answers": answers})))
        for fault in ("answers[1].point", "answers[2].point", "answers[2].answer", "wrote on 2"):
            assert fault in said
        assert "answer_briefing" in error_of(
            await soon(client.call_tool("answer_follow_up", {"askId": ask["id"], "answer": YES}))
        )
        assert await answers_to(person, ask["id"]) == []
