"""Many agents wait at once: they hold no connection to the database, and the person's requests are answered meanwhile."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from tests.support.calls import ANSWERED, question
from tests.support.house import House, Person
from tests.support.raw import LEGACY, MODERN, held, message
from tests.support.waiting import soon

CROWD = 200
POOL = 8
"""Connections that the server uses."""


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_two_hundred_waiting_agents_leave_room_for_the_person_and_each_gets_its_reply(
    house: House, person: Person, era: str
):
    asked = [question(f"Number {number}?") for number in range(CROWD)]
    async with AsyncExitStack() as stack:
        calls = []
        for start in range(0, CROWD, 20):
            some = []
            for arguments, _ in asked[start : start + 20]:
                headers, body = message(era, "ask_question", arguments)
                headers["Loopback-Max-Wait"] = "600"
                some.append(await stack.enter_async_context(held(house.url, house.token, headers, body)))
            await asyncio.gather(*(call.first_body_byte() for call in some))
            calls += some
        rows = await house.rows(
            "select count(*) as busy from pg_stat_activity where datname = current_database() and application_name = 'loopback' "
            "and state <> 'idle'"
        )
        assert rows[0]["busy"] < POOL
        opened = {
            ask["prompt"]["question"]: ask["id"] for ask in (await person.snapshot())["open"] if ask["kind"] == "question"
        }
        assert {words for _, words in asked} <= opened.keys()
        for start in range(0, CROWD, 20):
            await asyncio.gather(
                *(person.reply(opened[words], {**ANSWERED, "text": words}) for _, words in asked[start : start + 20])
            )
        for call, (_, words) in zip(calls, asked, strict=True):
            values = (await soon(call.result()))["result"]["structuredContent"]
            assert (values["askId"], values["reply"]["text"]) == (opened[words], words)
