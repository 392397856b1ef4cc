"""A person at a browser: Debian's Chromium, driven by playwright. Every page fails its test on a violation of the page's policy."""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, WebSocket, async_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
EXPECTED = re.compile(r"Failed to load resource|WebSocket connection to")
"""What Chromium itself says of answers that are not 2xx: tests look at those themselves."""


def chromium_path() -> str | None:
    """Where Chromium is, if it is."""
    for name in (os.environ.get("LOOPBACK_TEST_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"):
        if name and (found := shutil.which(name)):
            return found
    return None


@dataclass
class Person:
    """One browser window of its own, and what went wrong in it."""

    page: Page
    context: BrowserContext
    faults: list[str] = field(default_factory=list)
    live: asyncio.Event = field(default_factory=asyncio.Event)
    """The page's own socket has spoken: from now on notices reach it."""

    async def sign_in(self, link: str) -> None:
        """Open the link and press the button."""
        await self.page.goto(link)
        await self.page.get_by_role("button", name="Sign in this browser").click()
        await self.page.wait_for_url(lambda url: "/sign-in" not in url)


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    """A running browser."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def person(browser: Browser, **options: Any) -> AsyncGenerator[Person]:
    """A person with a fresh browser profile. At the end nothing may have gone wrong on the page."""
    context = await browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(10_000)
    page = await context.new_page()
    someone = Person(page, context)

    def said(message: ConsoleMessage) -> None:
        if message.type == "error" and not EXPECTED.search(message.text):
            someone.faults.append(message.text)

    def watched(socket: WebSocket) -> None:
        if socket.url.endswith("/inbox/api/live"):
            socket.on("framereceived", lambda _: someone.live.set())

    page.on("websocket", watched)
    page.on("console", said)
    page.on("pageerror", lambda error: someone.faults.append(str(error)))
    await context.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    try:
        yield someone
    finally:
        await context.close()
    assert someone.faults == []
