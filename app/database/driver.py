"""The one door to asyncpg: every connection of this product, pooled or not, is opened here."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

SCHEMES = ("postgresql", "postgres", "postgresql+asyncpg")


class ServerVersion(Protocol):
    """What the server says it is."""

    major: int


class Connection(Protocol):
    """What we use of asyncpg's connection."""

    async def fetchval(self, query: str, *arguments: Any) -> Any: ...
    async def add_listener(self, channel: str, callback: Callable[[Any, int, str, str], None]) -> None: ...
    def add_termination_listener(self, callback: Callable[[Any], None]) -> None: ...
    def get_server_version(self) -> ServerVersion: ...
    def is_closed(self) -> bool: ...
    def terminate(self) -> None: ...
    async def close(self) -> None: ...


def to_dsn(url: str) -> str:
    """The address as asyncpg reads it: with all of libpq's options, such as `sslmode` and a socket's folder as `host`."""
    scheme, _, rest = url.partition("://")
    if scheme not in SCHEMES or not rest:
        # The address itself stays out of the message: it may hold a password.
        raise ValueError("the database's address must begin with postgresql:// (LOOPBACK_DATABASE_URL)")
    return f"postgresql://{rest}"


_connect = cast(
    "Callable[..., Awaitable[Connection]]",
    asyncpg.connect,  # pyright: ignore[reportUnknownMemberType]
)


async def connect(
    url: str,
    *,
    name: str,
    seconds: float,
    statement_seconds: float | None = None,
    settings: Mapping[str, str] | None = None,
) -> Connection:
    """Open a connection within so many seconds. The server lists it under `name`."""
    return await _connect(
        to_dsn(url),
        timeout=seconds,
        command_timeout=statement_seconds,
        server_settings={"application_name": name, **(settings or {})},
    )
