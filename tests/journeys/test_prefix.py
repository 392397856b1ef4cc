"""Under a path of somebody else's address, behind a proxy: everything works, and nothing outside that path is asked for."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.journeys.test_reviews import upload
from tests.support.agents import values_of
from tests.support.browser import person
from tests.support.credentials import sign_in_code
from tests.support.front import Front, front
from tests.support.house import House, house_on
from tests.support.images import png
from tests.support.inbox import Inbox, drawn, hold
from tests.support.ports import free_port
from tests.support.postgres import ThrowawayPostgres

pytestmark = pytest.mark.browser

PREFIX = "/deep/loop"


@pytest.fixture(scope="module", params=["kept", "stripped"])
async def proxy(request: pytest.FixtureRequest) -> AsyncIterator[Front]:
    async with front(PREFIX, strips=request.param == "stripped") as proxy:
        yield proxy


@pytest.fixture(scope="module")
def house(proxy: Front, postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    proxy.upstream = free_port()
    folder = tmp_path_factory.mktemp("house")
    with postgres.database() as url, house_on(url, folder, port=proxy.upstream, LOOPBACK_PUBLIC_URL=proxy.url) as house:
        yield house


async def test_the_whole_inbox_works_under_a_path(browser: Browser, house: House, proxy: Front, tmp_path: Path):
    assert house.url == proxy.url
    asked: list[str] = []
    async with person(browser) as someone:
        page = someone.page
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))

        await page.goto(f"{proxy.url}/")
        await expect(page.get_by_role("heading", name="Signed out")).to_be_visible()
        await someone.sign_in(f"{proxy.url}/sign-in#{await sign_in_code(house.database_url)}")
        await expect(page.get_by_text(f"{proxy.url}/mcp")).to_be_visible()
        await drawn(someone)

        inbox = Inbox(house, browser, await someone.context.storage_state())
        async with inbox.agent() as agent:
            image = {"type": "image", "uploadId": await upload(agent, tmp_path, png(32, 16)), "caption": "A picture"}
            code = {"type": "code", "code": "let x = 1;", "language": "ts"}
            held = hold(agent, "request_review", {"title": "The page", "content": [image, code], "project": "web"})
            await page.get_by_role("link", name="The page").click()
            await expect(page.locator(".image-shown")).to_be_visible()
            assert await page.get_by_role("img", name="A picture").evaluate("image => image.naturalWidth") == 32
            await expect(page.locator(".hljs-keyword")).to_have_text("let")
            await page.get_by_role("button", name="Approve").click()
            values = await held.values()
            assert values["reply"] == {"outcome": "approved"}
            link = values_of(await agent.call_tool("get_inbox", {"askId": values["askId"]}))["url"]

        assert link == f"{proxy.url}/asks/{values['askId']}"
        await page.goto(link)
        await expect(page.get_by_text("Approved by you")).to_be_visible()
        await page.get_by_role("link", name="History").click()
        await page.wait_for_url(f"{proxy.url}/history")
        await expect(page.get_by_role("link", name="The page")).to_be_visible()
        await page.get_by_role("link", name="Inbox", exact=True).click()
        await page.wait_for_url(f"{proxy.url}/")
        cookies = await someone.context.cookies()

    assert [cookie.get("path") for cookie in cookies] == [PREFIX]
    inside = (proxy.url + "/", proxy.url.replace("http", "ws", 1) + "/")
    assert [url for url in asked if not url.startswith(inside)] == []
    assert proxy.outside == []
    for path in ("/", "/mcp", "/api/v1/events", "/inbox/api/live", "/icon.svg"):
        assert PREFIX + path in proxy.passed
    assert any(path.startswith(f"{PREFIX}/api/v1/files/") for path in proxy.passed)
