"""Signing a browser in, and out."""

import asyncio
import json
import re
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from contract.problems import Code
from tests.support.credentials import SAME_ORIGIN, redeem, sign_in, sign_in_code
from tests.support.house import House, house_on
from tests.support.postgres import ThrowawayPostgres
from tests.support.wire import check_named, refused


async def test_a_press_signs_the_browser_in(house: House) -> None:
    answer = await redeem(house.url, await sign_in_code(house.database_url), **{"User-Agent": "A browser"})
    assert answer.status_code == 201
    check_named(answer.headers)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json().keys() == {"half", "space", "actor"}
    ((row),) = await house.rows("select browser from sessions order by created_at desc limit 1")
    assert row["browser"] == "A browser"


async def test_the_cookie_is_kept_from_scripts_and_from_other_sites(house: House) -> None:
    answer = await redeem(house.url, await sign_in_code(house.database_url))
    value, *flags = answer.headers["set-cookie"].split("; ")
    ((instance,),) = await house.rows("select id from instance")
    assert re.fullmatch(rf"loopback_{instance}=[\w-]{{43}}", value)
    assert {flag.lower() for flag in flags} == {"httponly", "max-age=7776000", "path=/", "samesite=strict"}
    assert value.partition("=")[2] not in answer.text


async def test_a_link_works_once(house: House) -> None:
    code = await sign_in_code(house.database_url)
    assert (await redeem(house.url, code)).status_code == 201
    message = refused(await redeem(house.url, code), Code.UNAUTHORIZED)
    assert "loopback sign-in" in message


