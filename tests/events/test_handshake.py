"""Who gets onto the event socket, and how."""

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from contract.problems import STATUS, Code
from tests.gate.test_notices import ticket_of
from tests.support.credentials import sign_in
from tests.support.house import House
from tests.support.raw import bearer
from tests.support.wire import check_frame, check_message, check_named


def events(house: House, path: str = "/api/v1/events", **options: Any) -> connect:
    return connect(house.url.replace("http", "ws", 1) + path, **options)


async def first_of(socket: ClientConnection) -> dict[str, Any]:
    frame = check_frame(json.loads(await asyncio.wait_for(socket.recv(), 5)))
    assert frame["type"] == "snapshot"
    return frame["snapshot"]


async def refused(house: House, code: Code, path: str = "/api/v1/events", **options: Any) -> str:
    with pytest.raises(InvalidStatus) as refusal:
        await events(house, path, **options)
    response = refusal.value.response
    check_named(response.headers)
    problem = check_message("Problem", json.loads(response.body or b"{}"))
    assert (response.status_code, problem["code"]) == (STATUS[code], code), problem
    assert response.headers["content-type"] == "application/json"
    return problem["message"]


def with_ticket(ticket: str, *more: str) -> dict[str, Any]:
    return {"subprotocols": [*more, f"loopback.ticket.{ticket}"]}


@pytest.fixture
def person(house: House) -> dict[str, str]:
    return bearer(house.reply_token)


async def test_a_bearer_opens_it_and_the_snapshot_comes_first(house: House, person: dict[str, str]) -> None:
    async with events(house, additional_headers=person) as socket:
        assert socket.response is not None
        check_named(socket.response.headers)
        assert socket.subprotocol is None
        assert "sec-websocket-extensions" not in socket.response.headers
        assert (await first_of(socket)).keys() == {"open", "recent"}


@pytest.mark.parametrize("order", [["loopback.v1", "T"], ["T", "loopback.v1"], ["other", "loopback.v1", "T"]], ids=str)
async def test_a_ticket_opens_it_and_is_never_in_the_answer(house: House, person: dict[str, str], order: list[str]) -> None:
    ticket = await ticket_of(house, person)
    protocols: Any = [f"loopback.ticket.{ticket}" if each == "T" else each for each in order]
    async with events(house, subprotocols=protocols) as socket:
        assert socket.response is not None
        assert socket.subprotocol == "loopback.v1"
        assert ticket not in str(socket.response.headers)
        await first_of(socket)


async def test_a_ticket_alone_is_answered_with_no_subprotocol(house: House, person: dict[str, str]) -> None:
    # A browser that offers only the ticket fails then, as it would if the server answered with what was not offered.
    async with events(house, **with_ticket(await ticket_of(house, person))) as socket:
        assert socket.subprotocol is None
        await first_of(socket)


async def test_a_ticket_is_good_once(house: House, person: dict[str, str]) -> None:
    ticket = await ticket_of(house, person)
    async with events(house, **with_ticket(ticket, "loopback.v1")) as socket:
        await first_of(socket)
        await refused(house, Code.UNAUTHORIZED, **with_ticket(ticket, "loopback.v1"))
    await refused(house, Code.UNAUTHORIZED, **with_ticket(ticket, "loopback.v1"))


async def test_of_fifty_handshakes_with_one_ticket_one_gets_in(house: House, person: dict[str, str]) -> None:
    ticket = await ticket_of(house, person)

    async def attempt() -> int:
        try:
            async with events(house, **with_ticket(ticket, "loopback.v1")):
                return 101
        except InvalidStatus as refusal:
            return refusal.response.status_code

    assert sorted(await asyncio.gather(*(attempt() for _ in range(50)))) == [101] + [401] * 49


async def test_a_ticket_is_good_for_a_minute(house: House, person: dict[str, str]) -> None:
    ticket = await ticket_of(house, person)
    ((seconds,),) = await house.rows("select extract(epoch from max(expires_at) - clock_timestamp())::float from event_tickets")
    assert 55 < seconds <= 60
    await house.rows("update event_tickets set expires_at = clock_timestamp() - interval '1 millisecond'")
    assert "expired" in await refused(house, Code.UNAUTHORIZED, **with_ticket(ticket, "loopback.v1"))


