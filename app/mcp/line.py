"""One HTTP request of an agent, seen from the tool that serves it: is the client still there, has it got our answer."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from starlette.types import Message, Send

from app.rest.protocol import ACKNOWLEDGED

SCOPE_KEY = "loopback.line"
ACKNOWLEDGE_SECONDS = 5.0

STREAM_HEAD: Message = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-cache, no-transform"),
        (b"x-accel-buffering", b"no"),
    ],
}
COMMENT = b": waiting\r\n\r\n"


class Line:
    """The client's end of a request."""

    def __init__(
        self,
        send: Send,
        *,
        caller: Any,
        client: str | None,
        longest: float | None,
        extensions: dict[str, Any],
        fault: str | None,
    ) -> None:
        self.caller = caller
        self.client = client
        self.longest = longest
        self.fault = fault
        self.new_session: str | None = None
        self.is_gone = False
        self._send = send
        self._acknowledged: Callable[[float], Awaitable[bool]] | None = extensions.get(ACKNOWLEDGED)
        self._on_gone: list[Callable[[], None]] = []
        self._on_delivered: Callable[[], Coroutine[Any, Any, None]] | None = None
        self._started = False
        self._committed = False
        self._wrapping = False
        self._wrapped: list[bytes] = []
        self._finished = False
        self._given = False

    # --- for the tool -------------------------------------------------------------------------------------------------------

    def on_gone(self, end: Callable[[], None]) -> None:
        """Call `end` once the client has hung up; at once if it has."""
        self._on_gone.append(end)
        if self.is_gone:
            end()

    def on_delivered(self, mark: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `mark` once the client's side has acknowledged the last byte of the answer."""
        self._on_delivered = mark

    async def commit(self) -> None:
        """Send the first byte now: the answer will be a stream, however long it takes."""
        if self._finished:
            return
        if not self._started and not self._committed:
            self._committed = True
            await self._send(STREAM_HEAD)
        await self._send({"type": "http.response.body", "body": COMMENT, "more_body": True})

    # --- for the wire -------------------------------------------------------------------------------------------------------

    def hang_up(self) -> None:
        """The client is gone, or the request is over."""
        if self.is_gone:
            return
        self.is_gone = True
        for end in self._on_gone:
            end()

    async def send(self, message: Message) -> None:
        """Pass on what the SDK answers; once committed to a stream, a plain answer becomes its one event."""
        if message["type"] == "http.response.start":
            if self._committed:
                self._wrapping = not _is_stream(message)
                return
            self._started = True
            if self.new_session is not None and message["status"] == 200:
                headers = [*message["headers"], (b"mcp-session-id", self.new_session.encode())]
                message = {**message, "headers": headers}
            await self._send(message)
            return
        if message["type"] != "http.response.body":
            await self._send(message)
            return
        if self._finished:
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        if self._wrapping:
            self._wrapped.append(body)
            if more:
                return
            body = b"event: message\r\ndata: " + b"".join(self._wrapped) + b"\r\n\r\n"
        if self._on_delivered is not None and body and not body.startswith(b":"):
            # The answer ends the stream in the same write: clients close as soon as they have read it, and an end that comes after
            # it would then look as if they had left something unread.
            more = False
            self._given = not self.is_gone
        self._finished = not more
        await self._send({**message, "body": body, "more_body": more})

    async def settle(self) -> None:
        """After the answer: mark what it carried as delivered, if the client's side took it whole."""
        if not self._given or self._on_delivered is None or self._acknowledged is None:
            return
        if await self._acknowledged(ACKNOWLEDGE_SECONDS):
            await asyncio.shield(asyncio.ensure_future(self._on_delivered()))


def _is_stream(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream") for name, value in message.get("headers", [])
    )
