"""Before anything was ever asked, the page says how to connect an agent; the line works as it stands."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.browser.judging import UNGUARDED, faults, outside
from tests.support.house import House, house_on
from tests.support.inbox import Inbox, hold, signed_in
from tests.support.postgres import ThrowawayPostgres

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def house(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that nobody has asked anything yet."""
    with postgres.database() as url, house_on(url, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="module")
async def inbox(house: House, browser: Browser) -> Inbox:
    return await signed_in(house, browser)


async def test_the_page_fits_every_window_and_axe_finds_nothing(inbox: Inbox):
    async with inbox.person(**UNGUARDED) as someone:
        await expect(someone.page.get_by_role("tabpanel")).to_be_visible()
        assert await outside(someone.page) == []
        assert await faults(someone.page) == []


async def test_the_line_that_connects_an_agent_is_the_one_the_server_printed_and_the_first_ask_takes_its_place(inbox: Inbox):
    printed = next(line for line in inbox.house.server.lines if line.startswith("claude mcp add"))
    async with inbox.person() as someone:
        page = someone.page
        await someone.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await expect(page.get_by_role("heading", name="Connect your first agent")).to_be_visible()
        await expect(page.get_by_role("tabpanel")).to_contain_text(printed)
        await page.get_by_role("button", name="Copy").click()
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert await page.evaluate("navigator.clipboard.readText()") == printed

        await page.get_by_role("tab", name="Claude Code").focus()
        for client in ("codex mcp add", "gemini mcp add"):
            await page.keyboard.press("ArrowRight")
            await expect(page.get_by_role("tabpanel")).to_contain_text(client)

        async with inbox.agent() as agent:
            held = hold(agent, "ask_question", {"question": "Does it work?", "project": "web"})
            await page.get_by_role("link", name="Does it work?").click()
            await page.get_by_label("Your reply").fill("It does.")
            await page.get_by_role("button", name="Send reply").click()
            assert (await held.reply())["text"] == "It does."
            await expect(page.get_by_text("Nothing needs you.")).to_be_visible()
