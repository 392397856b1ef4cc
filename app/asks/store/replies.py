"""What is known of replies beside their words: for joining a call, for a request sent again, and whether the agent has them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.asks.store.rows import COLUMNS, StoredAsk, required


@dataclass(frozen=True)
class Given:
    """What is known of a reply beside its words."""

    entry: int
    outcome: str
    at: datetime
    delivered_at: datetime | None


_LATEST_CALL = text(
    f"select {COLUMNS} from asks where space_id = :space and call_sha256 = :call and raised_by = :actor "
    "order by created_at desc, id desc limit 1"
)
_LATEST_REPLY = text("select entry, outcome, at, delivered_at from replies where ask_id = :id order by entry desc limit 1")
_KEYED = text(
    "select entry, body_sha256 from replies where ask_id = :id and actor_id = :actor and idempotency_key = :key "
    "and at > clock_timestamp() - make_interval(secs => :seconds) order by entry desc limit 1"
)
_DELIVERED = text(
    "update replies set delivered_at = clock_timestamp() where ask_id = :id and entry = :entry and delivered_at is null"
)
_RAISED = text(
    "select a.id, a.kind, a.title, a.project, a.status, a.created_at, r.outcome, r.at, r.delivered_at from asks a "
    "left join lateral (select * from replies where ask_id = a.id order by entry desc limit 1) r on true "
    "where a.space_id = :space and a.raised_by = :actor and (cast(:project as text) is null or a.project = :project) "
    "and (cast(:status as text) is null or a.status = :status) order by a.created_at desc, a.id desc limit :most"
)


async def latest_call(conn: AsyncConnection, space: str, call: bytes, actor: str) -> StoredAsk | None:
    """The newest ask that this very call opened."""
    row = (await conn.execute(_LATEST_CALL, {"space": space, "call": call, "actor": actor})).mappings().first()
    return required(row) if row else None


async def latest_reply(conn: AsyncConnection, ask_id: str) -> Given | None:
    """The latest reply of an ask."""
    row = (await conn.execute(_LATEST_REPLY, {"id": ask_id})).mappings().first()
    return Given(row["entry"], row["outcome"], row["at"], row["delivered_at"]) if row else None


async def body_of_key(conn: AsyncConnection, ask_id: str, actor: str, key: str, seconds: int) -> bytes | None:
    """The digest of the reply that this key was used for, within so many seconds."""
    values = {"id": ask_id, "actor": actor, "key": key, "seconds": seconds}
    row = (await conn.execute(_KEYED, values)).mappings().first()
    return row["body_sha256"] if row else None


async def mark_delivered(conn: AsyncConnection, ask_id: str, entry: int) -> None:
    """Note that the agent has this reply. The first mark stays."""
    await conn.execute(_DELIVERED, {"id": ask_id, "entry": entry})


async def raised(
    conn: AsyncConnection, space: str, actor: str, *, project: str | None, status: str | None, most: int
) -> list[RowMapping]:
    """Asks that an actor raised, newest first, each with its latest reply's marks."""
    values = {"space": space, "actor": actor, "project": project, "status": status, "most": most}
    return list((await conn.execute(_RAISED, values)).mappings())
