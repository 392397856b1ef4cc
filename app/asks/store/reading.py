"""Reading asks: one, the open ones, a page of closed ones, what changed since."""

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.asks.store.rows import COLUMNS, StoredAsk, readable, required
from app.core.refusal import Refusal
from contract.problems import Code

_BY_ID = text(f"select {COLUMNS} from asks where space_id = :space and id = :id")
_OPEN = text(f"select {COLUMNS} from asks where space_id = :space and closed_at is null order by created_at desc, id desc")
_CLOSED = text(
    f"select {COLUMNS} from asks where space_id = :space and closed_at is not null "
    "and (cast(:before as timestamptz) is null or closed_at < :before) order by closed_at desc limit :most"
)
_SINCE = text(f"select {COLUMNS} from asks where space_id = :space and version > :version order by version")
_VERSION = text("select version from spaces where id = :space")


async def find(conn: AsyncConnection, space: str, ask_id: str) -> StoredAsk | None:
    """One ask of a space. A row that newer code wrote is refused with 503 `revision.newer`."""
    row = (await conn.execute(_BY_ID, {"space": space, "id": ask_id})).mappings().first()
    return required(row) if row else None


async def read(conn: AsyncConnection, space: str, ask_id: str) -> StoredAsk:
    """As `find`, but an unknown ask is refused with 404 `ask.not_found`."""
    found = await find(conn, space, ask_id)
    if found is None:
        raise Refusal(Code.ASK_NOT_FOUND, f"there is no ask {ask_id[:80]!r} in this inbox")
    return found


async def every_open(conn: AsyncConnection, space: str) -> list[StoredAsk]:
    """Every open ask, newest first."""
    return readable((await conn.execute(_OPEN, {"space": space})).mappings())


async def closed(
    conn: AsyncConnection, space: str, *, before: datetime | None, most: int
) -> tuple[list[StoredAsk], datetime | None]:
    """Closed asks, latest `closedAt` first, at most `most`; and where the next page begins, if there is one."""
    rows = (await conn.execute(_CLOSED, {"space": space, "before": before, "most": most + 1})).mappings().all()
    page = rows[:most]
    return readable(page), (page[-1]["closed_at"] if len(rows) > most else None)


async def changed_since(conn: AsyncConnection, space: str, version: int) -> tuple[int, list[StoredAsk]]:
    """What changed after `version`, in order, and the version to go on from (also past rows that are left alone)."""
    rows = (await conn.execute(_SINCE, {"space": space, "version": version})).mappings().all()
    return (rows[-1]["version"] if rows else version), readable(rows)


async def version(conn: AsyncConnection, space: str) -> int:
    """The space's version now."""
    return int((await conn.execute(_VERSION, {"space": space})).scalar_one())
