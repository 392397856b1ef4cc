"""Asks over REST."""

import asyncio
import gzip

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.asks.service import Asks
from app.asks.snapshots import Snapshots
from app.core.refusal import Refusal
from app.gate.caller import Caller
from app.rest.binding import Call, Enter, bind
from app.rest.encoding import takes_gzip
from app.rest.problem import json_response
from contract.operations import LIST_ASKS, READ_ASK, REPLY, SNAPSHOT
from contract.problems import Code

WORTH_PACKING = 16 * 1024


class AsksRest:
    """Routes."""

    def __init__(self, asks: Asks, snapshots: Snapshots, enter: Enter[Caller]) -> None:
        self._asks = asks
        self._snapshots = snapshots
        self._enter = enter

    def routes(self) -> list[Route]:
        """The operations."""
        return [
            bind(SNAPSHOT, self.snapshot, self._enter),
            bind(LIST_ASKS, self.page, self._enter),
            bind(READ_ASK, self.read, self._enter),
            bind(REPLY, self.reply, self._enter),
        ]

    async def snapshot(self, call: Call[Caller]) -> Response:
        """Every open ask and the fifty most recently closed."""
        body = (await self._snapshots.read(call.caller.space)).body
        return await _packed(call.request, body)

    async def page(self, call: Call[Caller]) -> str:
        """A page of closed asks."""
        return await self._asks.page(call.caller, before=call.query.before, limit=call.query.limit)

    async def read(self, call: Call[Caller]) -> str:
        """One ask."""
        return await self._asks.read(call.caller, call.path["id"])

    async def reply(self, call: Call[Caller]) -> str:
        """A reply to an ask."""
        key = call.request.headers.get("idempotency-key")
        if key is not None and not 0 < len(key) <= 200:
            raise Refusal(Code.REQUEST_INVALID, "Idempotency-Key: between 1 and 200 characters fit")
        return await self._asks.reply(call.caller, call.path["id"], call.body, key=key)


async def _packed(request: Request, body: str) -> Response:
    """The body, compressed away from the event loop where the client takes it and it is worth it."""
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if len(body) < WORTH_PACKING or not takes_gzip(request):
        return json_response(body, 200, headers)
    packed = await asyncio.to_thread(lambda: gzip.compress(body.encode(), 1, mtime=0))
    return Response(packed, headers={**headers, "Content-Encoding": "gzip"}, media_type="application/json")
