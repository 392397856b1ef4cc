"""Every operation of the contract, done."""

import asyncio
import gzip
import json
from typing import Any

import httpx
import pytest

from contract.operations import EVENT_TICKET, LIST_ASKS, OPERATIONS, READ_ASK, REPLY, SNAPSHOT, WHOAMI, Operation
from contract.problems import Code
from tests.support.asking import ANSWERED, ASKED_BACK, briefing, open_ask, open_asks, question, review
from tests.support.house import House, Person
from tests.support.raw import bearer
from tests.support.wire import check_named, done, refused

CLOSING = {
    "question": ANSWERED,
    "review": {"outcome": "approved", "note": "Ship it."},
    "briefing": {"outcome": "responded", "points": [{"point": "1", "resolved": True}, {"point": "2", "resolved": True}]},
}
STAYING = {
    "question": ASKED_BACK,
    "review": ASKED_BACK,
    "briefing": {"outcome": "responded", "points": [{"point": "1", "text": "Since when?"}]},
}


async def test_whoami_names_the_space_and_the_actor(http: httpx.AsyncClient) -> None:
    assert done(await http.get("/whoami"), WHOAMI) == {"space": "local", "actor": {"id": "local"}}


async def test_an_event_ticket_is_issued_for_a_minute(http: httpx.AsyncClient) -> None:
    ticket = done(await http.post("/events/tickets"), EVENT_TICKET)
    assert len(ticket["ticket"]) >= 43
    assert ticket["expiresAt"].endswith("Z")


@pytest.mark.parametrize("make", [question, review, briefing])
async def test_an_ask_of_each_kind_is_read_replied_to_and_paged(house: House, http: httpx.AsyncClient, make: Any) -> None:
    ask = await open_ask(house, make())
    kind = ask["kind"]
    assert done(await http.get(f"/asks/{ask['id']}"), READ_ASK) == ask
    assert ask in done(await http.get("/snapshot"), SNAPSHOT)["open"]
    closed = done(await http.post(f"/asks/{ask['id']}/reply", json=CLOSING[kind]), REPLY)
    assert closed["status"] == "closed"
    assert closed["thread"][-1]["reply"] == CLOSING[kind]
    assert closed["thread"][-1]["by"] == {"id": "local"}
    assert done(await http.get("/asks", params={"limit": 1}), LIST_ASKS)["items"] == [closed]
    assert done(await http.get(f"/asks/{ask['id']}"), READ_ASK) == closed
    assert done(await http.get("/snapshot"), SNAPSHOT)["recent"][0] == closed


@pytest.mark.parametrize("make", [question, review, briefing])
async def test_a_reply_that_asks_back_leaves_the_ask_open(house: House, http: httpx.AsyncClient, make: Any) -> None:
    ask = await open_ask(house, make())
    replied = done(await http.post(f"/asks/{ask['id']}/reply", json=STAYING[ask["kind"]]), REPLY)
    assert (replied["status"], "closedAt" in replied) == ("awaiting_agent", False)


async def test_what_comes_over_the_wire_is_what_was_asked_to_the_byte(house: House, http: httpx.AsyncClient) -> None:
    words = "Zürich – 東京 🪜 \u202e‮ \u2028 <b>&amp;</b> \\ \" ' \t\r\n end"
    ask = await open_ask(house, question(context=words))
    assert ask["prompt"]["context"] == words
    replied = await http.post(f"/asks/{ask['id']}/reply", json={"outcome": "answered", "selected": [], "text": words})
    assert replied.json()["thread"][0]["reply"]["text"] == words
    assert "null" not in replied.text


async def test_the_snapshot_has_the_open_asks_newest_first_then_the_fifty_closed_last(
    house: House, person: Person, http: httpx.AsyncClient
) -> None:
    asks = await open_asks(house, [question() for _ in range(60)])
    closed = [await person.reply(ask["id"], ANSWERED) for ask in asks[:55]]
    snapshot = done(await http.get("/snapshot"), SNAPSHOT)
    created = [ask["createdAt"] for ask in snapshot["open"]]
    assert created == sorted(created, reverse=True)
    assert {ask["id"] for ask in asks[55:]} <= {ask["id"] for ask in snapshot["open"]}
    assert [ask["id"] for ask in snapshot["recent"]] == [ask["id"] for ask in reversed(closed[-50:])]
    assert snapshot["recent"] == done(await http.get("/asks"), LIST_ASKS)["items"]


async def test_a_large_snapshot_is_compressed_for_clients_that_take_it(house: House, http: httpx.AsyncClient) -> None:
    await open_ask(house, question(context="All work and no play. " * 2000))
    plain = await http.get("/snapshot", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    async with http.stream("GET", "/snapshot", headers={"Accept-Encoding": "br, gzip"}) as packed:
        body = b"".join([chunk async for chunk in packed.aiter_raw()])
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert len(body) < len(plain.content) / 4
    assert gzip.decompress(body) == plain.content


async def test_answers_are_kept_by_nobody(http: httpx.AsyncClient) -> None:
    for path in ("/whoami", "/snapshot", "/asks", "/asks/none"):
        assert (await http.get(path)).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.params], ids=lambda each: each.name)
async def test_a_name_that_is_not_there_is_not_found(http: httpx.AsyncClient, operation: Operation) -> None:
    path = operation.path.format(id="none", uploadId="none", spaceId="local", token="none")
    body = json.dumps(ANSWERED) if operation.method == "POST" else None
    answer = await http.request(operation.method, path, content=body, headers={"Content-Type": "application/json"})
    codes = {"readFile": Code.FILE_NOT_FOUND, "storeUpload": Code.UPLOAD_NOT_FOUND}
    refused(answer, codes.get(operation.name, Code.ASK_NOT_FOUND))


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if not each.open], ids=lambda each: each.name)
async def test_without_a_credential_nothing_is_answered(nobody: httpx.AsyncClient, operation: Operation) -> None:
    path = "/api/v1" + operation.path.format(id="none", uploadId="none")
    answer = await nobody.request(operation.method, path)
    assert "Bearer" in refused(answer, Code.UNAUTHORIZED)
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_the_contract_and_its_reference_are_open(nobody: httpx.AsyncClient) -> None:
    document = await nobody.get("/api/v1/openapi.json")
    assert set(document.json()["paths"]) == {operation.path for operation in OPERATIONS}
    docs = await nobody.get("/api/v1/docs")
    assert docs.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in docs.headers["content-security-policy"]
    for answer in (document, docs):
        check_named(answer.headers)


async def test_another_spaces_ask_is_not_found(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    await house.rows("insert into spaces (id) values ('elsewhere') on conflict do nothing")
    await house.rows("update asks set space_id = 'elsewhere' where id = $1", ask["id"])
    refused(await http.get(f"/asks/{ask['id']}"), Code.ASK_NOT_FOUND)
    refused(await http.post(f"/asks/{ask['id']}/reply", json=ANSWERED), Code.ASK_NOT_FOUND)
    assert ask["id"] not in (await http.get("/snapshot")).text


async def test_many_snapshots_at_once_are_one_and_the_same(house: House) -> None:
    async with httpx.AsyncClient(headers=bearer(house.reply_token), timeout=20) as many:
        answers = await asyncio.gather(*(many.get(f"{house.url}/api/v1/snapshot") for _ in range(20)))
    assert len({answer.content for answer in answers}) == 1
