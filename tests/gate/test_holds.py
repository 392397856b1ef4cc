"""What a revoked token had opened ends."""

import asyncio
import time
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.bus.bus import Bus
from app.database.database import Database
from app.gate.holds import Holds
from app.gate.service import Gate
from tests.gate.test_notices import ticket_of
from tests.support.house import House, make_token, revoke_token
from tests.support.raw import MODERN, bearer, message, post, result_in
from tests.support.waiting import eventually


def events(house: House, **options: Any) -> connect:
    return connect(house.url.replace("http", "ws", 1) + "/api/v1/events", **options)


@pytest.mark.parametrize("by", ["bearer", "ticket"])
async def test_revoking_a_token_closes_its_sockets_within_two_seconds(house: House, by: str) -> None:
    made, other = [await make_token(house.database_url, can="reply") for _ in range(2)]
    sent: dict[str, Any] = {"additional_headers": bearer(made.secret)}
    if by == "ticket":
        sent = {"subprotocols": ["loopback.v1", f"loopback.ticket.{await ticket_of(house, bearer(made.secret))}"]}
    async with events(house, **sent) as socket, events(house, additional_headers=bearer(other.secret)) as kept:
        await socket.recv()
        await kept.recv()
        await revoke_token(house.database_url, made.id)
        revoked = time.monotonic()
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 5)
        assert time.monotonic() - revoked < 2
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        await asyncio.wait_for(await kept.ping(), 5)


async def test_a_ticket_of_a_token_that_was_revoked_meanwhile_opens_nothing(house: House) -> None:
    made = await make_token(house.database_url, can="reply")
    ticket = await ticket_of(house, bearer(made.secret))
    await revoke_token(house.database_url, made.id)
    with pytest.raises(InvalidStatus) as refused:
        await events(house, subprotocols=["loopback.v1", f"loopback.ticket.{ticket}"])  # type: ignore[list-item]
    assert refused.value.response.status_code == 401


async def test_revoking_a_token_ends_its_held_calls_within_two_seconds(house: House) -> None:
    made = await make_token(house.database_url, can="ask")
    headers, body = message(MODERN, "ask_question", {"question": "Held?", "project": made.id})
    call = asyncio.create_task(post(house.url, made.secret, headers, body))

    async def held() -> bool:
        assert not call.done(), call.result().text
        return bool(await house.rows("select 1 from followers f join asks a on a.id = f.ask_id where a.project = $1", made.id))

    await eventually(held, 10, "the call is held")
    await revoke_token(house.database_url, made.id)
    answer = await asyncio.wait_for(call, 2)
    assert "reply" not in result_in(answer.text).get("result", {}).get("structuredContent", {})


async def test_a_caller_who_was_let_in_as_the_token_ended_is_let_go_of_all_the_same(
    database: Database, database_url: str
) -> None:
    gate, bus = Gate(database), Bus(database_url)
    await gate.open()
    made = await gate.create_token(
        label="test", can_ask=True, can_reply=False, space="local", actor="local", by="cli", origin="cli"
    )
    holds = Holds(gate, bus)
    await bus.start()
    await holds.start()
    caller = await gate.recognise_token(made.secret, "here")
    try:
        heard = asyncio.Event()
        with holds.hold(caller, heard.set):
            await gate.revoke_token(made.id, by="cli", origin="cli")
            await asyncio.wait_for(heard.wait(), 2)
        late = asyncio.Event()
        with holds.hold(caller, late.set):
            await asyncio.wait_for(late.wait(), 2)
    finally:
        await holds.close()
        await bus.close()
