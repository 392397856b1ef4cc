"""Asks over MCP, as any agent does, and waits: through cut connections, restarts, and calls that end before the reply."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, CallToolResult, Implementation, TextContent

from app import __version__
from app.commands.client import CONNECT_SECONDS, headers_of, message_of, not_reached, something_else
from app.commands.failures import NotReached, SaidNo
from app.commands.reaching import is_near
from app.commands.words import visible

ONE_CALL_SECONDS = 3600.0
"""How long one call may wait. Longer waits are several calls."""

SILENT_SECONDS = 45.0
"""A call on which nothing arrives for so long is cut: the server says something every fifteen seconds."""

GIVE_UP_SECONDS = 300.0
"""How long a server that was there may be away."""

GRACE_SECONDS = 5.0
PAUSES = (0.25, 5.0)

Tell = Callable[[str], None]


class _CutError(Exception):
    """The call ended before its result: it is to be made again."""


class Waiting:
    """One reply, waited for in as many calls as it takes."""

    def __init__(self, url: str, token: str, *, longest: float | None, tell: Tell) -> None:
        self._url = url
        self._token = token
        self._ends = None if longest is None else time.monotonic() + longest
        self._tell = tell
        self._ask_id: str | None = None
        self._reached = False
        self._holds = False
        self._away_since: float | None = None
        self._refused: httpx2.Response | None = None

    async def reply_to(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The tool's result; one with `waiting: true` once the longest wait is over."""
        pause = PAUSES[0]
        while True:
            began = time.monotonic()
            try:
                result = await self._call(tool, arguments)
            except _CutError as cut:
                self._note_absence(cut)
                if self._is_over():
                    return {**({"askId": self._ask_id} if self._ask_id else {}), "waiting": True}
            else:
                if not result.get("waiting") or self._is_over():
                    return result
                self._ask_id = str(result["askId"])
                tool, arguments = "wait_for_reply", {"askId": self._ask_id}
            if time.monotonic() - began > PAUSES[1]:
                pause = PAUSES[0]
            await asyncio.sleep(min(pause, self._left(pause)))
            pause = min(pause * 2, PAUSES[1])

    def _note_absence(self, cut: _CutError) -> None:
        """The server went away. It may be for a while, if it was there at all."""
        now = time.monotonic()
        if not self._reached or (self._away_since is not None and now - self._away_since > GIVE_UP_SECONDS):
            raise not_reached(self._url, cut) from None
        if self._away_since is None:
            self._away_since = now
            self._tell(f"The connection was lost ({visible(str(cut))}); the ask stays open. Trying again.")
        self._holds = False

    async def _call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """One call in a connection of its own."""
        longest = min(self._left(ONE_CALL_SECONDS), ONE_CALL_SECONDS)
        headers = {**headers_of(self._token), "Loopback-Max-Wait": str(max(math.ceil(longest), 1))}
        self._refused = None
        try:
            async with (
                asyncio.timeout(longest + GRACE_SECONDS),
                httpx2.AsyncClient(
                    headers=headers,
                    timeout=httpx2.Timeout(SILENT_SECONDS, connect=CONNECT_SECONDS),
                    trust_env=not is_near(self._url),
                    event_hooks={"response": [self._look_at]},
                ) as http,
                Client(
                    streamable_http_client(f"{self._url}/mcp", http_client=http),
                    client_info=Implementation(name="loopback", version=__version__),
                ) as client,
            ):
                result = await client.call_tool(tool, arguments, progress_callback=self._held)
        except Exception as error:
            raise self._meaning_of(error) from error
        self._away_since = None
        return _values_of(result)

    async def _look_at(self, response: httpx2.Response) -> None:
        self._reached = self._reached or "loopback-revision" in response.headers
        if response.status_code >= 400:
            await response.aread()
            self._refused = response

    async def _held(self, progress: float, total: float | None, message: str | None) -> None:
        self._away_since = None
        if not self._holds:
            self._holds = True
            self._tell("Waiting for the reply.")

    def _meaning_of(self, error: Exception) -> Exception:
        """What a call that failed means: no, try again, or a bug of ours."""
        causes = list(_leaves(error))
        refused = self._refused
        if refused is not None and refused.status_code < 500 and refused.status_code not in (408, 429):
            if "loopback-revision" not in refused.headers:
                return something_else(self._url)
            return SaidNo(visible(message_of(refused) or f"the server answered {refused.status_code}"))
        for cause in causes:
            if isinstance(cause, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
                return not_reached(self._url, cause)
            if isinstance(cause, httpx2.TransportError | TimeoutError | OSError):
                return _CutError(str(cause) or type(cause).__name__)
        for cause in causes:
            if isinstance(cause, MCPError):
                is_cut = cause.code == CONNECTION_CLOSED or refused is not None
                return _CutError(cause.message) if is_cut else SaidNo(visible(cause.message))
        return error

    def _left(self, otherwise: float) -> float:
        return otherwise if self._ends is None else max(self._ends - time.monotonic(), 0.0)

    def _is_over(self) -> bool:
        # A call that ends at the limit ends a moment before it: the server counts from when it heard of us.
        return self._ends is not None and self._left(0) < 1


def _values_of(result: CallToolResult) -> dict[str, Any]:
    if result.is_error:
        raise SaidNo(visible("\n".join(each.text for each in result.content if isinstance(each, TextContent))))
    if not isinstance(result.structured_content, dict):
        raise NotReached("the server's answer is none that a Loopback gives: check LOOPBACK_URL")
    return cast("dict[str, Any]", result.structured_content)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _leaves(each)
    else:
        yield error
