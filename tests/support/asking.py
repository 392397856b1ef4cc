"""Asks for tests that are not about how agents wait: opened over MCP by an agent that then hangs up."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any

import httpx

from tests.support.house import House, title_of, unique
from tests.support.raw import MODERN, bearer, message
from tests.support.waiting import eventually

ANSWERED = {"outcome": "answered", "selected": [], "text": "Yes."}
ASKED_BACK = {"outcome": "follow_up", "question": "To whom?"}
DISMISSED = {"outcome": "dismissed"}

TOGETHER = 40
"""Calls that are held at the same time."""


def question(words: str = "Ship it?", **more: Any) -> tuple[str, dict[str, Any]]:
    """A question that nobody has asked yet."""
    return "ask_question", {"question": unique(words), "project": "api", **more}


def review(words: str = "The plan", **more: Any) -> tuple[str, dict[str, Any]]:
    """A review that nobody has asked for yet."""
    return "request_review", {
        "title": unique(words),
        "content": [{"type": "markdown", "text": "1. Build"}],
        "project": "api",
        **more,
    }


def briefing(words: str = "Findings", **more: Any) -> tuple[str, dict[str, Any]]:
    """A briefing of two points that nobody has given yet."""
    points = [{"title": "Tokens are logged"}, {"title": "A flag is missing", "detail": "Of the cookie."}]
    return "send_briefing", {"title": unique(words), "sections": [{"points": points}], "project": "api", **more}


async def open_ask(house: House, call: tuple[str, dict[str, Any]] | None = None) -> dict[str, Any]:
    """An ask, as it is once nobody waits for it any more."""
    (ask,) = await open_asks(house, [call or question()])
    return await settled(house, ask["id"])


async def open_asks(house: House, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Asks, in the order of the calls; some may still be `waiting`."""
    calls = list(calls)
    return [ask for start in range(0, len(calls), TOGETHER) for ask in await _open(house, calls[start : start + TOGETHER])]


async def settled(house: House, ask_id: str) -> dict[str, Any]:
    """The ask once its agent is known to have hung up."""
    async with house.person() as person:
        return await person.turned(ask_id, waiting=False, seconds=10)


async def _open(house: House, calls: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    titles = [arguments.get("title") or arguments["question"] for _, arguments in calls]
    async with house.person() as person, httpx.AsyncClient(timeout=30, limits=httpx.Limits(max_connections=None)) as http:
        held = [asyncio.create_task(_hold(http, house, *call)) for call in calls]

        async def look() -> list[dict[str, Any]] | None:
            for call in held:
                assert not call.done(), call.result()
            found = {title_of(ask): ask for ask in (await person.snapshot())["open"]}
            return [found[title] for title in titles] if found.keys() >= set(titles) else None

        try:
            return await eventually(look, 30, f"{len(calls)} asks")
        finally:
            for call in held:
                call.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(*held, return_exceptions=True)


async def _hold(http: httpx.AsyncClient, house: House, tool: str, arguments: dict[str, Any]) -> str:
    headers, body = message(MODERN, tool, arguments)
    answer = await http.post(house.mcp, json=body, headers=bearer(house.token) | headers)
    return answer.text
