"""Uploads and their tickets in Postgres: the only SQL about them."""

from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.uploads.rules.tickets import Ticket

_ISSUE = text(
    "insert into uploads (id, space_id, actor_id, secret_sha256, content_type, max_bytes, expires_at) "
    "values (:id, :space, :actor, :secret, :content_type, :max_bytes, clock_timestamp() + make_interval(secs => :seconds)) "
    "returning expires_at"
)
_TICKET = text(
    "select id, space_id, actor_id, content_type, max_bytes, expires_at, stored_at, clock_timestamp() as now "
    "from uploads where space_id = :space and secret_sha256 = :secret"
)
_CLAIM = text(
    "update uploads set object_key = :key, size = :size, sha256 = :sha256, stored_at = clock_timestamp() "
    "where id = :id and stored_at is null returning id"
)
_STORED = text(
    "select id, content_type, object_key, size from uploads where space_id = :space and id = :id and stored_at is not null"
)
_WHICH = text("select id from uploads where space_id = :space and stored_at is not null and id = any(:ids)")
_KNOWN = text("select object_key from uploads where object_key = any(:keys)")
_EXPIRED = text("delete from uploads where stored_at is null and expires_at < clock_timestamp() - interval '1 hour'")


async def issue(conn: AsyncConnection, values: dict[str, Any]) -> datetime:
    """Store a ticket; when it expires."""
    expires_at: datetime = (await conn.execute(_ISSUE, values)).scalar_one()
    return expires_at


async def ticket(conn: AsyncConnection, space: str, secret: bytes) -> tuple[Ticket, datetime] | None:
    """A ticket by its secret's digest, and the database's moment."""
    row = (await conn.execute(_TICKET, {"space": space, "secret": secret})).mappings().first()
    if row is None:
        return None
    ticket = Ticket(
        row["id"],
        row["space_id"],
        row["actor_id"],
        row["content_type"],
        row["max_bytes"],
        row["expires_at"],
        used=row["stored_at"] is not None,
    )
    return ticket, row["now"]


async def claim(conn: AsyncConnection, id: str, *, key: str, size: int, sha256: bytes) -> bool:
    """Use the ticket up for bytes that are stored. Of several at once one gets it."""
    return (await conn.execute(_CLAIM, {"id": id, "key": key, "size": size, "sha256": sha256})).first() is not None


async def stored(conn: AsyncConnection, space: str, id: str) -> RowMapping | None:
    """A stored upload of the space."""
    return (await conn.execute(_STORED, {"space": space, "id": id})).mappings().first()


async def which_stored(conn: AsyncConnection, space: str, ids: list[str]) -> set[str]:
    """Those of the ids that are stored uploads of the space."""
    return {row[0] for row in await conn.execute(_WHICH, {"space": space, "ids": ids})}


async def known_keys(conn: AsyncConnection, keys: list[str]) -> set[str]:
    """Those of the keys that a stored row names."""
    return {row[0] for row in await conn.execute(_KNOWN, {"keys": keys})}


async def drop_expired(conn: AsyncConnection) -> None:
    """Remove tickets that expired an hour ago: until then, using one says that it expired."""
    await conn.execute(_EXPIRED)
