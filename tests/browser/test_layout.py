"""Every page fits every window, and axe finds nothing on it, in light and in dark."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.judging import UNGUARDED, faults, outside
from tests.browser.showing import ONE_OF_EACH
from tests.support.asking import open_ask, question
from tests.support.browser import person
from tests.support.house import House
from tests.support.inbox import Inbox, hold

pytestmark = pytest.mark.browser

PROJECT = "a-project-with-rather-a-long-name"
STATES = ["asked back", "in round two", "closed"]


@pytest.fixture(scope="module")
async def places(inbox: Inbox, house: House) -> dict[str, str]:
    """Where each page is: an ask of each kind, and of each state."""
    ids: dict[str, str] = {}
    for kind, (tool, arguments) in ONE_OF_EACH.items():
        ids[kind] = (await open_ask(house, (tool, {**arguments, "project": PROJECT})))["id"]
    for state in ("asked back", "closed"):
        options = [{"label": "Yes"}, {"label": "No", "description": "Not now."}]
        ids[state] = (await open_ask(house, question(f"Shall it be {state}?", options=options)))["id"]
    points = [{"title": "Tokens are logged"}, {"title": "The cookie lacks a flag"}]
    second = await open_ask(
        house, ("send_briefing", {"title": "Round two", "sections": [{"points": points}], "project": PROJECT})
    )
    ids["in round two"] = second["id"]
    async with house.person() as elsewhere, inbox.agent() as agent:
        await elsewhere.reply(ids["asked back"], {"outcome": "follow_up", "question": "What?"})
        await elsewhere.reply(ids["closed"], {"outcome": "answered", "selected": ["Yes"], "text": "And soon."})
        said = [{"point": "1", "text": "Why?"}, {"point": "2", "resolved": True}]
        await elsewhere.reply(ids["in round two"], {"outcome": "responded", "points": said})
        answers = [{"point": "1", "answer": "By accident.", "points": [{"title": "The commit"}]}]
        hold(agent, "answer_briefing", {"askId": ids["in round two"], "answers": answers})
        await elsewhere.turned(ids["in round two"], waiting=True, seconds=10)
    return {"list": "/", "history": "/history", "unknown": "/asks/nothing"} | {name: f"/asks/{id}" for name, id in ids.items()}


async def at(page: Page, name: str) -> None:
    """Everything on the page is there, and a briefing's points are open and written on."""
    await page.locator(".ask-foot, .row, .ask-pane h1").first.wait_for()
    if name in (*ONE_OF_EACH, *STATES):
        await page.locator(".ask-foot").wait_for()
    if name in ("briefing", "in round two"):
        await page.get_by_role("button", name="Open all").or_(page.get_by_role("button", name="Fold all")).click()
        await page.get_by_label("Your words on point 1", exact=True).fill("Why is that?")
    if name in ONE_OF_EACH and name != "choices":
        await page.locator(".md").first.wait_for()


@pytest.mark.parametrize("name", ["list", *ONE_OF_EACH, *STATES, "history", "unknown"])
async def test_a_page_fits_every_window_and_axe_finds_nothing(inbox: Inbox, places: dict[str, str], name: str):
    async with inbox.person("/", **UNGUARDED) as someone:
        page = someone.page
        await page.goto(inbox.url + places[name])
        await at(page, name)
        assert await outside(page) == []
        assert await faults(page) == []


async def test_so_does_the_help(inbox: Inbox):
    async with inbox.person("/", **UNGUARDED) as someone:
        await someone.page.keyboard.press("?")
        await expect(someone.page.get_by_role("dialog", name="Keyboard")).to_be_visible()
        assert await outside(someone.page) == []
        assert await faults(someone.page) == []


@pytest.mark.parametrize("path", ["/", "/sign-in#a-code"])
async def test_so_do_the_pages_without_a_session(inbox: Inbox, path: str):
    async with person(inbox.browser, **UNGUARDED) as someone:
        await someone.page.goto(inbox.url + path)
        await expect(someone.page.get_by_role("heading", level=1)).to_be_visible()
        assert await outside(someone.page) == []
        assert await faults(someone.page) == []
