"""The pool of connections."""

from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.database.driver import Connection, connect, to_dsn

POOL_SECONDS = 2
"""How long a use-case waits for a connection."""

CONNECT_SECONDS = 5
STATEMENT_SECONDS = 30


def make_engine(url: str, *, pool: int = 8) -> AsyncEngine:
    """An engine with at most `pool` connections, opened when first needed.

    More connections would not write faster: every commit that notifies takes the same lock.
    """
    to_dsn(url)  # an address that cannot work is said at once, not at the first request

    async def open_connection() -> Connection:
        return await connect(url, name="loopback", seconds=CONNECT_SECONDS, statement_seconds=STATEMENT_SECONDS)

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=open_connection,
        pool_size=pool,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "checkout", _replace_if_closed)
    return engine


def _replace_if_closed(connection: Any, record: Any, proxy: Any) -> None:
    """Notice, without asking the server, that an idle connection was closed by it. The pool then opens another."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError("closed by the server")
