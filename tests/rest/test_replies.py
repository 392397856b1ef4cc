"""Replies: whose turn it is, what fits, the same one again, and many at once."""

import asyncio
from typing import Any

import httpx
import pytest

from contract.operations import READ_ASK, REPLY
from contract.problems import Code
from tests.support.asking import ANSWERED, ASKED_BACK, DISMISSED, briefing, open_ask, open_asks, question, review, settled
from tests.support.house import House, Person, make_token
from tests.support.raw import MODERN, bearer, message, post
from tests.support.wire import done, refused

OPTIONS = [{"label": "Left"}, {"label": "Right"}]


async def reply(http: httpx.AsyncClient, ask: dict[str, Any], body: Any, key: str | None = None) -> httpx.Response:
    headers = {} if key is None else {"Idempotency-Key": key}
    return await http.post(f"/asks/{ask['id']}/reply", json=body, headers=headers)


async def answer_back(house: House, ask_id: str) -> None:
    """The agent answers what was asked back, and hangs up a second later."""
    headers, body = message(MODERN, "answer_follow_up", {"askId": ask_id, "answer": "To all."})
    answer = await post(house.url, house.token, headers | {"Loopback-Max-Wait": "1"}, body)
    assert answer.status_code == 200, answer.text


async def test_a_closed_ask_takes_no_other_reply(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    closed = done(await reply(http, ask, ANSWERED), REPLY)
    for other in (DISMISSED, ASKED_BACK, {**ANSWERED, "text": "No."}):
        refused(await reply(http, ask, other), Code.ASK_CLOSED)
    assert done(await http.get(f"/asks/{ask['id']}"), READ_ASK) == closed


async def test_on_the_agents_turn_only_a_briefing_may_be_dismissed(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    done(await reply(http, ask, ASKED_BACK), REPLY)
    for other in (ANSWERED, DISMISSED, {"outcome": "follow_up", "question": "And when?"}):
        refused(await reply(http, ask, other), Code.ASK_AGENTS_TURN)
    briefed = await open_ask(house, briefing())
    done(await reply(http, briefed, {"outcome": "responded", "points": [{"point": "1", "text": "Why?"}]}), REPLY)
    refused(
        await reply(http, briefed, {"outcome": "responded", "points": [{"point": "2", "text": "Why?"}]}), Code.ASK_AGENTS_TURN
    )
    assert done(await reply(http, briefed, DISMISSED), REPLY)["status"] == "closed"


UNFIT = [
    (question, {"outcome": "approved"}, "outcome"),
    (question, {"outcome": "answered", "selected": []}, "text"),
    (question, {"outcome": "answered", "selected": [], "text": " \n\u2003"}, "text"),
    (question, {"outcome": "answered", "selected": ["Left"]}, "selected"),
    (question, {"outcome": "follow_up", "question": " "}, "question"),
    (lambda: question(options=OPTIONS), {"outcome": "answered", "selected": ["Up"]}, "selected[0]"),
    (lambda: question(options=OPTIONS), {"outcome": "answered", "selected": ["Left", "Right"]}, "selected"),
    (lambda: question(options=OPTIONS, multiple=True), {"outcome": "answered", "selected": ["Left", "Left"]}, "selected[1]"),
    (review, ANSWERED, "outcome"),
    (review, {"outcome": "changes_requested", "feedback": "\t"}, "feedback"),
    (briefing, ASKED_BACK, "outcome"),
    (briefing, {"outcome": "responded", "points": [{"point": "9", "text": "?"}]}, "points[0].point"),
    (briefing, {"outcome": "responded", "points": [{"point": "1", "resolved": True}]}, "points"),
    (briefing, {"outcome": "responded", "points": [{"point": "1"}]}, "points[0].text"),
]


async def test_a_reply_that_does_not_fit_is_422_and_names_the_field(house: House, http: httpx.AsyncClient) -> None:
    asks = await open_asks(house, [make() for make, _, _ in UNFIT])
    for (_, body, field), opened in zip(UNFIT, asks, strict=True):
        ask = await settled(house, opened["id"])
        assert refused(await reply(http, ask, body), Code.REPLY_INVALID).startswith(f"{field}:"), (body, field)
        assert done(await http.get(f"/asks/{ask['id']}"), READ_ASK) == ask


async def test_turn_comes_before_fit_and_shape_before_turn(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    done(await reply(http, ask, ANSWERED), REPLY)
    refused(await reply(http, ask, {"outcome": "approved"}), Code.ASK_CLOSED)
    refused(await reply(http, ask, {"outcome": "nonsense"}), Code.REQUEST_INVALID)


async def test_the_same_reply_again_changes_nothing(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    first = done(await reply(http, ask, ASKED_BACK), REPLY)
    assert done(await reply(http, ask, {**ASKED_BACK, "more": None, "later": 1}), REPLY) == first
    assert len(await house.rows("select 1 from audit where subject = $1 and action = 'ask.replied'", ask["id"])) == 1


async def test_once_the_ask_has_moved_on_the_same_reply_is_another(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    done(await reply(http, ask, ASKED_BACK), REPLY)
    await answer_back(house, ask["id"])
    twice = done(await reply(http, ask, ASKED_BACK), REPLY)
    assert [entry["author"] for entry in twice["thread"]] == ["human", "agent", "human"]


async def test_the_same_key_says_the_same_after_the_ask_has_moved_on(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    done(await reply(http, ask, ASKED_BACK, "k-1"), REPLY)
    await answer_back(house, ask["id"])
    again = done(await reply(http, ask, ASKED_BACK, "k-1"), REPLY)
    assert [entry["author"] for entry in again["thread"]] == ["human", "agent"]
    assert again["status"] == "awaiting_human"


async def test_the_same_key_with_another_reply_is_a_mismatch(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    done(await reply(http, ask, ASKED_BACK, "k-1"), REPLY)
    refused(await reply(http, ask, DISMISSED, "k-1"), Code.IDEMPOTENCY_MISMATCH)
    another = await open_ask(house)
    done(await reply(http, another, DISMISSED, "k-1"), REPLY)


async def test_a_key_is_the_actors_own(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    done(await reply(http, ask, ASKED_BACK, "k-1"), REPLY)
    other = (await make_token(house.database_url, can="reply", actor="ada")).secret
    async with httpx.AsyncClient(base_url=http.base_url, headers=bearer(other)) as ada:
        refused(await reply(ada, ask, DISMISSED, "k-1"), Code.ASK_AGENTS_TURN)
        refused(await reply(ada, ask, ASKED_BACK), Code.ASK_AGENTS_TURN)


async def test_a_key_is_forgotten_after_a_day(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    done(await reply(http, ask, ASKED_BACK, "k-1"), REPLY)
    await house.rows("update replies set at = at - interval '24 hours 1 second' where ask_id = $1", ask["id"])
    refused(await reply(http, ask, DISMISSED, "k-1"), Code.ASK_AGENTS_TURN)


@pytest.mark.parametrize("key", ["", "k" * 201])
async def test_a_key_has_between_1_and_200_characters(house: House, http: httpx.AsyncClient, key: str) -> None:
    ask = await open_ask(house)
    assert "Idempotency-Key" in refused(await reply(http, ask, DISMISSED, key), Code.REQUEST_INVALID)
    assert done(await reply(http, ask, DISMISSED, "k" * 200), REPLY)["status"] == "closed"


@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("keyed", [False, True])
async def test_of_sixteen_replies_at_once_one_is_stored(house: House, person: Person, *, equal: bool, keyed: bool) -> None:
    for _ in range(3):
        ask = await open_ask(house)
        bodies = [{**ANSWERED, "text": "Yes." if equal else f"Yes, {number}."} for number in range(16)]
        limits = httpx.Limits(max_connections=16, max_keepalive_connections=16)
        headers = bearer(house.reply_token)
        async with httpx.AsyncClient(base_url=person.http.base_url, headers=headers, limits=limits, timeout=20) as many:
            await asyncio.gather(*(many.get("/whoami") for _ in bodies))  # each with a connection of its own
            keys = [("same" if equal else f"k{number}") if keyed else None for number in range(16)]
            answers = await asyncio.gather(*(reply(many, ask, *each) for each in zip(bodies, keys, strict=True)))
        won = [answer for answer in answers if answer.status_code == 200]
        assert len(won) == (16 if equal else 1)
        for answer in answers:
            if answer not in won:
                refused(answer, Code.ASK_CLOSED)
        stored = await person.ask(ask["id"])
        assert len(stored["thread"]) == 1
        assert all(done(answer, REPLY) == stored for answer in won)
        assert len(await house.rows("select 1 from replies where ask_id = $1", ask["id"])) == 1
        assert len(await house.rows("select 1 from audit where subject = $1 and action = 'ask.replied'", ask["id"])) == 1
