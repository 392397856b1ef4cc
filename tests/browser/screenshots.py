"""Takes the picture that the README shows, of a real inbox: `python -m tests.browser.screenshots`."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from mcp import Client
from mcp_types import Implementation
from playwright.async_api import Browser, expect

from tests.support.agents import agent
from tests.support.browser import Person, chromium, person
from tests.support.inbox import drawn, hold
from tests.support.server import Server, serving, temporary_folder

PICTURE = Path(__file__).parents[2] / "web" / "screenshots" / "inbox.png"
SIZE = {"width": 1280, "height": 800}
MOST_BYTES = 200_000

DIFF = """diff --git a/app/sessions.py b/app/sessions.py
index 3f1c9aa..8d02e41 100644
--- a/app/sessions.py
+++ b/app/sessions.py
@@ -18,8 +18,10 @@ class Sessions:
     async def open(self, user: User) -> Session:
         secret = token_urlsafe(32)
-        await self._store.add(user.id, secret)
+        await self._store.add(user.id, sha256(secret.encode()).digest())
         return Session(user.id, secret)
\x20
     async def find(self, secret: str) -> Session | None:
-        row = await self._store.by_secret(secret)
+        row = await self._store.by_digest(sha256(secret.encode()).digest())
+        if row is None or row.expires_at < self._clock.now():
+            return None
         return Session(row.user_id, secret)
"""

REVIEW: dict[str, Any] = {
    "title": "Keep only hashes of session secrets",
    "summary": "Whoever reads the table can no longer sign in with what is in it. Expired sessions are refused as well. "
    "Look at `find`: it is the only place that changes what callers see.",
    "content": [
        {"type": "diff", "diff": DIFF},
        {
            "type": "markdown",
            "text": "Sessions that are open now end once, at the deploy: their secrets cannot be hashed afterwards.",
        },
    ],
    "project": "api",
}
BRIEFING: dict[str, Any] = {
    "title": "What the load test showed",
    "sections": [{"points": [{"title": title} for title in ("Writes queue behind one lock", "Cold starts", "Memory is fine")]}],
    "project": "api",
}
QUESTIONS = [
    ("website", "Which name should the settings page have?", [{"label": "Settings"}, {"label": "Preferences"}]),
    ("mobile", "Drop support for Android 9?", [{"label": "Yes"}, {"label": "Not yet"}]),
    ("api", "May I restart the staging database now?", []),
]
ANSWERED = ("website", "Should the old changelog stay online?")

CODEX = Implementation(name="codex-mcp-client", version="0.98.0")


@contextlib.asynccontextmanager
async def agents(server: Server) -> AsyncGenerator[tuple[Client, Client]]:
    """Two of them, of two kinds."""
    async with agent(server.url, server.token) as claude, agent(server.url, server.token, client_info=CODEX) as codex:
        yield claude, codex


async def take(browser: Browser, server: Server) -> None:
    """An inbox as it is at work: a review is open, others wait, one is done."""
    async with person(browser, viewport=SIZE, color_scheme="light") as someone, agents(server) as (claude, codex):
        page = someone.page
        await someone.sign_in(server.sign_in_link)
        await drawn(someone)
        await answer_one(someone, claude)
        hold(codex, "request_review", REVIEW)
        await expect(page.get_by_role("link", name=REVIEW["title"])).to_be_visible()
        for project, question, options in QUESTIONS:
            asked = {"question": question, "project": project, **({"options": options} if options else {})}
            hold(claude, "ask_question", asked)
            await expect(page.get_by_role("link", name=question)).to_be_visible()
        left = hold(claude, "send_briefing", BRIEFING)
        await expect(page.get_by_role("link", name=BRIEFING["title"])).to_be_visible()
        left.call.cancel()
        await page.get_by_role("link", name=REVIEW["title"]).click()
        await expect(page.locator(".ask-body .hljs-keyword").first).to_be_visible()
        await expect(page.get_by_text("Agent left")).to_be_visible()
        await page.get_by_label("Your reply").fill(
            "Let the store itself refuse expired sessions, so that no caller can forget to."
        )
        await page.mouse.move(900, 20)
        await expect(page.locator(".toast")).to_have_count(0, timeout=10_000)
        await page.locator("#ask-title").scroll_into_view_if_needed()
        await page.locator(".ask-pane").evaluate("pane => pane.scrollTo(0, 0)")
        await page.screenshot(path=PICTURE, animations="disabled", caret="hide")


async def answer_one(someone: Person, claude: Client) -> None:
    project, question = ANSWERED
    held = hold(claude, "ask_question", {"question": question, "project": project})
    await someone.page.get_by_role("link", name=question).click()
    await someone.page.get_by_label("Your reply").fill("Yes, as a plain page.")
    await someone.page.get_by_role("button", name="Send reply").click()
    await held.reply()
    await someone.page.mouse.move(900, 20)


async def main() -> None:
    PICTURE.parent.mkdir(exist_ok=True)
    folder = temporary_folder()
    with serving(folder / "data") as server:
        async with chromium() as browser:
            await take(browser, server)
    shutil.rmtree(folder, ignore_errors=True)
    size = PICTURE.stat().st_size
    assert size < MOST_BYTES, f"{PICTURE} has {size} bytes"
    print(f"{PICTURE}: {size} bytes")


if __name__ == "__main__":
    asyncio.run(main())
