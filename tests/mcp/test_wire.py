"""What arrives on bare HTTP: the first byte, the caps, and bodies that are no call."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from app.asks import follow
from tests.support.agents import ERAS, agent, values_of
from tests.support.calls import ANSWERED, question
from tests.support.house import House, Person
from tests.support.inprocess import serving_here
from tests.support.raw import LEGACY, MODERN, bearer, held, initialize, message, post, result_in
from tests.support.waiting import soon

every_era = pytest.mark.parametrize("era", [LEGACY, MODERN])


@every_era
@pytest.mark.parametrize("token", [None, "t1"], ids=["without a progress token", "with a progress token"])
async def test_the_first_byte_of_a_waiting_call_comes_at_once(house: House, person: Person, era: str, token: str | None):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments, token=token)
    async with held(house.url, house.token, headers, body) as call:
        async with asyncio.timeout(1):
            begun = await soon(call.first_body_byte())
        assert begun.startswith(b"HTTP/1.1 200")
        assert b"text/event-stream" in begun
        ask = await person.opened(words)
        await person.reply(ask["id"], ANSWERED)
        assert (await soon(call.result()))["result"]["structuredContent"]["reply"] == ANSWERED
    progress = [line for line in call.received.decode().split("\n") if "notifications/progress" in line]
    assert bool(progress) == (token is not None)


@every_era
async def test_a_wait_for_a_reply_that_is_there_answers_at_once_without_a_stream_of_waiting(
    house: House, person: Person, era: str
):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with held(house.url, house.token, headers, body):
        ask = await person.opened(words)
    await person.reply(ask["id"], ANSWERED)
    headers, body = message(era, "wait_for_reply", {"askId": ask["id"]})
    answer = await post(house.url, house.token, headers, body)
    assert "waiting" not in answer.text
    assert result_in(answer.text)["result"]["structuredContent"]["reply"] == ANSWERED


@every_era
async def test_progress_comes_again_and_again_and_only_grows(
    database_url: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, era: str
):
    assert follow.PROGRESS_SECONDS == 15
    monkeypatch.setattr(follow, "PROGRESS_SECONDS", 0.2)
    async with serving_here(database_url, tmp_path) as (url, application):
        token = (await make_ask_token(application)).secret
        arguments, _ = question()
        headers, body = message(era, "ask_question", arguments, token="t1")
        headers["Loopback-Max-Wait"] = "1.5"
        async with held(url, token, headers, body) as call:
            values = (await soon(call.result()))["result"]["structuredContent"]
        assert values["waiting"] is True
        told = [
            json.loads(line[5:])["params"]
            for line in call.received.decode().split("\n")
            if line.startswith("data:") and "notifications/progress" in line
        ]
        assert len(told) >= 5
        assert [each["progress"] for each in told] == sorted({each["progress"] for each in told})
        assert all("total" not in each and each["progressToken"] == "t1" for each in told)


@every_era
async def test_what_changes_about_an_ask_does_not_make_progress_stand_still(database_url: str, tmp_path: Any, era: str):
    """Progress must grow with each notification, also when the ask changes many times within one tick."""
    async with serving_here(database_url, tmp_path) as (url, application):
        token = (await make_ask_token(application)).secret
        arguments, _ = question()
        headers, body = message(era, "ask_question", arguments, token="t1")
        headers["Loopback-Max-Wait"] = "2"
        async with held(url, token, headers, body) as call:
            await soon(call.first_body_byte())
            await touch(database_url, arguments["question"], 20)
            await soon(call.result())
        told = [
            json.loads(line[5:])["params"]["progress"]
            for line in call.received.decode().split("\n")
            if line.startswith("data:") and "notifications/progress" in line
        ]
        assert told == sorted(set(told))


async def make_ask_token(application: Any) -> Any:
    return await application.gate.create_token(
        label="test", can_ask=True, can_reply=False, space="local", actor="local", by="cli", origin="cli"
    )


async def touch(database_url: str, words: str, times: int) -> None:
    """Announce an ask, unchanged, as a change of `waiting` would."""
    import asyncpg

    connection = await asyncpg.connect(database_url)
    try:
        for _ in range(times):
            async with connection.transaction():
                version = await connection.fetchval("update spaces set version = version + 1 returning version")
                await connection.execute("update asks set version = $1 where title = $2", version, words)
                await connection.execute("select pg_notify('loopback', $1)", json.dumps(["local", version]))
    finally:
        await connection.close()


@every_era
@pytest.mark.parametrize("where", ["header", "address"])
async def test_at_the_cap_a_call_says_that_it_still_waits_and_what_to_do(house: House, person: Person, era: str, where: str):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    if where == "header":
        headers["Loopback-Max-Wait"] = "1"
    async with httpx.AsyncClient(timeout=20) as http:
        address = f"{house.url}/mcp" + ("?max_wait=1" if where == "address" else "")
        answer = await http.post(address, json=body, headers=bearer(house.token) | headers)
    result = result_in(answer.text)["result"]
    values = result["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == values
    assert result.get("isError", False) is False
    assert values == {"askId": values["askId"], "waiting": True, "next": values["next"]}
    assert "wait_for_reply" in values["next"]
    assert (await person.opened(words))["id"] == values["askId"]


@pytest.mark.parametrize("era", ERAS)
async def test_the_official_client_gets_the_waiting_result_as_a_success(house: House, era: str):
    arguments, _ = question()
    async with agent(house.url, house.token, era=era, headers={"Loopback-Max-Wait": "1"}) as client:
        values = values_of(await soon(client.call_tool("ask_question", arguments)))
        assert values["waiting"] is True
        again = values_of(await soon(client.call_tool("wait_for_reply", {"askId": values["askId"]})))
        assert (again["askId"], again["waiting"]) == (values["askId"], True)


@every_era
@pytest.mark.parametrize("size", [4 * 1024 * 1024 + 1, 9 * 1024 * 1024])
async def test_a_body_over_four_mebibytes_is_an_error_in_json_rpc_that_says_what_fits(house: House, era: str, size: int):
    headers, body = message(era, "ask_question", {"question": "x" * size, "project": "p"})
    answer = await post(house.url, house.token, headers, body)
    assert answer.status_code == 413
    error = answer.json()["error"]
    assert answer.json()["jsonrpc"] == "2.0"
    for words in ("4,194,304", "262,144", "split"):
        assert words in error["message"]


@every_era
@pytest.mark.parametrize(
    "sent",
    [b"", b"{", b"not json", b'{"jsonrpc": "2.0", "id": 1', b"\xff\xfe\xfa", b'"\xc3\x28"', b"[" * 100_000, b"[" * 3_000],
    ids=lambda sent: repr(sent[:12]),
)
async def test_what_is_not_json_is_a_parse_error(house: House, era: str, sent: bytes):
    headers, _ = message(era, "list_asks", {})
    answer = await post(house.url, house.token, headers, sent)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32700


@every_era
@pytest.mark.parametrize("depth", [50, 200, 400, 700, 900, 940, 960, 980, 990, 2_000, 100_000])
async def test_however_deep_a_body_nests_it_is_answered_in_json_rpc(house: House, era: str, depth: int):
    nested = '{"a":' * depth + "1" + "}" * depth
    headers, body = message(era, "list_asks", {})
    sent = json.dumps(body).replace('"arguments": {}', f'"arguments": {{"x": {nested}}}')
    answer = await post(house.url, house.token, headers, sent)
    assert answer.status_code in (200, 400), answer.text
    assert result_in(answer.text)["jsonrpc"] == "2.0"


@every_era
@pytest.mark.parametrize("sent", ["1", "null", "[]", "{}", '"x"', "[{}]", '{"jsonrpc":"2.0","id":1,"method":5}'])
async def test_json_that_is_no_call_is_an_error_and_no_crash(house: House, era: str, sent: str):
    headers, _ = message(era, "list_asks", {})
    answer = await post(house.url, house.token, headers, sent)
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["code"] in (-32600, -32602, -32601, -32700, -32020)


@every_era
async def test_every_answer_names_the_revision(house: House, era: str):
    headers, body = message(era, "list_asks", {})
    for answer in (await post(house.url, house.token, headers, body), await post(house.url, "x", headers, body)):
        assert answer.headers["loopback-revision"] == "1"
        assert answer.headers["loopback-build"]


async def test_a_client_is_named_on_one_printable_line_of_bounded_length(house: House, person: Person):
    begun = await initialize(house.url, house.token, ("we\nird\u0007" + "n" * 300, "1 \u2028 2"))
    arguments, words = question()
    headers, body = message(LEGACY, "ask_question", arguments)
    async with held(house.url, house.token, headers | {"Mcp-Session-Id": begun.headers["mcp-session-id"]}, body):
        ask = await person.opened(words)
    assert ask["client"].startswith("we ird n")
    assert len(ask["client"]) <= 100
