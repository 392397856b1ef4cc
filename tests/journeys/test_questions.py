"""A question: an agent asks over MCP, the person answers in the browser, the call returns exactly that."""

import pytest
from playwright.async_api import expect

from tests.support.agents import ERAS
from tests.support.inbox import Inbox, hold

pytestmark = pytest.mark.browser
every_era = pytest.mark.parametrize("era", ERAS)

OPTIONS = [{"label": "Postgres", "description": "One server, many writers."}, {"label": "SQLite", "description": "One file."}]


@every_era
async def test_a_question_is_answered_by_mouse(inbox: Inbox, era: str, project: str, record_property):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        held = hold(agent, "ask_question", {"question": "Which **database**?", "options": OPTIONS, "project": project})
        row = page.get_by_role("link", name="Which database?")
        record_property("shown_after_seconds", seconds := await held.shown_in(row))
        print(f"shown after {seconds} s")
        await expect(row).to_contain_text("Agent waiting")

        await row.click()
        await expect(page.get_by_role("heading", name="Which database?")).to_be_visible()
        await page.get_by_role("button", name="SQLite").click()
        await page.get_by_role("button", name="Send reply").click()

        values = await held.values()
        assert values["reply"] == {"outcome": "answered", "selected": ["SQLite"]}
        assert values.keys() == {"askId", "reply", "repliedAt"}
        await expect(page.get_by_role("status").filter(has_text="Answered: Which database?")).to_be_visible()


@every_era
async def test_a_question_is_answered_by_keyboard_alone(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page, keys = person.page, person.page.keyboard
        held = hold(agent, "ask_question", {"question": "Which database?", "options": OPTIONS, "project": project})
        await held.shown_in(page.get_by_role("link", name="Which database?"))

        await keys.press("j")
        await expect(page.get_by_role("link", name="Which database?")).to_be_focused()
        await keys.press("Enter")
        await expect(page.get_by_role("heading", level=1, name="Which database?")).to_be_focused()
        await page.get_by_role("group", name="Choices").wait_for()
        await keys.press("1")
        await expect(page.get_by_role("button", name="Postgres")).to_have_attribute("aria-pressed", "true")
        await keys.press("r")
        await expect(page.get_by_label("Your reply")).to_be_focused()
        await keys.type("It has to hold 40 GB,")
        await keys.press("Enter")
        await keys.type("and “many” writers – 🪜.")
        await keys.press("Control+Enter")

        words = "It has to hold 40 GB,\nand “many” writers – 🪜."
        assert await held.reply() == {"outcome": "answered", "selected": ["Postgres"], "text": words}


@every_era
async def test_several_choices_are_sent_in_the_order_they_were_offered(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        options = [{"label": label} for label in ("Linux", "macOS", "Windows")]
        asked = {"question": "Which systems?", "options": options, "multiple": True, "project": project}
        held = hold(agent, "ask_question", asked)
        await page.get_by_role("link", name="Which systems?").click()
        await page.get_by_role("checkbox", name="Windows").check()
        await page.get_by_role("checkbox", name="macOS").check()
        await page.get_by_role("checkbox", name="Linux").check()
        await page.get_by_role("checkbox", name="macOS").uncheck()
        await page.get_by_role("button", name="Send reply").click()
        assert await held.reply() == {"outcome": "answered", "selected": ["Linux", "Windows"]}


@every_era
async def test_a_question_is_asked_back_answered_by_the_agent_and_then_answered(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        first = hold(agent, "ask_question", {"question": "May I drop the table?", "project": project})
        await page.get_by_role("link", name="May I drop the table?").click()
        await page.get_by_label("Your reply").fill("Which table?")
        await page.get_by_role("button", name="Ask back").click()
        back = await first.values()
        assert back["reply"] == {"outcome": "follow_up", "question": "Which table?"}

        row = page.get_by_role("link", name="May I drop the table?")
        await expect(page.get_by_role("region", name="Agent’s move")).to_contain_text("May I drop the table?")
        await row.click()
        await expect(page.get_by_role("button", name="Send reply")).to_be_disabled()

        answer = {"askId": back["askId"], "answer": "Only `sessions_old`."}
        second = hold(agent, "answer_follow_up", answer)
        await second.shown_in(page.get_by_role("region", name="Thread").get_by_text("sessions_old"))
        await page.get_by_label("Your reply").fill("Yes.")
        await page.keyboard.press("Control+Enter")
        assert await second.reply() == {"outcome": "answered", "selected": [], "text": "Yes."}

        await page.goto(f"{inbox.url}/asks/{back['askId']}")
        thread = page.get_by_role("region", name="Thread")
        await expect(thread.locator(".turn")).to_have_count(3)
        await expect(thread.locator(".turn-head")).to_contain_text(["You asked back", "Agent answered", "You answered"])
        await expect(page.get_by_text("Answered by you")).to_be_visible()


@every_era
async def test_a_question_is_dismissed(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        held = hold(agent, "ask_question", {"question": "Shall I tell a joke?", "project": project})
        await page.get_by_role("link", name="Shall I tell a joke?").click()
        await page.get_by_role("button", name="Dismiss", exact=True).click()
        assert await held.reply() == {"outcome": "dismissed"}
        await expect(page.get_by_role("region", name="Recently closed")).to_contain_text("Dismissed")
