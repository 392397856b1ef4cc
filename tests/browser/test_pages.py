"""Every page, and what it says where there is nothing to show."""

import pytest
from playwright.async_api import expect

from tests.support.asking import DISMISSED, open_ask, open_asks, question
from tests.support.browser import person
from tests.support.house import House, title_of
from tests.support.inbox import Inbox, hold

pytestmark = pytest.mark.browser


async def test_an_unknown_ask_says_so_and_leads_back(inbox: Inbox):
    async with inbox.person("/asks/nothing-of-that-id") as someone:
        await expect(someone.page.get_by_role("heading", name="This ask is not here")).to_be_visible()
        await someone.page.get_by_role("link", name="Back to the inbox").click()
        await someone.page.wait_for_url(f"{inbox.url}/")


async def test_a_link_to_a_closed_ask_opens_it(inbox: Inbox, house: House, project: str):
    ask = await open_ask(house, question("Which one?", project=project))
    async with house.person() as elsewhere:
        await elsewhere.reply(ask["id"], {"outcome": "answered", "selected": [], "text": "The other one."})
    async with inbox.person(f"/asks/{ask['id']}") as someone:
        await expect(someone.page.get_by_role("heading", name="Which one?")).to_be_visible()
        await expect(someone.page.get_by_text("Answered by you")).to_be_visible()
        await expect(someone.page.get_by_role("region", name="Thread")).to_contain_text("The other one.")


async def test_without_a_session_every_page_says_how_to_sign_in(inbox: Inbox):
    async with person(inbox.browser) as someone:
        for path in ("/", "/history", "/asks/some-ask", "/sign-in"):
            await someone.page.goto(inbox.url + path)
            await expect(someone.page.get_by_role("heading", name="Signed out")).to_be_visible()
            await expect(someone.page.get_by_text("loopback sign-in")).to_be_visible()


async def test_opening_a_sign_in_link_signs_nobody_in_and_a_used_one_says_so(inbox: Inbox):
    link = await inbox.sign_in_link()
    async with person(inbox.browser) as someone:
        await someone.page.goto(link)
        await expect(someone.page.get_by_role("button", name="Sign in this browser")).to_be_visible()
        assert await someone.context.cookies() == []
        async with person(inbox.browser) as other:
            await other.sign_in(link)
            assert "#" not in other.page.url
        await someone.page.get_by_role("button", name="Sign in this browser").click()
        await expect(someone.page.get_by_role("alert")).to_contain_text("A link works once and for 15 minutes")
        assert await someone.context.cookies() == []


async def test_history_is_read_page_by_page_to_its_end(inbox: Inbox, house: House, project: str):
    calls = [question(f"Number {number}", project=project) for number in range(60)]
    asks = await open_asks(house, calls)
    async with house.person() as elsewhere:
        for ask in asks:
            await elsewhere.reply(ask["id"], DISMISSED)
    async with inbox.person() as someone:
        page = someone.page
        await page.get_by_role("link", name="History").click()
        rows = page.get_by_role("region", name="History").locator(".row")
        await expect(rows).to_have_count(50)
        await expect(rows.first).to_contain_text(title_of(asks[-1]))
        older, end = page.get_by_role("button", name="Load older"), page.get_by_text("That is everything.")
        await older.click()
        for _ in range(10):
            await older.or_(end).wait_for()
            if await end.is_visible():
                break
            await older.click()
        for ask in asks:
            await expect(rows.filter(has_text=title_of(ask))).to_have_count(1)
        await rows.filter(has_text=title_of(asks[0])).click()
        await expect(page.get_by_text("Dismissed by you")).to_be_visible()
        await expect(page.get_by_role("region", name="History")).to_be_visible()
        await page.go_back()
        await page.wait_for_url(f"{inbox.url}/history")


async def test_the_list_is_filtered_by_project_and_by_words(inbox: Inbox, project: str):
    async with inbox.agent() as agent, inbox.person(f"/?project={project}") as someone:
        page = someone.page
        hold(agent, "ask_question", {"question": "Red or blue?", "project": project})
        hold(agent, "ask_question", {"question": "Up or down?", "project": project})
        hold(agent, "ask_question", {"question": "Somewhere else?", "project": f"{project}-other"})
        await expect(page.locator(".row")).to_have_count(2)
        await page.get_by_label("Search loaded asks").fill("BLUE")
        await expect(page.locator(".row")).to_have_count(1)
        await page.get_by_label("Search loaded asks").fill("green")
        await expect(page.get_by_text("No loaded ask matches.")).to_be_visible()
        await page.get_by_label("Search loaded asks").fill("")
        await page.get_by_role("link", name=f"{project}-other").click()
        await expect(page.locator(".row")).to_have_count(1)
        await expect(page.locator(".row")).to_contain_text("Somewhere else?")


async def test_the_tab_says_how_many_asks_need_the_person(inbox: Inbox, house: House, project: str):
    async with inbox.person() as someone, house.person() as elsewhere:
        before = sum(ask["status"] == "awaiting_human" for ask in (await elsewhere.snapshot())["open"])
        async with inbox.agent() as agent:
            hold(agent, "ask_question", {"question": "Which one?", "project": project})
            await expect(someone.page).to_have_title(f"({before + 1}) Loopback")
