"""The server dies under an open page and held calls, and comes back: nothing is lost, nothing is there twice."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from mcp import Client, MCPError
from playwright.async_api import Browser, Page, expect

from tests.support.agents import ERAS, agent
from tests.support.browser import person
from tests.support.inbox import Held, drawn, hold
from tests.support.ports import free_port
from tests.support.server import Server, serving, temporary_folder

pytestmark = pytest.mark.browser

QUESTIONS = [f"Question {number}?" for number in range(10)]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the server keeps its data, across its death."""
    folder = temporary_folder()
    yield folder / "data"
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.asynccontextmanager
async def started(folder: Path, port: int) -> AsyncGenerator[Server]:
    """A server with its own Postgres, as `make run` has it. Starting and stopping block, and so happen aside."""
    server = serving(folder, port=port)
    running = await asyncio.to_thread(server.__enter__)
    try:
        yield running
    finally:
        await asyncio.to_thread(server.__exit__, None, None, None)


@contextlib.asynccontextmanager
async def agents(server: Server) -> AsyncGenerator[tuple[Client, Client]]:
    """An agent of each era."""
    old, new = (agent(server.url, server.token, era=era) for era in ERAS)
    async with old as legacy, new as modern:
        yield legacy, modern


def ask_all(callers: tuple[Client, Client]) -> list[Held]:
    """Ten calls that wait, half of them of each era."""
    return [
        hold(callers[number % 2], "ask_question", {"question": question, "project": "api"})
        for number, question in enumerate(QUESTIONS)
    ]


async def each_is_there_once(page: Page) -> None:
    await expect(page.locator(".row")).to_have_count(len(QUESTIONS))
    for question in QUESTIONS:
        await expect(page.get_by_role("link", name=question)).to_have_count(1)


async def test_after_kill_9_the_page_comes_back_with_every_ask_once_and_the_draft(browser: Browser, folder: Path):
    port = free_port()
    async with person(browser) as someone:
        page, words = someone.page, someone.page.get_by_label("Your reply")
        async with started(folder, port) as server:
            await someone.sign_in(server.sign_in_link)
            await drawn(someone)
            async with agents(server) as callers:
                held = ask_all(callers)
                await each_is_there_once(page)
                await page.get_by_role("link", name=QUESTIONS[3]).click()
                await words.press_sequentially("Begun before the crash")
                server.kill()
                ends = await asyncio.wait_for(asyncio.gather(*(each.call for each in held), return_exceptions=True), 20)
                assert [type(end) for end in ends] == [MCPError] * 10
            await expect(page.get_by_text("Reconnecting…")).to_be_visible()
            await expect(words).to_have_value("Begun before the crash")

        async with started(folder, port) as server:
            await expect(page.get_by_text("Reconnecting…")).to_be_hidden(timeout=40_000)
            await each_is_there_once(page)
            await expect(words).to_have_value("Begun before the crash")

            async with agents(server) as callers:
                again = ask_all(callers)
                await expect(page.locator(".row").get_by_text("Agent waiting")).to_have_count(10)
                await words.press("End")
                await page.keyboard.type(", sent after it.")
                await page.keyboard.press("Control+Enter")
                assert (await again[3].reply())["text"] == "Begun before the crash, sent after it."
                for number in (0, 8, 9):
                    await page.get_by_role("link", name=QUESTIONS[number]).click()
                    await words.fill(f"Answer {number}")
                    await page.get_by_role("button", name="Send reply").click()
                    assert (await again[number].reply())["text"] == f"Answer {number}"
