"""A review: text, an uploaded image, a diff and code are shown, and the verdict is the call's result."""

import asyncio
import json
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
from mcp import Client
from playwright.async_api import expect

from tests.support.agents import ERAS, values_of
from tests.support.images import png
from tests.support.inbox import Inbox, hold

pytestmark = pytest.mark.browser
every_era = pytest.mark.parametrize("era", ERAS)

DIFFS = Path(__file__).parents[1] / "fixtures" / "diffs"
CODE = 'export function greet(name: string): string {\n  return "Hello " + name;\n}\n'
PLAN = {"type": "markdown", "text": "## Plan\n\n- [x] measure\n- [ ] build\n\n| step | days |\n|---|---|\n| build | 2 |"}


async def upload(agent: Client, folder: Path, image: bytes) -> str:
    """Put an image up as an agent does: ask for a place, run the command that was printed, read its receipt."""
    ticket = values_of(await agent.call_tool("request_upload", {"contentType": "image/png"}))
    file = folder / "the login page.png"
    file.write_bytes(image)
    if shutil.which("curl"):
        command = ticket["command"].replace("FILE", f"'{file}'")
        shell = await asyncio.create_subprocess_exec("sh", "-c", command, stdout=subprocess.PIPE)
        printed = (await asyncio.wait_for(shell.communicate(), 30))[0].decode()
        assert shell.returncode == 0
    else:
        async with httpx.AsyncClient() as http:
            printed = (await http.put(ticket["uploadUrl"], content=image, headers={"Content-Type": "image/png"})).text
    receipt = json.loads(printed)
    assert receipt == {"uploadId": ticket["uploadId"], "contentType": "image/png", "size": len(image)}
    return receipt["uploadId"]


@every_era
async def test_a_review_with_an_image_a_diff_and_code_is_approved_by_mouse(
    inbox: Inbox, era: str, project: str, tmp_path: Path, record_property
):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        image = {"type": "image", "uploadId": await upload(agent, tmp_path, png(320, 200)), "caption": "The login page"}
        diff = {"type": "diff", "diff": (DIFFS / "quirks.diff").read_text()}
        code = {"type": "code", "code": CODE, "language": "ts", "filename": "greet.ts"}
        shown = {"title": "The login page", "summary": "It is **narrower** now.", "content": [PLAN, image, diff, code]}
        held = hold(agent, "request_review", {**shown, "project": project})
        row = page.get_by_role("link", name="The login page")
        record_property("shown_after_seconds", seconds := await held.shown_in(row))
        print(f"shown after {seconds} s")

        await row.click()
        await expect(page.get_by_role("region", name="Summary").locator("strong")).to_have_text("narrower")
        await expect(page.get_by_role("heading", name="Plan")).to_be_visible()
        await expect(page.get_by_role("cell", name="build")).to_be_visible()

        picture = page.get_by_role("img", name="The login page")
        await picture.scroll_into_view_if_needed()
        await expect(page.locator(".image-shown")).to_be_visible()
        assert await picture.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [320, 200]

        await expect(page.locator(".diff-file")).to_have_count(11)
        await expect(page.locator(".diff-file", has_text="héllo wörld.txt")).to_be_visible()
        await page.get_by_text("crlf.txt").scroll_into_view_if_needed()
        await page.get_by_role("group", name="greet.ts").scroll_into_view_if_needed()
        await expect(page.get_by_role("group", name="greet.ts").locator(".hljs-keyword").first).to_have_text("export")

        await page.get_by_role("button", name="Approve").click()
        values = await held.values()
        assert values["reply"] == {"outcome": "approved"}
        assert values.keys() == {"askId", "reply", "repliedAt"}


@every_era
async def test_a_review_is_approved_by_keyboard_alone(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page, keys = person.page, person.page.keyboard
        held = hold(agent, "request_review", {"title": "The plan", "content": [PLAN], "project": project})
        await held.shown_in(page.get_by_role("link", name="The plan"))
        await keys.press("j")
        await keys.press("o")
        await page.get_by_role("heading", name="Plan", exact=True).wait_for()
        await keys.press("a")
        assert await held.reply() == {"outcome": "approved"}


@every_era
async def test_changes_are_requested_and_the_next_review_revises_this_one(inbox: Inbox, era: str, project: str):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page, keys = person.page, person.page.keyboard
        first = hold(agent, "request_review", {"title": "The plan", "content": [PLAN], "project": project})
        await first.shown_in(page.get_by_role("link", name="The plan"))
        await page.get_by_role("link", name="The plan").click()
        await expect(page.get_by_role("button", name="Request changes")).to_be_disabled()
        await keys.press("c")
        await expect(page.get_by_label("Your reply")).to_be_focused()
        await keys.type("Two days are too few.")
        await keys.press("Control+Enter")
        values = await first.values()
        assert values["reply"] == {"outcome": "changes_requested", "feedback": "Two days are too few."}

        again = {"title": "The plan, again", "content": [PLAN], "revises": values["askId"], "project": project}
        second = hold(agent, "request_review", again)
        await page.get_by_role("link", name="The plan, again").click()
        await page.get_by_role("link", name="Revises an earlier review").click()
        await page.wait_for_url(f"**/asks/{values['askId']}*")
        await expect(page.get_by_text("Changes requested by you")).to_be_visible()
        await expect(page.get_by_role("region", name="Thread")).to_contain_text("Two days are too few.")
        await page.go_back()
        await page.get_by_label("Your reply").fill("Better.")
        await page.get_by_role("button", name="Approve").click()
        assert await second.reply() == {"outcome": "approved", "note": "Better."}


@every_era
async def test_a_review_is_asked_back_and_the_answer_brings_new_content(inbox: Inbox, era: str, project: str, tmp_path: Path):
    async with inbox.agent(era) as agent, inbox.person(f"/?project={project}") as person:
        page = person.page
        first = hold(agent, "request_review", {"title": "The page", "content": [PLAN], "project": project})
        await page.get_by_role("link", name="The page").click()
        await page.get_by_label("Your reply").fill("How does it look?")
        await page.get_by_role("button", name="Ask back").click()
        back = await first.values()

        image = {"type": "image", "uploadId": await upload(agent, tmp_path, png(64, 48)), "caption": "A picture"}
        answer = {"askId": back["askId"], "answer": "Like this:", "content": [image]}
        second = hold(agent, "answer_follow_up", answer)
        await page.get_by_role("link", name="The page").click()
        await expect(page.get_by_role("region", name="Thread").locator(".image-shown")).to_be_visible()
        await page.get_by_role("button", name="Dismiss", exact=True).click()
        assert await second.reply() == {"outcome": "dismissed"}
