"""No secret is in the log, none is in the database but hashed, and nothing that agents and people wrote is in the log."""

import asyncio
import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.gate.test_notices import ticket_of
from tests.support.asking import open_ask, question
from tests.support.credentials import redeem, sign_in, sign_in_code
from tests.support.house import House, house_on, make_token, revoke_token
from tests.support.images import png
from tests.support.postgres import ThrowawayPostgres
from tests.support.raw import LEGACY, MODERN, bearer, initialize, message, post, result_in

WORDS = ("Canary of the agent", "Canary of the person", "Canary in a wrong reply", "Canary in a wrong call", "Canary key")


@pytest.fixture(scope="module", params=["text", "json"])
def house(
    request: pytest.FixtureRequest, postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    settings = {"LOOPBACK_LOG_LEVEL": "debug", "LOOPBACK_LOG_FORMAT": request.param}
    with postgres.database() as url, house_on(url, tmp_path_factory.mktemp("house"), **settings) as house:
        yield house


@pytest.fixture(scope="module")
def secrets(house: House) -> dict[str, str]:
    """A secret of every kind, after it was used well, badly, and once too often."""
    return asyncio.run(_use_everything(house))


async def _use_everything(house: House) -> dict[str, str]:
    http = httpx.AsyncClient(base_url=house.url, timeout=20)
    asks, replies, both = [await make_token(house.database_url, can=can) for can in ("ask", "reply", "both")]
    link, code = house.server.sign_in_link, await sign_in_code(house.database_url)
    browser = await sign_in(house.url, house.database_url)
    for _ in range(2):
        await redeem(house.url, code)
    ask = await open_ask(
        house, question(WORDS[0], context=f"{WORDS[0]} again", options=[{"label": WORDS[0]}, {"label": "Other"}])
    )
    reply = f"/api/v1/asks/{ask['id']}/reply"
    key = {"Idempotency-Key": WORDS[4]}
    for body in (
        {"outcome": "answered", "selected": [WORDS[2]]},
        {"outcome": WORDS[2]},
        {"outcome": "answered", "selected": 1},
    ):
        await http.post(reply, json=body, headers=bearer(replies.secret) | key)
    await http.post(
        reply, content=f'{{"outcome": "{WORDS[2]}', headers=bearer(replies.secret) | {"Content-Type": "application/json"}
    )
    done = await http.post(reply, json={"outcome": "answered", "selected": [], "text": WORDS[1]}, headers=browser.writing | key)
    assert done.status_code == 200, done.text
    for era in (MODERN, LEGACY):
        for name, arguments in (
            ("ask_question", {"question": 5, "project": WORDS[3]}),
            (WORDS[3], {}),
            ("list_asks", WORDS[3]),
        ):
            headers, body = message(era, name, arguments)
            await post(house.url, asks.secret, headers, body)
        await post(house.url, asks.secret, headers, f'{{"broken": "{WORDS[3]}')
    session = (await initialize(house.url, asks.secret)).headers.get("mcp-session-id", "")
    headers, body = message(MODERN, "request_upload", {"contentType": "image/png"})
    tickets = [
        result_in((await post(house.url, asks.secret, headers, body)).text)["result"]["structuredContent"] for _ in range(2)
    ]
    for url in (tickets[0]["uploadUrl"], tickets[0]["uploadUrl"], tickets[1]["uploadUrl"]):
        for data in (b"wrong", png()):
            if url != tickets[1]["uploadUrl"]:
                await http.put(url, content=data, headers={"Content-Type": "image/png"})
        await http.get(url)
    event_tickets = [await ticket_of(house, bearer(replies.secret)) for _ in range(2)]
    socket = house.url.replace("http", "ws", 1) + "/api/v1/events"
    for _ in range(2):
        try:
            protocols: Any = ["loopback.v1", f"loopback.ticket.{event_tickets[0]}"]
            async with connect(f"{socket}?ticket={event_tickets[1]}", subprotocols=protocols) as events:
                await events.recv()
        except InvalidStatus:
            pass
    for query in (f"token={both.secret}", f"code={code}"):
        await http.get(f"/api/v1/whoami?{query}")
        await http.get(f"/{query}")
    for headers in (bearer(both.secret), browser.cookie, browser.reading, {"Authorization": both.secret}):
        await http.get("/api/v1/snapshot", headers=headers)
        await http.get("/inbox/api/connections", headers=headers)
    await house.rows("update asks set doc = replace(doc, '\"thread\"', '\"thraed\"') where id = $1", ask["id"])
    assert (await http.post(reply, json={"outcome": "dismissed"}, headers=bearer(both.secret))).status_code == 500
    await revoke_token(house.database_url, both.id)
    await http.get("/api/v1/whoami", headers=bearer(both.secret))
    await http.aclose()
    return {
        "the local token": house.token,
        "a token that asks": asks.secret,
        "a token that replies": replies.secret,
        "a token that was revoked": both.secret,
        "the code of the welcome": link.partition("#")[2],
        "a sign-in code": code,
        "a cookie": browser.secret,
        "a session's second half": browser.half,
        "a used event ticket": event_tickets[0],
        "an event ticket": event_tickets[1],
        "a used upload token": tickets[0]["uploadUrl"].rsplit("/", 1)[1],
        "an upload token": tickets[1]["uploadUrl"].rsplit("/", 1)[1],
        "an MCP session": session,
    }


def test_no_secret_is_in_the_log(house: House, secrets: dict[str, str]) -> None:
    log = house.server.log()
    assert "unhandled, answering 500" in log
    assert [name for name, secret in secrets.items() if secret and secret in log] == []


def test_what_agents_and_people_wrote_is_not_in_the_log(house: House, secrets: dict[str, str]) -> None:
    log = house.server.log()
    assert [words for words in WORDS if words in log] == []


def test_no_secret_is_in_the_database_but_hashed(house: House, secrets: dict[str, str]) -> None:
    dump = asyncio.run(everything(house))
    assert hashlib.sha256(secrets["a cookie"].encode()).hexdigest() in dump
    assert [name for name, secret in secrets.items() if secret and secret in dump] == []


def test_no_secret_is_in_the_data_folder_but_the_local_token(house: House, secrets: dict[str, str]) -> None:
    found = {
        (name, path.name)
        for path in house.server.data_dir.rglob("*")
        if path.is_file()
        for name, secret in secrets.items()
        if secret and secret.encode() in path.read_bytes()
    }
    assert found == {("the local token", "local-token")}
    assert (house.server.data_dir / "local-token").stat().st_mode & 0o777 == 0o600


def test_no_secret_is_on_a_command_line(house: House, secrets: dict[str, str]) -> None:
    lines = subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True, check=False).stdout
    environ = Path(f"/proc/{house.server.process.pid}/cmdline").read_text()
    assert [name for name, secret in secrets.items() if secret and (secret in lines or secret in environ)] == []


async def everything(house: House) -> str:
    """Every row of every table, as text."""
    tables = await house.rows("select relid::regclass::text from pg_stat_user_tables")
    rows = [row[0] for (table,) in tables for row in await house.rows(f"select t::text from {table} t")]
    return "\n".join(rows)
