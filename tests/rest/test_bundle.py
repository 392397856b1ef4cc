"""The web inbox as it is served."""

import re

import httpx
import pytest

from app.rest.bundle import STATIC
from contract.problems import Code
from tests.support.house import House
from tests.support.wire import check_named, refused

PAGES = ("/", "/asks/0193a1b2-7c00-7000-8000-000000000001", "/history", "/sign-in", "/settings")

pytestmark = pytest.mark.skipif(not (STATIC / "index.html").exists(), reason="the web inbox is not built: run make install")


@pytest.mark.parametrize("path", PAGES)
async def test_each_page_is_the_shell_without_a_credential(house: House, nobody: httpx.AsyncClient, path: str) -> None:
    answer = await nobody.get(path)
    assert answer.status_code == 200
    check_named(answer.headers)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert 'src="/assets/' in answer.text
    assert "<script>" not in answer.text
    assert "style=" not in answer.text


@pytest.mark.parametrize("path", PAGES)
async def test_each_page_has_the_strict_policy(house: House, nobody: httpx.AsyncClient, path: str) -> None:
    headers = (await nobody.get(path)).headers
    socket = house.url.replace("http", "ws")
    assert headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        f"connect-src 'self' {socket}; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types sw"
    )
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert "strict-transport-security" not in headers


async def test_assets_are_kept_for_ever_and_compressed(nobody: httpx.AsyncClient) -> None:
    shell = (await nobody.get("/")).text
    assets = re.findall(r'"(/assets/[^"]+)"', shell)
    assert assets
    for path in assets:
        answer = await nobody.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        check_named(answer.headers)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"].startswith(("text/javascript", "text/css"))
        plain = await nobody.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content


async def test_the_files_beside_the_shell_are_served(nobody: httpx.AsyncClient) -> None:
    manifest = await nobody.get("/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    icon = await nobody.get("/icon.svg")
    assert icon.headers["content-type"] == "image/svg+xml"
    assert manifest.headers["cache-control"] == icon.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["none.js", "", "..%2findex.html", "../index.html", "%2e%2e/%2e%2e/main.py", "%00", ".stamp"])
async def test_an_unknown_asset_is_404(nobody: httpx.AsyncClient, path: str) -> None:
    request = nobody.build_request("GET", "/assets/x")
    request.url = request.url.copy_with(raw_path=f"/assets/{path}".encode())
    refused(await nobody.send(request), Code.NOT_FOUND)


@pytest.mark.parametrize("path", ["/none", "/asks/", "/asks/a/b", "/index.html", "/.env", "/static/index.html", "/history/"])
async def test_an_unknown_page_is_404(nobody: httpx.AsyncClient, path: str) -> None:
    refused(await nobody.get(path), Code.NOT_FOUND)


async def test_a_browser_at_an_unknown_address_gets_the_shell_which_says_so(nobody: httpx.AsyncClient) -> None:
    answer = await nobody.get("/nothing/x", headers={"Accept": "text/html,*/*"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/inbox/api/nothing", "/assets/nothing.js"])
async def test_a_browser_at_an_unknown_address_of_the_api_gets_a_problem(nobody: httpx.AsyncClient, path: str) -> None:
    refused(await nobody.get(path, headers={"Accept": "text/html,*/*"}), Code.NOT_FOUND)
