"""A briefing: point by point, in rounds, with sub-points, until everything is resolved."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.support.agents import ERAS
from tests.support.inbox import Inbox, hold

pytestmark = pytest.mark.browser
every_era = pytest.mark.parametrize("era", ERAS)

SECTIONS = [
    {
        "title": "Security",
        "points": [
            {"title": "Tokens are logged", "detail": "In `log.py`, **line 12**."},
            {"title": "The cookie lacks a flag"},
        ],
    },
    {
        "title": "Speed",
        "points": [{"title": "A slow query", "content": [{"type": "code", "code": "select 1", "language": "sql"}]}],
    },
]


def briefing(project: str) -> dict[str, Any]:
    return {"title": "What the audit found", "summary": "Three *findings*.", "sections": SECTIONS, "project": project}


def point(page: Page, number: str):
    """A point of the page, with all that lies beneath it."""
    return page.locator(f'[data-point="{number}"]')


@every_era
async def test_a_briefing_goes_two_rounds_with_sub_points_by_mouse(inbox: Inbox, era: str, project: str, record_property):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        first = hold(agent, "send_briefing", briefing(project))
        row = page.get_by_role("link", name="What the audit found")
        record_property("shown_after_seconds", seconds := await first.shown_in(row))
        print(f"shown after {seconds} s")
        await expect(row).to_contain_text("3 of 3 left")

        await row.click()
        await page.locator("#open-1").click()
        await expect(point(page, "1").locator("strong")).to_have_text("line 12")
        await page.get_by_label("Your words on point 1").fill("Since when?")
        await page.get_by_role("checkbox", name="Resolve point 2").check()
        await expect(page.get_by_text("1 reply, 1 resolved.")).to_be_visible()
        await page.get_by_role("button", name="Send replies").click()
        values = await first.values()
        assert values["reply"] == {
            "outcome": "responded",
            "points": [{"point": "1", "text": "Since when?"}, {"point": "2", "resolved": True}],
        }

        await row.click()
        await expect(point(page, "1")).to_contain_text("with the agent")
        await expect(page.get_by_role("button", name="Send replies")).to_be_disabled()
        answers = [
            {
                "point": "1",
                "answer": "Since `v2`.",
                "points": [{"title": "The commit"}, {"title": "Who knew", "detail": "Nobody."}],
            }
        ]
        second = hold(agent, "answer_briefing", {"askId": values["askId"], "answers": answers})
        await second.shown_in(point(page, "1").get_by_text("Since v2."))
        await expect(point(page, "1.1")).to_contain_text("The commit")
        await expect(point(page, "1.2")).to_contain_text("new")
        await expect(page.locator(".progress")).to_contain_text("4 of 5 left")

        await page.get_by_role("checkbox", name="Resolve point 1.1").check()
        await expect(page.get_by_text("Resolving alone leaves the agent nothing to answer")).to_be_visible()
        await expect(page.get_by_role("button", name="Send replies")).to_be_disabled()
        await page.get_by_role("button", name="Resolve the rest").click()
        await expect(page.get_by_text("Every point resolved: sending closes the briefing.")).to_be_visible()
        await page.get_by_role("button", name="Send replies").click()
        assert await second.reply() == {
            "outcome": "responded",
            "points": [{"point": number, "resolved": True} for number in ("1", "1.1", "1.2", "3")],
        }
        await page.goto(f"{inbox.url}/asks/{values['askId']}")
        await expect(page.get_by_text("Responded by you")).to_be_visible()
        await expect(page.locator(".progress")).to_contain_text("all resolved")


@every_era
async def test_a_briefing_is_replied_to_by_keyboard_alone(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page, keys = person.page, person.page.keyboard
        held = hold(agent, "send_briefing", briefing(project))
        await held.shown_in(page.get_by_role("link", name="What the audit found"))
        await keys.press("j")
        await keys.press("Enter")
        await page.locator("#open-1").wait_for()

        await keys.press("n")
        await expect(page.locator("#open-1")).to_be_focused()
        await keys.press("x")
        await expect(page.get_by_role("checkbox", name="Resolve point 1")).to_be_checked()
        await keys.press("n")
        await expect(page.locator("#open-2")).to_be_focused()
        await keys.press("r")
        await expect(page.get_by_label("Your words on point 2")).to_be_focused()
        await keys.type("Which flag?")
        await keys.press("Control+Enter")
        assert await held.reply() == {
            "outcome": "responded",
            "points": [{"point": "1", "resolved": True}, {"point": "2", "text": "Which flag?"}],
        }


@every_era
async def test_words_on_a_resolved_point_open_it_again(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        first = hold(agent, "send_briefing", briefing(project))
        await page.get_by_role("link", name="What the audit found").click()
        await page.locator("#open-1").click()
        await page.get_by_label("Your words on point 1").fill("Why?")
        await page.get_by_role("checkbox", name="Resolve point 2").check()
        await page.get_by_role("button", name="Send replies").click()
        ask_id = (await first.values())["askId"]
        second = hold(agent, "answer_briefing", {"askId": ask_id, "answers": [{"point": "1", "answer": "By accident."}]})
        await page.get_by_role("link", name="What the audit found").click()
        await expect(point(page, "1")).to_contain_text("agent answered")
        await page.locator("#open-2").click()
        await page.get_by_label("Your words on point 2").fill("On second thought: which one?")
        await page.get_by_role("button", name="Send replies").click()
        assert await second.reply() == {
            "outcome": "responded",
            "points": [{"point": "2", "text": "On second thought: which one?"}],
        }


@every_era
async def test_a_briefing_is_dismissed_while_it_is_the_agents_move(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        held = hold(agent, "send_briefing", briefing(project))
        await page.get_by_role("link", name="What the audit found").click()
        await page.locator("#open-3").click()
        await page.get_by_label("Your words on point 3").fill("How slow?")
        await page.get_by_role("button", name="Send replies").click()
        await held.reply()
        await page.get_by_role("link", name="What the audit found").click()
        await page.get_by_role("button", name="Dismiss", exact=True).click()
        await expect(page.get_by_role("region", name="Recently closed")).to_contain_text("What the audit found")
