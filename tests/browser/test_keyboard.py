"""Everything is reached by keys, and a key never does what its presser could not have meant."""

import pytest
from playwright.async_api import Page, expect

from tests.support.asking import open_ask, question, review
from tests.support.house import House
from tests.support.inbox import Inbox, hold

pytestmark = pytest.mark.browser


async def test_keys_go_between_pages_and_show_themselves(inbox: Inbox):
    async with inbox.person() as someone:
        page, keys = someone.page, someone.page.keyboard
        await keys.press("g")
        await keys.press("h")
        await page.wait_for_url(f"{inbox.url}/history")
        await keys.press("g")
        await keys.press("i")
        await page.wait_for_url(f"{inbox.url}/")
        await keys.press("?")
        await expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
        await keys.press("Escape")
        await expect(page.get_by_role("dialog", name="Keyboard")).to_be_hidden()


async def test_keys_walk_the_list_and_come_back_to_the_row(inbox: Inbox, project: str):
    async with inbox.agent() as agent, inbox.person(f"/?project={project}") as someone:
        page, keys = someone.page, someone.page.keyboard
        for words in ("One?", "Two?", "Three?"):
            hold(agent, "ask_question", {"question": words, "project": project})
            await expect(page.get_by_role("link", name=words)).to_be_visible()
        for key, words in (("j", "One?"), ("j", "Two?"), ("ArrowDown", "Three?"), ("k", "Two?")):
            await keys.press(key)
            await expect(page.get_by_role("link", name=words)).to_be_focused()
        await keys.press("Enter")
        await expect(page.get_by_role("heading", level=1, name="Two?")).to_be_focused()
        await keys.press("j")
        await expect(page.get_by_role("heading", level=1, name="Three?")).to_be_focused()
        await keys.press("k")
        await expect(page.get_by_role("heading", level=1, name="Two?")).to_be_focused()
        await keys.press("u")
        await expect(page.get_by_role("link", name="Two?")).to_be_focused()
        await keys.press("/")
        await keys.type("three")
        await expect(page.locator(".row")).to_have_count(1)
        await keys.press("Escape")
        await expect(page.locator(".row")).to_have_count(3)


async def test_escape_leaves_the_words_then_the_ask_and_keeps_the_draft(inbox: Inbox, house: House, project: str):
    ask = await open_ask(house, question("Which one?", project=project))
    async with inbox.person(f"/asks/{ask['id']}?project={project}") as someone:
        page, keys = someone.page, someone.page.keyboard
        await page.get_by_label("Your reply").wait_for()
        await keys.press("r")
        await keys.type("jkax#1 are letters here")
        await keys.press("Escape")
        await expect(page.get_by_role("heading", level=1)).to_be_focused()
        await keys.press("Escape")
        await expect(page.locator(".row").first).to_be_focused()
        await keys.press("Escape")
        await page.wait_for_url(f"{inbox.url}/?project={project}")
        await page.locator(".row").first.click()
        await expect(page.get_by_label("Your reply")).to_have_value("jkax#1 are letters here")


async def test_a_word_that_is_being_composed_is_not_sent(inbox: Inbox, house: House, project: str):
    ask = await open_ask(house, question("Which one?", project=project))
    sent: list[str] = []
    async with inbox.person(f"/asks/{ask['id']}") as someone:
        page = someone.page
        page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/reply") else None)
        await page.get_by_label("Your reply").focus()
        devtools = await someone.context.new_cdp_session(page)
        await devtools.send("Input.imeSetComposition", {"text": "にほ", "selectionStart": 2, "selectionEnd": 2})
        await expect(page.get_by_label("Your reply")).to_have_value("にほ")
        enter = {"key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229, "modifiers": 2}
        await devtools.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
        await devtools.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
        await page.keyboard.press("Control+Enter")
        await expect(page.get_by_label("Your reply")).to_be_visible()
        assert sent == []
        await devtools.send("Input.insertText", {"text": "日本"})
        await expect(page.get_by_label("Your reply")).to_have_value("日本")
        await page.keyboard.press("Control+Enter")
        await expect(page.get_by_text("Answered: Which one?")).to_be_visible()
        assert len(sent) == 1
    async with house.person() as elsewhere:
        assert (await elsewhere.ask(ask["id"]))["thread"][0]["reply"]["text"] == "日本"


async def test_a_key_that_is_held_down_answers_one_ask_not_the_next_too(inbox: Inbox, house: House, project: str):
    first = await open_ask(house, review("First", project=project))
    second = await open_ask(house, review("Second", project=project))
    async with inbox.person(f"/asks/{first['id']}?project={project}") as someone, house.person() as elsewhere:
        page, keys = someone.page, someone.page.keyboard
        await page.get_by_role("button", name="Approve").wait_for()
        await keys.down("a")
        await keys.down("a")
        await expect(page.get_by_role("heading", level=1, name="Second")).to_be_visible()
        await keys.down("a")
        await keys.up("a")
        await keys.press("a")
        await expect(page.get_by_role("button", name="Approve")).to_be_enabled()
        assert (await elsewhere.ask(second["id"]))["thread"] == []
        assert (await elsewhere.ask(first["id"]))["status"] == "closed"


async def test_what_needs_words_leads_to_them_instead_of_sending(inbox: Inbox, house: House, project: str):
    ask = await open_ask(house, review(project=project))
    async with inbox.person(f"/asks/{ask['id']}") as someone, house.person() as elsewhere:
        page, keys = someone.page, someone.page.keyboard
        await page.get_by_role("button", name="Approve").wait_for()
        await keys.press("c")
        await keys.press("Control+Enter")
        await expect(page.get_by_text("Write something first")).to_be_visible()
        await expect(page.get_by_label("Your reply")).to_be_focused()
        assert (await elsewhere.ask(ask["id"]))["thread"] == []


async def test_every_control_of_an_ask_is_reached_by_tab(inbox: Inbox, house: House, project: str):
    ask = await open_ask(house, review(project=project))
    async with inbox.person(f"/asks/{ask['id']}?project={project}") as someone:
        page = someone.page
        await page.get_by_label("Your reply").fill("Words")
        await page.get_by_role("heading", level=1).focus()
        reached = await tabbed(page, 12)
        for name in ("Your reply", "Approve", "Request changes", "Ask back", "Dismiss"):
            assert name in reached


async def tabbed(page: Page, times: int) -> list[str]:
    """The names of what the focus comes to."""
    names: list[str] = []
    for _ in range(times):
        await page.keyboard.press("Tab")
        names.append(await page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText"))
    return names