@pytest.mark.parametrize("ticket", ["", "x" * 43, "x" * 4000])
async def test_a_ticket_that_was_never_issued_opens_nothing(house: House, ticket: str) -> None:
    await refused(house, Code.UNAUTHORIZED, **with_ticket(ticket, "loopback.v1"))


async def test_without_a_credential_it_stays_closed(house: House) -> None:
    await refused(house, Code.UNAUTHORIZED)
    await refused(house, Code.UNAUTHORIZED, subprotocols=["loopback.v1"])
    await refused(house, Code.UNAUTHORIZED, additional_headers=bearer("lb_nobody"))


async def test_a_bearer_decides_alone_and_leaves_the_ticket_good(house: House, person: dict[str, str]) -> None:
    ticket = await ticket_of(house, person)
    options = with_ticket(ticket, "loopback.v1") | {"additional_headers": bearer("lb_nobody")}
    await refused(house, Code.UNAUTHORIZED, **options)
    async with events(house, **with_ticket(ticket, "loopback.v1")) as socket:
        await first_of(socket)


@pytest.mark.parametrize(
    "origin", ["null", "https://evil.example", "http://127.0.0.1:1", "http://localhost.evil.example", "file://", ""]
)
async def test_a_foreign_origin_is_refused_and_the_ticket_stays_good(house: House, person: dict[str, str], origin: str) -> None:
    await refused(house, Code.FORBIDDEN, additional_headers={**person, "Origin": origin})
    ticket = await ticket_of(house, person)
    await refused(house, Code.FORBIDDEN, **with_ticket(ticket, "loopback.v1"), additional_headers={"Origin": origin})
    async with events(house, **with_ticket(ticket, "loopback.v1")) as socket:
        await first_of(socket)


async def test_our_own_origin_is_fine_by_each_of_our_names(house: House, person: dict[str, str]) -> None:
    port = house.url.rsplit(":", 1)[1]
    for url in (house.url, f"http://localhost:{port}"):
        ticket = await ticket_of(house, person)
        protocols: Any = ["loopback.v1", f"loopback.ticket.{ticket}"]
        address = url.replace("http", "ws", 1) + "/api/v1/events"
        async with connect(address, origin=url, subprotocols=protocols) as socket:  # type: ignore[arg-type]
            await first_of(socket)


async def test_a_browsers_session_opens_it_by_a_ticket(house: House) -> None:
    browser = await sign_in(house.url, house.database_url)
    ticket = await ticket_of(house, browser.writing)
    options = with_ticket(ticket, "loopback.v1") | {"origin": house.url, "additional_headers": browser.cookie}
    async with events(house, **options) as socket:
        await first_of(socket)
    await refused(house, Code.UNAUTHORIZED, additional_headers=browser.cookie)


async def test_a_newer_client_is_told_to_reload(house: House, person: dict[str, str]) -> None:
    await refused(house, Code.RELOAD, additional_headers={**person, "Loopback-Revision": "2"})
    await refused(house, Code.REVISION_INVALID, additional_headers={**person, "Loopback-Revision": "one"})
    async with events(house, additional_headers={**person, "Loopback-Revision": "1"}) as socket:
        await first_of(socket)


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/whoami", "/api/v1/events/", "/api/v1/events/tickets", "/mcp", "/inbox/api/live2"]
)
async def test_at_any_other_address_there_is_no_socket(house: House, person: dict[str, str], path: str) -> None:
    await refused(house, Code.NOT_FOUND, path, additional_headers=person)


async def test_a_host_that_is_not_ours_is_refused(house: House, person: dict[str, str]) -> None:
    host, port = house.url.removeprefix("http://").split(":")
    with pytest.raises(InvalidStatus) as refusal:
        await connect("ws://evil.example/api/v1/events", host=host, port=int(port), additional_headers=person)
    assert refusal.value.response.status_code == 421
    check_named(refusal.value.response.headers)
