"""Builds each part and hands it what it needs; nothing else does."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp

from app import __version__
from app.asks.changes import Changes
from app.asks.follow import Following
from app.asks.live import AskFeed
from app.asks.rest import AsksRest
from app.asks.service import Asks
from app.asks.snapshots import Snapshots
from app.asks.tools import AsksTools
from app.blobs.folder import FolderBlobs
from app.blobs.store import BlobStore
from app.bus.bus import Bus
from app.core.addresses import Addresses
from app.core.build import build
from app.core.clock import system_clock
from app.core.ids import new_id
from app.core.refusal import Refusal
from app.database.database import Database
from app.database.engine import make_engine
from app.events.rest import EventsRest
from app.events.socket import EventSocket
from app.events.tickets import Tickets
from app.gate.door import Door
from app.gate.holds import Holds
from app.gate.notices import NoticeFeed
from app.gate.rest import BASE as INBOX_API
from app.gate.rest import GateRest
from app.gate.service import Gate
from app.mcp.server import McpServer
from app.mcp.sessions import Sessions
from app.rest.bundle import Bundle
from app.rest.errors import failed, not_served, refused
from app.rest.health import Health
from app.rest.middleware import OurHeaders, OurHosts
from app.rest.reference import Reference
from app.settings import Settings
from app.uploads.rest import UploadsRest
from app.uploads.service import Uploads
from app.uploads.tools import UploadsTools
from contract.operations import BASE, EVENTS

log = logging.getLogger(__name__)

SWEEP_SECONDS = 300.0


@dataclass(frozen=True)
class Application:
    """The whole server as one ASGI application, and what its launcher needs of it."""

    asgi: ASGIApp
    gate: Gate
    addresses: Addresses
    drain: Callable[[], Awaitable[None]]
    """End what is held, well-formed: the server is about to stop."""


def create_app(settings: Settings) -> Application:
    """The server these settings describe. It needs a `database_url` that leads to a migrated database: the launcher sees to that."""
    if settings.database_url is None:
        raise ValueError("LOOPBACK_DATABASE_URL is not set: `loopback serve` starts a Postgres of its own where there is none")
    direct_url = settings.database_direct_url or settings.database_url
    addresses = Addresses(settings.address(), frozenset({settings.host}))
    replica = new_id()

    database = Database(make_engine(settings.database_url))
    blobs = _blobs(settings)
    bus = Bus(direct_url)
    gate = Gate(database)
    door = Door(gate, addresses)
    holds = Holds(gate, bus)
    tickets = Tickets(database)

    uploads = Uploads(database, blobs, addresses, max_bytes=settings.upload_max_bytes, new_id=new_id, clock=system_clock)
    asks = Asks(database, uploads, replica=replica, new_id=new_id)
    changes = Changes(bus, database)
    following = Following(asks, changes, database, replica=replica)
    snapshots = Snapshots(asks)
    socket = EventSocket(AskFeed(changes, snapshots), tickets, door, holds)
    live = EventSocket(NoticeFeed(database, bus), tickets, door, holds, sessions_only=True)
    tools = [*AsksTools(asks, following, holds, addresses).bound(), *UploadsTools(uploads).bound()]
    mcp = McpServer(tools, enter=door.enter_to_ask, sessions=Sessions(lambda: gate.signing_key), version=__version__)

    async def drain() -> None:
        socket.drain()
        live.drain()
        await following.drain()

    async def sweep() -> None:
        while True:
            for work in (uploads.sweep, tickets.sweep):
                try:
                    await work()
                except Exception as failure:
                    log.warning("a sweep failed, trying again later: %s", type(failure).__name__)
            await asyncio.sleep(SWEEP_SECONDS)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(database.close)
            stack.push_async_callback(blobs.close)
            await gate.open()
            await bus.start()
            stack.push_async_callback(bus.close)
            stack.push_async_callback(changes.close)
            await holds.start()
            stack.push_async_callback(holds.close)
            await following.start()
            stack.push_async_callback(following.close)
            sweeping = asyncio.create_task(sweep())
            stack.callback(sweeping.cancel)
            await stack.enter_async_context(mcp.run())
            yield

    async def reachable() -> bool:
        async with database.read() as conn:
            return (await conn.exec_driver_sql("select 1")).scalar() == 1

    async def connected() -> bool:
        return bus.connected

    health = Health(
        {"database": reachable, "bus": connected},
        lambda: {
            "loopback_held_calls": following.held,
            "loopback_sockets": socket.open,
            "loopback_bus_connected": int(bus.connected),
            "loopback_bus_reconnects_total": bus.reconnects,
        },
        door.enter,
    )
    gate_rest = GateRest(gate, door, addresses, build=build(), token=lambda: _local_token(settings))
    bundle = Bundle(addresses)
    routes: list[BaseRoute] = [
        *AsksRest(asks, snapshots, door.enter).routes(),
        *EventsRest(tickets, door.enter).routes(),
        *UploadsRest(uploads, door.enter_for_image).routes(),
        WebSocketRoute(BASE + EVENTS, socket.serve),
        *gate_rest.routes(),
        WebSocketRoute(f"{INBOX_API}/live", live.serve),
        Route("/mcp", mcp.wire),
        Route("/mcp/", mcp.wire),
        *health.routes(),
        *Reference().routes(),
        *bundle.routes(),
    ]
    handlers: dict[int | type[Exception], Any] = {
        Refusal: refused,
        HTTPException: not_served(bundle.unknown),
        Exception: failed,
    }
    api = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        routes=routes,
        exception_handlers=handlers,
    )
    return Application(OurHeaders(OurHosts(api, addresses=addresses), build=build()), gate, addresses, drain)


def _blobs(settings: Settings) -> BlobStore:
    if settings.blobs == "file":
        return FolderBlobs(settings.data_dir / "images")
    if not settings.s3_bucket:
        raise ValueError("LOOPBACK_BLOBS is s3: set LOOPBACK_S3_BUCKET, too")
    from app.blobs.s3 import S3Blobs  # boto3 takes half a second to import

    return S3Blobs(settings.s3_bucket, endpoint=settings.s3_endpoint, region=settings.s3_region)


def _local_token(settings: Settings) -> str | None:
    """The token that this machine's own agents use, where the launcher has made one."""
    try:
        return settings.local_token_file.read_text().strip() or None
    except OSError:
        return None
