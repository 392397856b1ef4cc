"""Who did what, when, from where."""

from typing import Any

import asyncpg
import httpx
import pytest

from contract.problems import Code
from tests.gate.test_matrix import stored_image
from tests.support.asking import ANSWERED, ASKED_BACK, open_ask
from tests.support.credentials import sign_in
from tests.support.house import House, Person, make_token, revoke_token
from tests.support.raw import MODERN, message, post
from tests.support.wire import refused


async def rows_about(house: House, subject: str) -> list[dict[str, Any]]:
    found = await house.rows("select * from audit where subject = $1 order by id", subject)
    return [dict(row) for row in found]


async def test_an_asks_turns_are_noted_with_who_took_them(house: House, person: Person) -> None:
    ask = await open_ask(house)
    await person.reply(ask["id"], ASKED_BACK)
    headers, body = message(MODERN, "answer_follow_up", {"askId": ask["id"], "answer": "To all."})
    await post(house.url, house.token, headers | {"Loopback-Max-Wait": "1"}, body)
    await person.reply(ask["id"], ANSWERED)
    noted = await rows_about(house, ask["id"])
    assert [row["action"] for row in noted] == ["ask.opened", "ask.replied", "ask.answered", "ask.replied"]
    opened, replied, answered, closed = noted
    assert opened["credential"] == answered["credential"] != replied["credential"] == closed["credential"]
    for row in noted:
        assert (row["space_id"], row["actor_id"], row["origin"]) == ("local", "local", "127.0.0.1")
        assert row["credential"].startswith("token:")


async def test_tokens_are_noted_with_their_labels(house: House) -> None:
    for can, action in (("ask", "token.created_ask"), ("reply", "token.created"), ("both", "token.created")):
        made = await make_token(house.database_url, can=can)
        await revoke_token(house.database_url, made.id)
        noted = await rows_about(house, made.id)
        assert [(row["action"], row["label"], row["origin"]) for row in noted] == [
            (action, "test", "cli"),
            ("token.revoked", "test", "cli"),
        ]


async def test_signing_in_and_out_is_noted(house: House, nobody: httpx.AsyncClient) -> None:
    browser = await sign_in(house.url, house.database_url)
    ((session_id,),) = await house.rows("select id from sessions order by created_at desc limit 1")
    await nobody.delete("/inbox/api/session", headers=browser.writing)
    noted = await rows_about(house, session_id)
    assert [(row["action"], row["credential"], row["origin"]) for row in noted] == [
        ("sign_in.redeemed", f"session:{session_id}", "127.0.0.1"),
        ("session.ended", f"session:{session_id}", "127.0.0.1"),
    ]


async def test_an_upload_is_noted(house: House) -> None:
    upload_id, _ = await stored_image(house)
    (noted,) = await rows_about(house, upload_id)
    assert (noted["action"], noted["space_id"], noted["actor_id"], noted["origin"]) == (
        "upload.stored",
        "local",
        "local",
        "127.0.0.1",
    )


async def test_a_refused_write_notes_nothing(house: House, person: Person) -> None:
    ask = await open_ask(house)
    await person.reply(ask["id"], {"outcome": "approved"}, 422)
    assert [row["action"] for row in await rows_about(house, ask["id"])] == ["ask.opened"]


async def test_a_row_is_of_the_transaction_of_what_it_tells(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    await house.rows("alter table audit add constraint never check (action <> 'ask.replied') not valid")
    try:
        refused(await http.post(f"/asks/{ask['id']}/reply", json=ANSWERED), Code.INTERNAL)
    finally:
        await house.rows("alter table audit drop constraint never")
    assert (await http.get(f"/asks/{ask['id']}")).json() == ask
    assert [row["action"] for row in await rows_about(house, ask["id"])] == ["ask.opened"]


@pytest.mark.parametrize("statement", ["update audit set actor_id = 'x'", "delete from audit", "truncate audit"])
async def test_rows_are_only_ever_added(house: House, statement: str) -> None:
    before = await house.rows("select count(*) from audit")
    assert before[0][0] > 0
    with pytest.raises(asyncpg.PostgresError):
        await house.rows(statement)
    assert await house.rows("select count(*) from audit") == before
