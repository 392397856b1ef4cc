"""The socket: lets a caller in, sends the first frame, then what changes, and lets go of a client that does not read."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from starlette.websockets import WebSocket, WebSocketDisconnect

from app.core.refusal import Refusal
from app.events.feed import Feed, Subscription
from app.events.tickets import Tickets
from app.gate.caller import Caller, Right
from app.gate.door import Door, peer
from app.gate.holds import Holds
from app.rest.binding import check_revision
from app.rest.errors import where_of
from app.rest.problem import problem_response
from contract.asks import Actor
from contract.problems import Code

log = logging.getLogger(__name__)

PROTOCOL = "loopback.v1"
TICKET = "loopback.ticket."

PENDING_BYTES = 1024 * 1024
"""A client with more than this waiting is closed and starts again."""

BEHIND_SECONDS = 1.5
"""How long so much may wait: a burst is no fault of the client's."""

LOOK_SECONDS = 0.5

FRAME_SECONDS = 60.0
"""How long one frame may take, however large."""

TRY_AGAIN = 1013
GOING_AWAY = 1001
POLICY = 1008


class EventSocket:
    """A WebSocket endpoint over a feed."""

    def __init__(self, feed: Feed, tickets: Tickets, door: Door, holds: Holds, *, sessions_only: bool = False) -> None:
        self._feed = feed
        self._tickets = tickets
        self._door = door
        self._holds = holds
        self._sessions_only = sessions_only
        self._open: set[Callable[[int], None]] = set()

    @property
    def open(self) -> int:
        """Sockets that are open now."""
        return len(self._open)

    def drain(self) -> None:
        """Close every socket: the server is about to stop, clients come back to the next."""
        for close in tuple(self._open):
            close(1012)

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one socket."""
        try:
            check_revision(websocket)  # pyright: ignore[reportArgumentType]
            caller = await self._enter(websocket)
        except Refusal as refusal:
            await websocket.send_denial_response(problem_response(refusal))
            return
        offered = websocket.scope.get("subprotocols", [])
        await websocket.accept(subprotocol=PROTOCOL if PROTOCOL in offered else None)
        await self._serve(websocket, caller)

    async def _enter(self, websocket: WebSocket) -> Caller:
        self._door.check_origin(websocket)
        ticket = next(
            (name[len(TICKET) :] for name in websocket.scope.get("subprotocols", []) if name.startswith(TICKET)), None
        )
        if ticket is None or "authorization" in websocket.headers:
            caller = await self._door.enter(websocket)
            if self._sessions_only:
                caller.must(Right.SESSION)
            return caller
        space, credential = await self._tickets.redeem(ticket)
        await self._door.check_credential(credential)
        if self._sessions_only and not credential.startswith("session:"):
            raise Refusal(Code.FORBIDDEN, "this socket is for a signed-in browser only")
        return Caller(space, Actor(id=""), frozenset(), credential, peer(websocket))

    async def _serve(self, websocket: WebSocket, caller: Caller) -> None:
        ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def close(code: int) -> None:
            if not ended.done():
                ended.set_result(code)

        self._open.add(close)
        try:
            with self._holds.hold(caller, lambda: close(POLICY)):
                async with self._feed.subscribe(caller) as subscription:
                    tasks = [
                        asyncio.create_task(_read(websocket, close)),
                        asyncio.create_task(_send(websocket, subscription, close)),
                    ]
                    code = await ended
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._open.discard(close)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(websocket.close(code), 1)


async def _read(websocket: WebSocket, close: Callable[[int], None]) -> None:
    """Nothing is expected from the client; reading notices that it is gone, and keeps its pongs coming in."""
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
    except (WebSocketDisconnect, RuntimeError):
        return
    finally:
        close(GOING_AWAY)


async def _send(websocket: WebSocket, subscription: Subscription, close: Callable[[int], None]) -> None:
    code = TRY_AGAIN
    try:
        await asyncio.wait_for(websocket.send_text(await subscription.first()), FRAME_SECONDS)
        sender = _Sender(websocket, subscription)
        while True:
            await sender.send(await subscription.next())
    except TimeoutError:
        log.info("a socket is closed: its client does not read")
    except Refusal as refusal:
        log.warning("a socket is closed: %s", refusal.message)
    except (WebSocketDisconnect, RuntimeError):
        code = GOING_AWAY
    except Exception as error:
        log.error("a socket is closed: %s", where_of(error))
        code = 1011
    finally:
        close(code)


class _Sender:
    """Sends frames, as long as not too much waits behind them: a client may read slowly, or not at all."""

    def __init__(self, websocket: WebSocket, subscription: Subscription) -> None:
        self._websocket = websocket
        self._subscription = subscription
        self._clock = asyncio.get_running_loop().time
        self._looked = self._clock()
        self._behind_since: float | None = None

    async def send(self, frames: Sequence[str]) -> None:
        """Send these. Raises TimeoutError when the client does not keep up."""
        for at, frame in enumerate(frames):
            sending = asyncio.ensure_future(self._websocket.send_text(frame))
            end = self._clock() + FRAME_SECONDS
            try:
                while not sending.done():
                    await asyncio.wait({sending}, timeout=LOOK_SECONDS)
                    self._look(frames[at + 1 :])
                    if self._clock() > end and not sending.done():
                        raise TimeoutError
                sending.result()
            finally:
                sending.cancel()

    def _look(self, left: Sequence[str]) -> None:
        now = self._clock()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        sizes = [len(frame) for frame in left]
        waiting = self._subscription.pending + sum(sizes) - max(sizes, default=0)
        if waiting <= PENDING_BYTES:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = now
        elif now - self._behind_since >= BEHIND_SECONDS:
            raise TimeoutError
