"""Asks as MCP tools."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from app.asks.follow import Collected, End, Following, Wait
from app.asks.service import Asks, Followed
from app.core.addresses import Addresses
from app.core.refusal import Refusal
from app.gate.holds import Holds
from app.mcp.server import BoundTool, ToolCall
from contract.agents import InboxLink
from contract.problems import Code
from contract.tools import (
    ANSWER_BRIEFING,
    ANSWER_FOLLOW_UP,
    ASK_QUESTION,
    GET_INBOX,
    LIST_ASKS,
    REQUEST_REVIEW,
    SEND_BRIEFING,
    WAIT_FOR_REPLY,
    ListedAsks,
)

Begin = Callable[[ToolCall], Coroutine[Any, Any, Followed]]

STILL_WAITING = (
    "No reply yet; the ask stays open and the reply will be kept for you. Do not ask again in other words. Call wait_for_reply with "
    "this askId to go on waiting, or go on with other work and call it later."
)
GIVEN_BEFORE = (
    "The person gave this reply at repliedAt, before this call, to the very same call made earlier. It counts; only if things have changed "
    "since, ask anew with what has changed in words."
)


class AsksTools:
    """The tools."""

    def __init__(self, asks: Asks, following: Following, holds: Holds, addresses: Addresses) -> None:
        self._asks = asks
        self._following = following
        self._holds = holds
        self._addresses = addresses

    def bound(self) -> list[BoundTool]:
        """Each tool with what serves it."""
        return [
            *(
                BoundTool(tool, self._waiting(self._opening(tool.name)))
                for tool in (ASK_QUESTION, REQUEST_REVIEW, SEND_BRIEFING)
            ),
            *(BoundTool(tool, self._waiting(self._answering)) for tool in (ANSWER_FOLLOW_UP, ANSWER_BRIEFING)),
            BoundTool(WAIT_FOR_REPLY, self._waiting(self._rejoining, expects_earlier=True)),
            BoundTool(GET_INBOX, self.get_inbox),
            BoundTool(LIST_ASKS, self.list_asks),
        ]

    async def get_inbox(self, call: ToolCall) -> InboxLink:
        """The inbox's address, or an ask's in it."""
        if call.input.ask_id is not None:
            await self._asks.read(call.caller, call.input.ask_id)
        return InboxLink(url=self._addresses.inbox(call.input.ask_id))

    async def list_asks(self, call: ToolCall) -> ListedAsks:
        """The asks that the caller's actor raised."""
        return await self._asks.raised(call.caller, project=call.input.project, status=call.input.status)

    def _opening(self, tool: str) -> Begin:
        async def begin(call: ToolCall) -> Followed:
            return await self._asks.open(call.caller, tool, call.input, client=call.line.client)

        return begin

    async def _answering(self, call: ToolCall) -> Followed:
        return await self._asks.answer(call.caller, call.input)

    async def _rejoining(self, call: ToolCall) -> Followed:
        return await self._asks.follow(call.caller, call.input.ask_id)

    def _waiting(self, begin: Begin, *, expects_earlier: bool = False) -> Callable[[ToolCall], Awaitable[dict[str, Any]]]:
        """Serves a tool that waits. One that `expects_earlier` replies need not be told that a reply was there before the call."""

        async def serve(call: ToolCall) -> dict[str, Any]:
            wait = Wait()
            with self._holds.hold(call.caller, lambda: wait.end(End.REVOKED)):
                call.line.on_gone(lambda: wait.end(End.GONE))
                followed = await self._begun(begin(call))
                collected = await self._following.wait(followed, wait, longest=call.line.longest, progress=call.progress)
            if collected is not None:
                call.line.on_delivered(lambda: self._asks.delivered(collected.ask_id, collected.entry))
                return _replied(collected, given_before=followed.given_before and not expects_earlier)
            if wait.ended is End.REVOKED:
                raise Refusal(
                    Code.UNAUTHORIZED, f"this token was revoked while the call waited; the ask {followed.ask_id} stays open"
                )
            return {"askId": followed.ask_id, "waiting": True, "next": STILL_WAITING}

        return serve

    async def _begun(self, begin: Coroutine[Any, Any, Followed]) -> Followed:
        """The ask that a call follows. Of a call that is cancelled meanwhile no follower is left behind."""
        beginning = asyncio.ensure_future(begin)
        try:
            return await asyncio.shield(beginning)
        except asyncio.CancelledError:
            self._following.leave(beginning)
            raise


def _replied(collected: Collected, *, given_before: bool) -> dict[str, Any]:
    values: dict[str, Any] = {"askId": collected.ask_id, "reply": collected.reply, "repliedAt": collected.at}
    return {**values, "next": GIVEN_BEFORE} if given_before else values