async def test_of_two_presses_at_once_one_signs_in(house: House) -> None:
    code = await sign_in_code(house.database_url)
    answers = await asyncio.gather(*(redeem(house.url, code) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [401] * 7
    assert sum("set-cookie" in answer.headers for answer in answers) == 1


async def test_a_link_lasts_for_fifteen_minutes(house: House) -> None:
    code = await sign_in_code(house.database_url)
    ((seconds,),) = await house.rows("select extract(epoch from expires_at - created_at)::int from sign_in_links")
    assert seconds == 15 * 60
    await house.rows("update sign_in_links set expires_at = clock_timestamp() - interval '1 millisecond'")
    refused(await redeem(house.url, code), Code.UNAUTHORIZED)


async def test_a_link_ends_when_the_next_is_made(house: House) -> None:
    first, second = [await sign_in_code(house.database_url) for _ in range(2)]
    refused(await redeem(house.url, first), Code.UNAUTHORIZED)
    assert (await redeem(house.url, second)).status_code == 201


async def test_a_link_is_never_redeemed_by_opening_it(house: House, nobody: httpx.AsyncClient) -> None:
    code = await sign_in_code(house.database_url)
    for path in (f"/sign-in?code={code}", f"/sign-in#{code}", f"/inbox/api/session?code={code}"):
        for method in ("GET", "HEAD"):
            answer = await nobody.request(method, path, headers=SAME_ORIGIN)
            assert "set-cookie" not in answer.headers
    assert (await redeem(house.url, code)).status_code == 201


@pytest.mark.parametrize(
    "sent",
    [{}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "none"}, {"Origin": "null"}, {"Origin": "https://evil.example"}],
    ids=str,
)
async def test_another_sites_page_cannot_sign_a_browser_in(
    house: House, nobody: httpx.AsyncClient, sent: dict[str, str]
) -> None:
    code = await sign_in_code(house.database_url)
    answer = await nobody.post("/inbox/api/session", json={"code": code}, headers=sent)
    refused(answer, Code.FORBIDDEN)
    assert "set-cookie" not in answer.headers
    assert (await redeem(house.url, code)).status_code == 201


@pytest.mark.parametrize(
    ("body", "headers", "code"),
    [
        (b'{"code": ""}', {}, Code.REQUEST_INVALID),
        (b'{"code": 5}', {}, Code.REQUEST_INVALID),
        (b"{}", {}, Code.REQUEST_INVALID),
        (b"[]", {}, Code.REQUEST_INVALID),
        (b'{"code": "\\ud800"}', {}, Code.REQUEST_INVALID),
        (json.dumps({"code": "x" * 201}).encode(), {}, Code.REQUEST_INVALID),
        (b'{"code": "\\u0000\\u20ac"}', {}, Code.UNAUTHORIZED),
        (b"code=x", {}, Code.REQUEST_MALFORMED),
        (b'{"code": "x"}', {"Content-Type": "text/plain"}, Code.UNSUPPORTED_MEDIA_TYPE),
        (b'{"code": "x"}', {"Content-Encoding": "gzip"}, Code.UNSUPPORTED_MEDIA_TYPE),
        (b" " * 65537, {}, Code.TOO_LARGE),
    ],
    ids=lambda each: str(each)[:40],
)
async def test_a_press_that_makes_no_sense_is_refused(
    nobody: httpx.AsyncClient, body: bytes, headers: dict[str, str], code: Code
) -> None:
    sent = {"Content-Type": "application/json", **SAME_ORIGIN, **headers}
    refused(await nobody.post("/inbox/api/session", content=body, headers=sent), code)


async def test_the_session_says_who_and_where(house: House, nobody: httpx.AsyncClient) -> None:
    browser = await sign_in(house.url, house.database_url)
    told = (await nobody.get("/inbox/api/session", headers=browser.reading)).json()
    build = told.pop("build")
    assert told == {
        "space": "local",
        "actor": {"id": "local"},
        "publicUrl": f"{house.url}/",
        "mcpUrl": f"{house.url}/mcp",
        "revision": "1",
    }
    assert build == (await nobody.get("/healthz")).headers["loopback-build"]


async def test_the_page_is_told_the_lines_that_connect_this_machines_agents(house: House, nobody: httpx.AsyncClient) -> None:
    browser = await sign_in(house.url, house.database_url)
    lines = (await nobody.get("/inbox/api/connections", headers=browser.reading)).json()["lines"]
    assert [line["client"] for line in lines] == ["Claude Code", "Codex", "Gemini CLI"]
    assert all(house.token in line["command"] and f"{house.url}/mcp" in line["command"] for line in lines)
    assert [line["command"] for line in lines] == house.server.lines[-3:]


async def test_signing_out_ends_the_session_and_its_sockets(house: House, nobody: httpx.AsyncClient) -> None:
    browser, other = [await sign_in(house.url, house.database_url) for _ in range(2)]
    async with (
        connect(house.url.replace("http", "ws", 1) + "/api/v1/events", additional_headers=browser.reading) as socket,
        connect(house.url.replace("http", "ws", 1) + "/api/v1/events", additional_headers=other.reading) as kept,
    ):
        await asyncio.wait_for(socket.recv(), 5)
        await asyncio.wait_for(kept.recv(), 5)
        answer = await nobody.delete("/inbox/api/session", headers=browser.writing)
        assert (answer.status_code, answer.content) == (204, b"")
        check_named(answer.headers)
        assert f'{browser.name}=""' in answer.headers["set-cookie"]
        assert "Max-Age=0" in answer.headers["set-cookie"]
        async with asyncio.timeout(2):
            with pytest.raises(ConnectionClosed):
                await socket.recv()
        pong = await kept.ping()
        await asyncio.wait_for(pong, 5)
    for path in ("/api/v1/whoami", "/inbox/api/session"):
        refused(await nobody.get(path, headers=browser.reading), Code.UNAUTHORIZED)
    assert (await nobody.get("/api/v1/whoami", headers=other.reading)).status_code == 200


async def test_a_session_ends_after_ninety_days(house: House, nobody: httpx.AsyncClient) -> None:
    browser = await sign_in(house.url, house.database_url)
    ((days,),) = await house.rows(
        "select extract(day from expires_at - created_at)::int from sessions order by created_at desc limit 1"
    )
    assert days in (89, 90)
    await house.rows("update sessions set expires_at = clock_timestamp() - interval '1 second'")
    refused(await nobody.get("/api/v1/whoami", headers=browser.reading), Code.UNAUTHORIZED)


def test_a_browser_stays_signed_in_when_the_server_starts_again(postgres: ThrowawayPostgres, tmp_path: Path) -> None:
    with postgres.database() as url:
        with house_on(url, tmp_path / "a") as house:
            browser = asyncio.run(sign_in(house.url, url))
        with house_on(url, tmp_path / "b") as house:
            assert httpx.get(f"{house.url}/api/v1/whoami", headers=browser.reading).status_code == 200
