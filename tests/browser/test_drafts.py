"""What the person has begun to write is theirs: nothing that happens on the page takes it away."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import pytest
from playwright.async_api import Page, expect

from tests.support.asking import open_ask, question
from tests.support.browser import Person, person
from tests.support.house import House
from tests.support.inbox import Inbox, drawn, hold

pytestmark = pytest.mark.browser

WORDS = "Half a thought,\nand “quotes” – 🪜"


@contextlib.asynccontextmanager
async def before_a_question(inbox: Inbox, project: str) -> AsyncGenerator[tuple[Person, str]]:
    """A person who has a question open; its agent has left."""
    ask = await open_ask(inbox.house, question("Which one?", project=project))
    async with inbox.person(f"/asks/{ask['id']}") as someone:
        await words(someone.page).wait_for()
        yield someone, ask["id"]


def words(page: Page):
    """Where the reply is written."""
    return page.get_by_label("Your reply")


async def test_a_draft_survives_a_reload(inbox: Inbox, project: str):
    async with before_a_question(inbox, project) as (someone, _):
        await words(someone.page).fill(WORDS)
        await someone.page.reload()
        await expect(words(someone.page)).to_have_value(WORDS)


async def test_each_ask_and_each_point_keeps_its_own_draft(inbox: Inbox, project: str):
    async with inbox.agent() as agent, inbox.person(f"/?project={project}") as someone:
        page = someone.page
        hold(agent, "ask_question", {"question": "First?", "project": project})
        await page.get_by_role("link", name="First?").click()
        await words(page).fill("On the first")
        points = [{"title": "a"}, {"title": "b"}]
        hold(agent, "send_briefing", {"title": "Second", "sections": [{"points": points}], "project": project})
        # The pointer rests where the list is, which therefore only says that there is more.
        await page.get_by_role("button", name="1 new").click()
        await page.get_by_role("link", name="Second").click()
        for number in ("1", "2"):
            await page.locator(f"#open-{number}").click()
            await page.get_by_label(f"Your words on point {number}").fill(f"On point {number}")
        await page.get_by_role("link", name="First?").click()
        await expect(words(page)).to_have_value("On the first")
        await page.reload()
        await page.get_by_role("link", name="Second").click()
        for number in ("1", "2"):
            await page.locator(f"#open-{number}").click()
            await expect(page.get_by_label(f"Your words on point {number}")).to_have_value(f"On point {number}")


async def test_twenty_changes_while_typing_take_neither_the_focus_nor_a_letter(inbox: Inbox, project: str):
    text = "I write this while twenty asks arrive and this one changes too."
    async with inbox.agent() as agent, inbox.person(f"/?project={project}") as someone:
        page = someone.page
        asked = {"question": "Which one?", "project": project}
        held = hold(agent, "ask_question", asked)
        await page.get_by_role("link", name="Which one?").click()
        await words(page).fill("Before. ")
        await words(page).press("End")

        async def changes() -> None:
            # This very ask's agent leaves and comes back, and nineteen more arrive.
            held.call.cancel()
            for number in range(19):
                hold(agent, "ask_question", {"question": f"Number {number}?", "project": project})
                await asyncio.wait_for(page.wait_for_function("new Promise(requestAnimationFrame)"), 5)

        await asyncio.gather(page.keyboard.type(text, delay=25), changes())
        await page.mouse.move(1000, 400)
        await expect(page.locator(".row")).to_have_count(20)
        await expect(page.locator(".ask-head").get_by_text("Agent left")).to_be_visible()
        await expect(words(page)).to_be_focused()
        await expect(words(page)).to_have_value("Before. " + text)
        hold(agent, "ask_question", asked)
        await expect(page.locator(".ask-head").get_by_text("Agent waiting")).to_be_visible()
        await expect(words(page)).to_be_focused()


async def test_another_tab_shows_the_draft_as_it_is_written(inbox: Inbox, project: str):
    async with before_a_question(inbox, project) as (someone, ask_id):
        await words(someone.page).fill("Begun here")
        other = await someone.context.new_page()
        await other.goto(f"{inbox.url}/asks/{ask_id}")
        await expect(words(other)).to_have_value("Begun here")
        await words(other).fill("Begun here, gone on with there")
        await expect(words(someone.page)).to_have_value("Begun here, gone on with there")


async def test_of_an_ask_that_was_closed_elsewhere_the_draft_can_be_copied(inbox: Inbox, house: House, project: str):
    async with before_a_question(inbox, project) as (someone, ask_id):
        page = someone.page
        await someone.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await words(page).fill(WORDS)
        async with house.person() as elsewhere:
            await elsewhere.reply(ask_id, {"outcome": "answered", "selected": [], "text": "Done from a phone."})
        leftover = page.get_by_role("region", name="Your unsent draft")
        await expect(leftover.locator("pre")).to_have_text(WORDS)
        await page.reload()
        await leftover.get_by_role("button", name="Copy").click()
        await expect(leftover.get_by_role("button", name="Copied")).to_be_visible()
        assert await page.evaluate("navigator.clipboard.readText()") == WORDS
        await leftover.get_by_role("button", name="Discard").click()
        await expect(leftover).to_be_hidden()


async def test_when_the_session_has_ended_the_draft_is_kept_until_the_person_signs_in_again(inbox: Inbox, project: str):
    async with before_a_question(inbox, project) as (someone, ask_id):
        page = someone.page
        await words(page).fill(WORDS)
        await someone.context.clear_cookies()
        await page.get_by_role("button", name="Send reply").click()
        await expect(page.get_by_role("heading", name="Signed out")).to_be_visible()
        await expect(page.get_by_text("What you had begun to write is kept on this device.")).to_be_visible()
        await someone.sign_in(await inbox.sign_in_link())
        await drawn(someone)
        await page.goto(f"{inbox.url}/asks/{ask_id}")
        await expect(words(page)).to_have_value(WORDS)
        await page.get_by_role("button", name="Send reply").click()
        await expect(page.get_by_text("Answered: Which one?")).to_be_visible()


async def test_signing_out_leaves_nothing_of_the_person_on_the_device(inbox: Inbox, project: str):
    ask = await open_ask(inbox.house, question("Which one?", project=project))
    async with person(inbox.browser) as someone:
        page = someone.page
        await someone.sign_in(await inbox.sign_in_link())
        await page.goto(f"{inbox.url}/asks/{ask['id']}")
        await words(page).fill(WORDS)
        await page.get_by_role("button", name="Sign out").click()
        await page.get_by_role("button", name="Press again to sign out").click()
        await expect(page.get_by_role("heading", name="Signed out")).to_be_visible()
        assert await page.evaluate("Object.keys(localStorage)") == []
        assert await someone.context.cookies() == []
