"""Who may come in, and the session ids of the handshake era."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.support.agents import ERAS, agent, values_of
from tests.support.calls import ANSWERED, question
from tests.support.house import House, Person, make_token, revoke_token
from tests.support.raw import LEGACY, MODERN, bearer, held, initialize, message, post, result_in
from tests.support.waiting import soon

every_era = pytest.mark.parametrize("era", ERAS)
every_address = pytest.mark.parametrize("path", ["/mcp", "/mcp/"])


async def send(house: House, method: str, path: str = "/mcp", **options: Any) -> httpx.Response:
    async with httpx.AsyncClient(base_url=house.url, timeout=20, follow_redirects=False) as http:
        return await http.request(method, path, **options)


@every_address
@every_era
async def test_it_answers_with_and_without_the_slash(house: House, path: str, era: str):
    headers, body = message(era, "list_asks", {})
    answer = await send(house, "POST", path, headers=bearer(house.token) | headers, json=body)
    assert answer.status_code == 200
    assert "asks" in result_in(answer.text)["result"]["structuredContent"]


@every_address
@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "HEAD", "DELETE"])
async def test_there_is_nothing_to_get(house: House, path: str, method: str):
    answer = await send(house, method, path, headers=bearer(house.token) | {"Accept": "text/event-stream"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@every_address
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_without_a_token_nothing_answers(house: House, path: str, method: str):
    answer = await send(house, method, path)
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthorized"
    assert "loopback token create" in answer.json()["message"]


async def test_a_token_that_nobody_made_is_not_let_in(house: House):
    answer = await initialize(house.url, "lb_nobody")
    assert answer.status_code == 401


async def test_a_token_that_may_only_reply_is_told_so(house: House):
    answer = await initialize(house.url, house.reply_token)
    assert answer.status_code == 403
    assert answer.json()["code"] == "forbidden"
    assert "--can ask" in answer.json()["message"]


async def test_a_token_that_may_both_ask_and_reply_is_let_in(house: House):
    token = await make_token(house.database_url, can="both")
    assert (await initialize(house.url, token.secret)).status_code == 200


async def test_a_browsers_session_does_not_open_it(house: House):
    code = house.server.sign_in_link.rpartition("#")[2]
    async with httpx.AsyncClient(base_url=house.url, timeout=20) as http:
        signed_in = await http.post("/inbox/api/session", json={"code": code}, headers={"Origin": house.url})
        assert signed_in.status_code == 201, signed_in.text
        (half,) = [value for name, value in signed_in.json().items() if name not in ("space", "actor") and len(str(value)) > 20]
        session = {"Loopback-Session": half, "Loopback-Revision": "1", "Origin": house.url}
        assert (await http.get("/api/v1/whoami", headers=session)).status_code == 200
        headers, body = message(LEGACY, "list_asks", {})
        for sent, status in ((headers, 401), (headers | session, 403)):
            answer = await http.post("/mcp", json=body, headers=sent)
            assert answer.status_code == status
            assert "token" in answer.json()["message"]


async def test_an_id_that_we_did_not_sign_has_ended(house: House):
    headers, body = message(LEGACY, "list_asks", {})
    begun = (await initialize(house.url, house.token)).headers["mcp-session-id"]
    for bad in ("x", "a.b", begun[:-1] + ("0" if begun[-1] != "0" else "1"), "x" + begun, ""):
        answer = await post(house.url, house.token, headers | {"Mcp-Session-Id": bad}, body)
        assert answer.status_code == 404, bad
        assert answer.json()["jsonrpc"] == "2.0"
        assert "initialize" in answer.json()["error"]["message"]


async def test_deleting_a_session_ends_that_one_only(house: House):
    first, second = [(await initialize(house.url, house.token)).headers["mcp-session-id"] for _ in range(2)]
    assert first != second
    gone = await send(house, "DELETE", headers=bearer(house.token) | {"Mcp-Session-Id": first})
    assert gone.status_code in (200, 204)
    headers, body = message(LEGACY, "list_asks", {})
    assert (await post(house.url, house.token, headers | {"Mcp-Session-Id": first}, body)).status_code == 404
    assert (await post(house.url, house.token, headers | {"Mcp-Session-Id": second}, body)).status_code == 200
    again = await send(house, "DELETE", headers=bearer(house.token) | {"Mcp-Session-Id": first})
    assert again.status_code == 404


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18", "2025-11-25"])
async def test_a_version_that_the_client_leaves_out_is_taken_from_its_session(house: House, version: str):
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "gemini-cli-mcp-client", "version": "0"}}
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    accept = {"Accept": "application/json, text/event-stream"}
    begun = await post(house.url, house.token, accept | {"Content-Type": "application/json"}, body)
    assert result_in(begun.text)["result"]["protocolVersion"] == version
    headers, body = message(LEGACY, "list_asks", {}, method="tools/list")
    del headers["MCP-Protocol-Version"]
    named = headers | {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
    answer = await post(house.url, house.token, named, body)
    assert len(result_in(answer.text)["result"]["tools"]) == 9


async def test_a_client_that_asks_for_a_version_nobody_speaks_is_offered_another_and_goes_on_without_naming_it(house: House):
    """What its session says is the version it was offered, not the one it asked for."""
    params = {"protocolVersion": "1999-12-31", "capabilities": {}, "clientInfo": {"name": "old", "version": "0"}}
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    begun = await post(house.url, house.token, headers, body)
    assert result_in(begun.text)["result"]["protocolVersion"] == "2025-11-25"
    named = headers | {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
    _, body = message(LEGACY, "list_asks", {}, method="tools/list")
    assert (await post(house.url, house.token, named, body)).status_code == 200


@every_era
async def test_a_held_call_ends_with_an_error_within_two_seconds_of_its_token_being_revoked(
    house: House, person: Person, era: str
):
    token = await make_token(house.database_url, can="ask")
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with held(house.url, token.secret, headers, body) as call:
        ask = await person.opened(words)
        await soon(call.first_body_byte())
        await revoke_token(house.database_url, token.id)
        async with asyncio.timeout(2):
            result = (await soon(call.result()))["result"]
    assert result["isError"] is True
    assert "revoked" in result["content"][0]["text"]
    assert ask["id"] in result["content"][0]["text"]
    assert (await post(house.url, token.secret, headers, body)).status_code == 401
    await person.turned(ask["id"], waiting=False, seconds=3)
    async with agent(house.url, house.token, era=era) as client:
        again = asyncio.create_task(client.call_tool("ask_question", arguments))
        await person.turned(ask["id"], waiting=True, seconds=5)
        await person.reply(ask["id"], ANSWERED)
        assert values_of(await soon(again))["askId"] == ask["id"]


@every_era
async def test_another_tokens_end_ends_nothing(house: House, person: Person, era: str):
    token = await make_token(house.database_url, can="ask")
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        ask = await person.opened(words)
        await revoke_token(house.database_url, token.id)
        await asyncio.wait({call}, timeout=0.5)
        assert not call.done()
        await person.reply(ask["id"], ANSWERED)
        assert values_of(await soon(call))["reply"] == ANSWERED


async def test_the_modern_era_is_given_no_session(house: House):
    headers, body = message(MODERN, "list_asks", {})
    assert "mcp-session-id" not in (await post(house.url, house.token, headers, body)).headers
