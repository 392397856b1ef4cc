"""A public URL that holds a path: what the server makes of it, with a proxy that leaves the path on or takes it off."""

import json
import re
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from app.rest.bundle import STATIC
from contract.operations import OPERATIONS
from contract.problems import Code
from tests.support.credentials import sign_in_code
from tests.support.house import House, house_on
from tests.support.ports import free_port
from tests.support.postgres import ThrowawayPostgres
from tests.support.raw import MODERN, bearer, message, result_in
from tests.support.wire import refused

PUBLIC = "https://inbox.example.com/team/loop"
PREFIX = "/team/loop"


@pytest.fixture(scope="module")
def house(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    with postgres.database() as url, house_on(url, folder, port=port, LOOPBACK_PUBLIC_URL=PUBLIC) as house:
        yield house


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture
async def direct(house: House, port: int) -> AsyncIterator[httpx.AsyncClient]:
    """A client behind the proxy: it calls the port, by the public name."""
    headers = {"Host": "inbox.example.com"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=20) as http:
        yield http


async def tool(house: House, http: httpx.AsyncClient, path: str, name: str, arguments: dict[str, object]) -> dict[str, object]:
    headers, body = message(MODERN, name, arguments)
    answer = await http.post(path, content=json.dumps(body), headers=headers | bearer(house.token))
    assert answer.status_code == 200, answer.text
    return result_in(answer.text)["result"]["structuredContent"]


async def test_the_welcome_names_the_public_address(house: House, direct: httpx.AsyncClient) -> None:
    assert house.url == PUBLIC
    assert house.server.sign_in_link.startswith(f"{PUBLIC}/sign-in#")
    assert [line for line in house.server.lines if line.startswith("claude ") and f" {PUBLIC}/mcp " in line]


@pytest.mark.parametrize("prefix", ["", PREFIX])
async def test_every_operation_answers_with_and_without_the_path(house: House, direct: httpx.AsyncClient, prefix: str) -> None:
    for operation in OPERATIONS:
        path = operation.path.format(id="a", uploadId="a", spaceId="a", token="a")
        answer = await direct.request(operation.method, f"{prefix}/api/v1{path}", headers=bearer(house.reply_token))
        assert answer.json().get("code") != "not_found", answer.text
    for path in ("/healthz", "/api/v1/openapi.json", "/api/v1/docs"):
        assert (await direct.get(prefix + path)).status_code == 200


async def test_another_path_that_only_begins_like_it_is_not_found(direct: httpx.AsyncClient, house: House) -> None:
    for path in (f"{PREFIX}er/api/v1/whoami", "/team/api/v1/whoami", f"{PREFIX}{PREFIX}/healthz"):
        refused(await direct.get(path, headers=bearer(house.reply_token)), Code.NOT_FOUND)


@pytest.mark.parametrize("path", ["/mcp", f"{PREFIX}/mcp", f"{PREFIX}/mcp/"])
async def test_addresses_for_agents_begin_with_the_public_url(house: House, direct: httpx.AsyncClient, path: str) -> None:
    assert (await tool(house, direct, path, "get_inbox", {}))["url"] == f"{PUBLIC}/"
    ticket = await tool(house, direct, path, "request_upload", {"contentType": "image/png"})
    assert str(ticket["uploadUrl"]).startswith(f"{PUBLIC}/api/v1/uploads/local/")
    assert str(ticket["uploadUrl"]) in str(ticket["command"])


async def test_the_cookie_is_for_the_path_and_secure(house: House, direct: httpx.AsyncClient) -> None:
    code = await sign_in_code(house.database_url)
    headers = {"Origin": "https://inbox.example.com"}
    answer = await direct.post(f"{PREFIX}/inbox/api/session", json={"code": code}, headers=headers)
    assert answer.status_code == 201, answer.text
    cookie = answer.headers["set-cookie"]
    name, *flags = [part.strip().lower() for part in cookie.split(";")]
    assert re.fullmatch(r"loopback_[0-9a-f]{8}=[\w-]{43}", cookie.partition(";")[0])
    assert {"httponly", "secure", "samesite=strict", f"path={PREFIX}"} <= set(flags), (name, flags)
    signed_in = {"Cookie": cookie.partition(";")[0], "Loopback-Session": answer.json()["half"]}
    told = await direct.get(f"{PREFIX}/inbox/api/session", headers=signed_in)
    assert (told.json()["publicUrl"], told.json()["mcpUrl"]) == (f"{PUBLIC}/", f"{PUBLIC}/mcp")
    lines = (await direct.get(f"{PREFIX}/inbox/api/connections", headers=signed_in)).json()["lines"]
    assert all(f"{PUBLIC}/mcp" in line["command"] for line in lines)
    out = await direct.delete("/inbox/api/session", headers={**signed_in, **headers, "Loopback-Revision": "1"})
    assert f"path={PREFIX}" in out.headers["set-cookie"].lower()


@pytest.mark.skipif(not (STATIC / "index.html").exists(), reason="the web inbox is not built: run make install")
@pytest.mark.parametrize("page", ["", "/", "/asks/a", "/history", "/sign-in"])
async def test_the_shell_and_what_it_loads_are_under_the_path(direct: httpx.AsyncClient, page: str) -> None:
    answer = await direct.get(PREFIX + page)
    links = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert links
    for link in links:
        assert link.startswith(f"{PREFIX}/"), link
        assert (await direct.get(link)).status_code == 200
    assert "connect-src 'self' wss://inbox.example.com;" in answer.headers["content-security-policy"]
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


async def test_only_the_public_name_and_this_machines_own_are_answered(direct: httpx.AsyncClient) -> None:
    for host, status in (("inbox.example.com", 200), ("INBOX.example.com:443", 200), ("localhost", 200), ("example.com", 421)):
        assert (await direct.get(f"{PREFIX}/healthz", headers={"Host": host})).status_code == status
