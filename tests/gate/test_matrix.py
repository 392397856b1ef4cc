"""What each credential opens, and that it opens nothing else."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from contract.problems import STATUS, Code
from tests.support.asking import ANSWERED, DISMISSED, open_ask
from tests.support.credentials import Browser, sign_in
from tests.support.house import House, make_token, revoke_token
from tests.support.images import png
from tests.support.raw import MODERN, bearer, message, post, result_in
from tests.support.wire import check_message, check_named

CREDENTIALS = (
    "asks",
    "replies",
    "both",
    "session",
    "session, its half alone",
    "session, its cookie alone",
    "session, signed out",
    "revoked",
    "unknown",
    "basic",
    "event ticket",
    "upload token",
    "nothing",
)
READS = frozenset({"asks", "replies", "both", "session"})
"""What opens the reads, event tickets, the socket and the files of r1."""


@dataclass(frozen=True)
class Keys:
    """The headers of each credential, an ask to read, one to be replied to each time, and an image."""

    headers: dict[str, dict[str, str]]
    ask_id: str
    upload_id: str


@pytest.fixture(scope="module")
def keys(house: House) -> Keys:
    return asyncio.run(_make_keys(house))


async def _make_keys(house: House) -> Keys:
    made = {can: await make_token(house.database_url, can=can) for can in ("ask", "reply", "both")}
    revoked = await make_token(house.database_url, can="both")
    await revoke_token(house.database_url, revoked.id)
    session, gone = await sign_in(house.url, house.database_url), await sign_in(house.url, house.database_url)
    async with httpx.AsyncClient(base_url=house.url) as http:
        assert (await http.delete("/inbox/api/session", headers=gone.writing)).status_code == 204
        ticket = await http.post("/api/v1/events/tickets", headers=bearer(made["both"].secret))
    upload_id, _ = await stored_image(house)
    _, unused = await upload_ticket(house)
    return Keys(
        {
            "asks": bearer(made["ask"].secret),
            "replies": bearer(made["reply"].secret),
            "both": bearer(made["both"].secret),
            "session": session.writing,
            "session, its half alone": {"Loopback-Session": session.half, "Sec-Fetch-Site": "same-origin"},
            "session, its cookie alone": {**session.cookie, "Sec-Fetch-Site": "same-origin", "Loopback-Revision": "1"},
            "session, signed out": gone.writing,
            "revoked": bearer(revoked.secret),
            "unknown": bearer("lb_" + "x" * 43),
            "basic": {"Authorization": "Basic bG9jYWw6bG9jYWw="},
            "event ticket": bearer(ticket.json()["ticket"]),
            "upload token": bearer(unused),
            "nothing": {},
        },
        (await open_ask(house))["id"],
        upload_id,
    )


async def upload_ticket(house: House) -> tuple[str, str]:
    headers, body = message(MODERN, "request_upload", {"contentType": "image/png"})
    ticket = result_in((await post(house.url, house.token, headers, body)).text)["result"]["structuredContent"]
    return ticket["uploadId"], ticket["uploadUrl"].rsplit("/", 1)[1]


async def stored_image(house: House) -> tuple[str, str]:
    upload_id, token = await upload_ticket(house)
    async with httpx.AsyncClient() as http:
        url = f"{house.url}/api/v1/uploads/local/{token}"
        stored = await http.put(url, content=png(), headers={"Content-Type": "image/png"})
    assert stored.status_code == 201, stored.text
    return upload_id, token


def expect(answer: httpx.Response, status: int, opens: bool, right: bool) -> None:
    """Opened as it should be; refused with 403 where the credential is good but not for this, else with 401."""
    check_named(answer.headers)
    if opens:
        assert answer.status_code == status, answer.text
        return
    code = Code.FORBIDDEN if right else Code.UNAUTHORIZED
    assert (answer.status_code, check_message("Problem", answer.json())["code"]) == (STATUS[code], code), answer.text


READING = (
    ("GET", "/api/v1/whoami", 200),
    ("GET", "/api/v1/snapshot", 200),
    ("GET", "/api/v1/asks", 200),
    ("GET", "/api/v1/asks/{ask}", 200),
    ("POST", "/api/v1/events/tickets", 201),
    ("GET", "/api/v1/files/{image}", 200),
)


@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize(("method", "path", "status"), READING, ids=lambda each: str(each))
async def test_the_reads_of_the_contract(
    keys: Keys, nobody: httpx.AsyncClient, method: str, path: str, status: int, credential: str
) -> None:
    url = path.format(ask=keys.ask_id, image=keys.upload_id)
    answer = await nobody.request(method, url, headers=keys.headers[credential])
    opens = credential in READS or (credential == "session, its cookie alone" and "/files/" in path)
    expect(answer, status, opens, credential in READS)


@pytest.mark.parametrize("credential", CREDENTIALS)
async def test_a_reply(house: House, keys: Keys, nobody: httpx.AsyncClient, credential: str) -> None:
    opens = credential in ("replies", "both", "session")
    ask_id = (await open_ask(house))["id"] if opens else keys.ask_id
    answer = await nobody.post(f"/api/v1/asks/{ask_id}/reply", json=DISMISSED, headers=keys.headers[credential])
    expect(answer, 200, opens, credential in READS)


@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_mcp(keys: Keys, nobody: httpx.AsyncClient, path: str, credential: str) -> None:
    headers, body = message(MODERN, "list_asks", {})
    answer = await nobody.post(path, content=json.dumps(body), headers=headers | keys.headers[credential])
    expect(answer, 200, credential in ("asks", "both"), credential in READS)


@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("path", ["/inbox/api/session", "/inbox/api/connections"])
async def test_the_pages_own_addresses(keys: Keys, nobody: httpx.AsyncClient, path: str, credential: str) -> None:
    answer = await nobody.get(path, headers=keys.headers[credential])
    expect(answer, 200, credential == "session", credential in READS)
    if path.endswith("/connections") and credential != "session":
        assert "lb_" not in answer.text


@pytest.mark.parametrize("credential", [each for each in CREDENTIALS if each != "session"])
async def test_signing_out(keys: Keys, nobody: httpx.AsyncClient, credential: str) -> None:
    expect(await nobody.delete("/inbox/api/session", headers=keys.headers[credential]), 204, False, credential in READS)


@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("path", ["/api/v1/events", "/inbox/api/live"])
async def test_the_sockets(house: House, keys: Keys, path: str, credential: str) -> None:
    opens = credential == "session" if path.endswith("live") else credential in READS
    status, problem = await handshake(house, path, keys.headers[credential])
    if opens:
        assert status == 101
    else:
        code = Code.FORBIDDEN if credential in READS else Code.UNAUTHORIZED
        assert (status, problem["code"]) == (STATUS[code], code)


async def handshake(house: House, path: str, headers: dict[str, str]) -> tuple[int, Any]:
    try:
        async with connect(house.url.replace("http", "ws", 1) + path, additional_headers=headers) as socket:
            assert socket.response is not None
            check_named(socket.response.headers)
            return 101, None
    except InvalidStatus as refused:
        check_named(refused.response.headers)
        return refused.response.status_code, check_message("Problem", json.loads(refused.response.body or b"{}"))


async def test_a_token_never_opens_a_browser_session(house: House, nobody: httpx.AsyncClient) -> None:
    token = (await make_token(house.database_url, can="both")).secret
    headers = {"Sec-Fetch-Site": "same-origin", **bearer(token)}
    answer = await nobody.post("/inbox/api/session", json={"code": token}, headers=headers)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


async def test_a_bearer_decides_alone_whatever_cookie_stands_beside_it(
    house: House, keys: Keys, nobody: httpx.AsyncClient
) -> None:
    session, asks, gone = (keys.headers[name] for name in ("session", "asks", "revoked"))
    reply = f"/api/v1/asks/{keys.ask_id}/reply"
    assert (await nobody.post(reply, json=ANSWERED, headers=session | asks)).status_code == 403
    assert (await nobody.get("/inbox/api/session", headers=session | asks)).status_code == 403
    for path in ("/api/v1/whoami", f"/api/v1/files/{keys.upload_id}", "/inbox/api/session"):
        assert (await nobody.get(path, headers=session | gone)).status_code == 401
        for broken in ("Bearer", "", "Token x"):
            assert (await nobody.get(path, headers=session | {"Authorization": broken})).status_code == 401
    assert (await handshake(house, "/inbox/api/live", session | asks))[0] == 403


async def test_the_two_halves_must_be_of_one_session(house: House, nobody: httpx.AsyncClient) -> None:
    one, two = await sign_in(house.url, house.database_url), await sign_in(house.url, house.database_url)
    mixed = Browser(one.name, one.secret, two.half)
    assert (await nobody.get("/api/v1/whoami", headers=one.reading)).status_code == 200
    assert (await nobody.get("/api/v1/whoami", headers=mixed.reading)).status_code == 401
    another = Browser("loopback_0123abcd", one.secret, one.half)
    assert (await nobody.get("/api/v1/whoami", headers=another.reading)).status_code == 401


async def test_the_cookie_alone_opens_images_to_our_own_pages_only(keys: Keys, nobody: httpx.AsyncClient) -> None:
    cookie = {"Cookie": keys.headers["session"]["Cookie"]}
    path = f"/api/v1/files/{keys.upload_id}"
    for site, status in ((None, 200), ("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)):
        sent = cookie if site is None else cookie | {"Sec-Fetch-Site": site}
        assert (await nobody.get(path, headers=sent)).status_code == status
    for path in ("/api/v1/whoami", "/api/v1/snapshot", "/api/v1/asks", "/inbox/api/session", "/inbox/api/connections"):
        assert (await nobody.get(path, headers=cookie)).status_code == 401


FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
    {},
]


@pytest.mark.parametrize("sent", FOREIGN, ids=str)
async def test_a_session_writes_only_from_our_own_pages(
    house: House, keys: Keys, nobody: httpx.AsyncClient, sent: dict[str, str]
) -> None:
    session = {name: value for name, value in keys.headers["session"].items() if name != "Sec-Fetch-Site"}
    for method, path in (
        ("POST", f"/api/v1/asks/{keys.ask_id}/reply"),
        ("POST", "/api/v1/events/tickets"),
        ("DELETE", "/inbox/api/session"),
    ):
        answer = await nobody.request(method, path, json=DISMISSED, headers=session | sent)
        expect(answer, 0, False, True)


async def test_a_session_writes_from_our_own_pages_with_the_revision_named(
    house: House, keys: Keys, nobody: httpx.AsyncClient
) -> None:
    session = {name: value for name, value in keys.headers["session"].items() if name != "Sec-Fetch-Site"}
    own: list[dict[str, str]] = [{"Sec-Fetch-Site": "same-origin"}, {"Origin": house.url}]
    own.append({"Sec-Fetch-Site": "same-origin", "Origin": house.url})
    for sent in own:
        assert (await nobody.post("/api/v1/events/tickets", headers=session | sent)).status_code == 201
        without = {name: value for name, value in (session | sent).items() if name != "Loopback-Revision"}
        expect(await nobody.post("/api/v1/events/tickets", headers=without), 201, False, True)


async def test_an_upload_address_needs_no_credential_and_takes_no_heed_of_one(
    house: House, keys: Keys, nobody: httpx.AsyncClient
) -> None:
    for headers in (keys.headers["nothing"], keys.headers["revoked"]):
        _, token = await upload_ticket(house)
        url = f"/api/v1/uploads/local/{token}"
        answer = await nobody.put(url, content=png(), headers=headers | {"Content-Type": "image/png"})
        assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("role", ["member", "observer", None])
async def test_no_token_has_more_rights_than_its_actors_role(house: House, nobody: httpx.AsyncClient, role: str | None) -> None:
    actor = f"a-{role}"
    token = (await make_token(house.database_url, can="both", actor=actor)).secret
    if role is None:
        await house.rows("delete from memberships where actor_id = $1", actor)
    else:
        await house.rows("update memberships set role = $2 where actor_id = $1", actor, role)
    told = await nobody.get("/api/v1/whoami", headers=bearer(token))
    assert told.status_code == (401 if role is None else 200)
    ask = await open_ask(house)
    replied = await nobody.post(f"/api/v1/asks/{ask['id']}/reply", json=DISMISSED, headers=bearer(token))
    assert replied.status_code == {"member": 200, "observer": 403, None: 401}[role]
