"""A reply that the server does not take gives the words back and says why."""

import pytest
from playwright.async_api import Page, Route, expect

from tests.support.asking import open_ask, question
from tests.support.house import House
from tests.support.inbox import Inbox

pytestmark = pytest.mark.browser

REPLY = "**/api/v1/asks/*/reply"


async def opened(house: House, project: str) -> str:
    return (await open_ask(house, question("Which one?", project=project)))["id"]


async def write_and_send(page: Page, text: str) -> None:
    await page.get_by_label("Your reply").fill(text)
    await page.get_by_role("button", name="Send reply").click()


@pytest.mark.parametrize("words", ["Mine", "Also mine, but later"])
async def test_a_reply_that_came_too_late_says_so_and_keeps_the_words(inbox: Inbox, house: House, project: str, words: str):
    ask_id = await opened(house, project)
    async with inbox.person(f"/asks/{ask_id}") as someone, house.person() as elsewhere:
        page = someone.page

        async def overtake(route: Route) -> None:
            await elsewhere.reply(ask_id, {"outcome": "dismissed"})
            await route.continue_()

        await page.route(REPLY, overtake, times=1)
        await write_and_send(page, words)
        await expect(page.get_by_role("alert")).to_contain_text("This ask was closed before your reply arrived")
        await expect(page.get_by_role("region", name="Your unsent draft")).to_contain_text(words)


async def test_a_reply_on_the_agents_move_says_so_and_keeps_the_words(inbox: Inbox, house: House, project: str):
    ask_id = await opened(house, project)
    async with inbox.person(f"/asks/{ask_id}") as someone, house.person() as elsewhere:
        page = someone.page

        async def overtake(route: Route) -> None:
            await elsewhere.reply(ask_id, {"outcome": "follow_up", "question": "Why?"})
            await route.continue_()

        await page.route(REPLY, overtake, times=1)
        await write_and_send(page, "That one")
        await expect(page.get_by_role("alert")).to_contain_text("It is the agent’s move now")
        await expect(page.get_by_label("Your reply")).to_have_value("That one")
        await expect(page.get_by_role("button", name="Send reply")).to_be_disabled()


async def test_the_same_reply_from_elsewhere_is_no_refusal(inbox: Inbox, house: House, project: str):
    ask_id = await opened(house, project)
    async with inbox.person(f"/asks/{ask_id}") as someone, house.person() as elsewhere:

        async def overtake(route: Route) -> None:
            await elsewhere.reply(ask_id, {"outcome": "answered", "selected": [], "text": "That one"})
            await route.continue_()

        await someone.page.route(REPLY, overtake, times=1)
        await write_and_send(someone.page, "That one")
        await expect(someone.page.get_by_text("Answered: Which one?")).to_be_visible()
        assert len((await elsewhere.ask(ask_id))["thread"]) == 1


async def test_without_a_network_the_words_stay_and_are_sent_once_it_is_back(inbox: Inbox, house: House, project: str):
    ask_id = await opened(house, project)
    async with inbox.person(f"/asks/{ask_id}") as someone, house.person() as elsewhere:
        page = someone.page
        await page.get_by_label("Your reply").fill("That one")
        await someone.context.set_offline(True)
        await page.get_by_role("button", name="Send reply").click()
        await expect(page.get_by_role("alert")).to_contain_text("The server could not be reached")
        await expect(page.get_by_label("Your reply")).to_have_value("That one")
        await someone.context.set_offline(False)
        await page.get_by_role("button", name="Send reply").click()
        await expect(page.get_by_text("Answered: Which one?")).to_be_visible()
        assert len((await elsewhere.ask(ask_id))["thread"]) == 1


async def test_a_reply_whose_response_was_lost_is_in_the_thread_once(inbox: Inbox, house: House, project: str):
    ask_id = await opened(house, project)
    async with inbox.person(f"/asks/{ask_id}") as someone, house.person() as elsewhere:

        async def lose(route: Route) -> None:
            await route.fetch()
            await route.abort()

        await someone.page.route(REPLY, lose, times=1)
        await write_and_send(someone.page, "That one")
        await expect(someone.page.get_by_text("Answered: Which one?")).to_be_visible()
        assert len((await elsewhere.ask(ask_id))["thread"]) == 1


async def test_a_page_that_the_server_no_longer_takes_asks_to_be_loaded_anew_and_keeps_the_draft(
    inbox: Inbox, house: House, project: str
):
    ask_id = await opened(house, project)
    async with inbox.person(f"/asks/{ask_id}") as someone:
        page = someone.page

        async def of_a_later_page(route: Route) -> None:
            await route.continue_(headers={**route.request.headers, "loopback-revision": "2"})

        await page.route(REPLY, of_a_later_page, times=1)
        await write_and_send(page, "That one")
        banner = page.get_by_role("alertdialog", name="Another version of this page is running")
        await expect(banner).to_be_visible()
        await expect(banner.get_by_role("button", name="Reload")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.get_by_label("Your reply")).to_have_value("That one")
        await page.get_by_role("button", name="Send reply").click()
        await expect(page.get_by_text("Answered: Which one?")).to_be_visible()
