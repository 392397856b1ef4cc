"""An inbox with a person before it: a server, Chromium signed in to it, and agents that call and wait."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult
from playwright.async_api import Browser, Locator, StorageState

from tests.support.agents import agent, values_of
from tests.support.browser import Person, chromium, person
from tests.support.credentials import sign_in_code
from tests.support.house import House, house_on, unique
from tests.support.postgres import ThrowawayPostgres

MODERN = "2026-07-28"

SHOWN_SECONDS = 5
"""A second is what is promised and what an idle machine needs a tenth of; two busy cores may take longer."""


@dataclass
class Inbox:
    """A running server, and a browser that was signed in to it once."""

    house: House
    browser: Browser
    kept: StorageState

    @property
    def url(self) -> str:
        return self.house.url

    def agent(self, era: str = MODERN) -> AbstractAsyncContextManager[Client]:
        """A connected agent."""
        return agent(self.url, self.house.token, era=era)

    @contextlib.asynccontextmanager
    async def person(self, at: str = "/", **options: Any) -> AsyncGenerator[Person]:
        """A person in a window of their own, signed in, with the page they are at drawn."""
        async with person(self.browser, storage_state=self.kept, **options) as someone:
            await someone.page.goto(self.url + at)
            await drawn(someone)
            yield someone

    async def sign_in_link(self) -> str:
        """A fresh link, as the command prints it."""
        return f"{self.url}/sign-in#{await sign_in_code(self.house.database_url)}"


@dataclass
class Held:
    """A tool's call that waits for the person."""

    call: "asyncio.Task[CallToolResult]"
    since: float = field(default_factory=time.monotonic)

    async def reply(self) -> dict[str, Any]:
        """The reply that the call returned, and nothing else of it."""
        return (await self.values())["reply"]

    async def values(self) -> dict[str, Any]:
        """All that the call returned."""
        return values_of(await asyncio.wait_for(self.call, 20))

    async def shown_in(self, place: Locator) -> float:
        """How long after the call its ask stood on the page, in seconds."""
        await place.wait_for(timeout=1000 * SHOWN_SECONDS)
        return round(time.monotonic() - self.since, 3)


def hold(client: Client, tool: str, arguments: dict[str, Any]) -> Held:
    """Call a tool that waits, and go on. A call that nobody awaits in the end may fail: its agent left."""
    call = asyncio.create_task(client.call_tool(tool, arguments))
    call.add_done_callback(lambda done: done.cancelled() or done.exception())
    return Held(call)


async def drawn(someone: Person) -> None:
    """The page stands, and live updates and notices arrive."""
    await someone.page.locator(".row, .rows-empty, .first-wait").first.wait_for()
    await asyncio.wait_for(someone.live.wait(), 15)


async def signed_in(house: House, browser: Browser) -> Inbox:
    """The server, with a browser that is signed in to it."""
    link = f"{house.url}/sign-in#{await sign_in_code(house.database_url)}"
    async with person(browser) as someone:
        await someone.sign_in(link)
        kept = await someone.context.storage_state()
    return Inbox(house, browser, kept)


@pytest.fixture(scope="package")
def house(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server for all tests of a folder: each asks in a project of its own."""
    with postgres.database() as url, house_on(url, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="package")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for the folder; each person has a profile of their own in it."""
    async with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
async def inbox(house: House, browser: Browser) -> Inbox:
    """The server, with a browser that is signed in to it."""
    return await signed_in(house, browser)


@pytest.fixture
def project() -> str:
    """A project that no other test asks in, so that a list filtered by it holds this test's asks alone."""
    return unique("web").replace(" ", "-")
