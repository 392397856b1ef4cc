"""What every open inbox is told at once."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from tests.support.asking import open_ask
from tests.support.credentials import Browser, sign_in
from tests.support.house import House, make_token, revoke_token
from tests.support.raw import bearer


async def ticket_of(house: House, headers: dict[str, str]) -> str:
    async with httpx.AsyncClient() as http:
        answer = await http.post(f"{house.url}/api/v1/events/tickets", headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()["ticket"]


@contextlib.asynccontextmanager
async def inbox(house: House, browser: Browser) -> AsyncIterator[ClientConnection]:
    """An open inbox, greeted."""
    ticket = await ticket_of(house, browser.writing)
    protocols: Any = ["loopback.v1", f"loopback.ticket.{ticket}"]
    url = house.url.replace("http", "ws", 1) + "/inbox/api/live"
    async with connect(url, subprotocols=protocols, origin=house.url) as socket:  # type: ignore[arg-type]
        assert socket.subprotocol == "loopback.v1"
        assert await told(socket) == {"type": "ready"}
        yield socket


async def told(socket: ClientConnection) -> dict[str, Any]:
    return json.loads(await asyncio.wait_for(socket.recv(), 5))


@pytest.fixture
async def browser(house: House) -> Browser:
    return await sign_in(house.url, house.database_url)


async def test_a_browser_that_was_signed_in_shows_in_every_open_inbox(house: House, browser: Browser) -> None:
    async with inbox(house, browser) as one, inbox(house, browser) as two:
        await sign_in(house.url, house.database_url)
        for socket in (one, two):
            notice = await told(socket)
            assert (notice["type"], notice["action"]) == ("notice", "sign_in.redeemed")
            assert notice["label"].startswith("python-httpx")
            assert notice["at"].endswith("Z")


@pytest.mark.parametrize("can", ["reply", "both"])
async def test_a_new_token_that_may_reply_shows_and_so_does_its_end(house: House, browser: Browser, can: str) -> None:
    async with inbox(house, browser) as socket:
        made = await make_token(house.database_url, can=can)
        notice = await told(socket)
        assert (notice["action"], notice["label"]) == ("token.created", "test")
        assert made.secret not in json.dumps(notice)
        await revoke_token(house.database_url, made.id)
        assert (await told(socket))["action"] == "token.revoked"


async def test_a_token_that_only_asks_does_not_show(house: House, browser: Browser) -> None:
    async with inbox(house, browser) as socket:
        await make_token(house.database_url, can="ask")
        await open_ask(house)
        await make_token(house.database_url, can="reply")
        assert (await told(socket))["action"] == "token.created"


async def test_what_was_committed_out_of_order_is_told_all_the_same(house: House, browser: Browser) -> None:
    slow = await asyncpg.connect(house.database_url)
    try:
        async with inbox(house, browser) as socket:
            transaction = slow.transaction()
            await transaction.start()
            await slow.execute("insert into audit (space_id, action, label) values ('local', 'token.created', 'the slow one')")
            await make_token(house.database_url, can="reply")
            assert (await told(socket))["label"] == "test"
            await slow.execute("select pg_notify('loopback', '[\"gate\",0]')")
            await transaction.commit()
            assert (await told(socket))["label"] == "the slow one"
            await make_token(house.database_url, can="reply")
            assert (await told(socket))["label"] == "test"
    finally:
        await slow.close()


async def test_another_spaces_notices_stay_there(house: House, browser: Browser) -> None:
    async with inbox(house, browser) as socket:
        await house.rows("insert into audit (space_id, action, label) values ('elsewhere', 'token.created', 'not ours')")
        await make_token(house.database_url, can="reply")
        assert (await told(socket))["label"] == "test"


@pytest.mark.parametrize("can", ["ask", "reply", "both"])
async def test_the_socket_refuses_tokens_and_their_tickets(house: House, can: str) -> None:
    url = house.url.replace("http", "ws", 1) + "/inbox/api/live"
    token = bearer((await make_token(house.database_url, can=can)).secret)
    ticket: Any = [f"loopback.ticket.{await ticket_of(house, token)}"]
    for sent in ({"additional_headers": token}, {"subprotocols": ticket}):
        with pytest.raises(InvalidStatus) as refusal:
            await connect(url, **sent)
        assert refusal.value.response.status_code == 403
        assert json.loads(refusal.value.response.body or b"")["code"] == "forbidden"
