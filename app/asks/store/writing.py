"""Writing asks. Every write takes the space's row first, so within a space the order of versions is the order of commits."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.asks.store.rows import document
from app.bus.signal import CHANNEL, payload
from contract.asks import Ask
from contract.upgrades import CURRENT


@dataclass(frozen=True)
class Taken:
    """A space taken for writing: the version this transaction stamps, and its moment, later than the last close."""

    space: str
    version: int
    at: datetime


_TAKE = text(
    "update spaces set version = version + 1 where id = :space returning version, "
    "greatest(date_trunc('milliseconds', clock_timestamp()), last_closed_at + interval '1 millisecond') as at"
)

_OPEN_ASK = text(
    "with opened as (insert into asks (id, space_id, version, kind, status, waiting, revision, doc, title, project, raised_by, "
    "credential, call_sha256, created_at, updated_at) values (:id, :space, :version, :kind, :status, true, :revision, :doc, "
    ":title, :project, :actor, :credential, :call, :at, :at) returning id), "
    "followed as (insert into followers (id, ask_id, replica_id) select :follower, id, :replica from opened), "
    "noted as (insert into audit (space_id, actor_id, credential, action, subject, origin) "
    "values (:space, :actor, :credential, 'ask.opened', :id, :origin)) "
    "select pg_notify(:channel, :payload)"
)

_SAVE = (
    "with saved as (update asks set version = :version, status = :status, waiting = :waiting, waiting_changed_at = "
    "case when waiting = :waiting then waiting_changed_at else clock_timestamp() end, revision = :revision, doc = :doc, "
    "updated_at = :at, closed_at = :closed_at where id = :id), "
)
_NOTE = (
    "noted as (insert into audit (space_id, actor_id, credential, action, subject, origin) "
    "values (:space, :actor, :credential, :action, :id, :origin)) select pg_notify(:channel, :payload)"
)

_SAVE_REPLY = text(
    _SAVE + "given as (insert into replies (ask_id, entry, space_id, actor_id, outcome, idempotency_key, body_sha256, at) "
    "values (:id, :entry, :space, :actor, :outcome, :key, :body, :at)), "
    "freed as (delete from followers where ask_id = :id), "
    "closed as (update spaces set last_closed_at = :closed_at where id = :space and cast(:closed_at as timestamptz) is not null), "
    + _NOTE
)

_SAVE_ANSWER = text(
    _SAVE + "followed as (insert into followers (id, ask_id, replica_id) values (:follower, :id, :replica)), " + _NOTE
)


async def take(conn: AsyncConnection, space: str) -> Taken:
    """Take the space for writing, until the transaction ends."""
    row = (await conn.execute(_TAKE, {"space": space})).mappings().one()
    return Taken(space, row["version"], row["at"])


@dataclass(frozen=True)
class By:
    """Who writes, for the row and its audit."""

    actor: str
    credential: str
    origin: str


async def open_ask(
    conn: AsyncConnection, taken: Taken, ask: Ask, *, title: str, call: bytes, by: By, follower: str, replica: str
) -> None:
    """Store a new ask with its first follower, and announce it."""
    values = _saving(taken, ask, by) | {
        "kind": ask.kind,
        "title": title,
        "project": ask.project,
        "call": call,
        "follower": follower,
        "replica": replica,
    }
    await conn.execute(_OPEN_ASK, values)


async def save_reply(
    conn: AsyncConnection, taken: Taken, ask: Ask, *, entry: int, outcome: str, key: str | None, body: bytes, by: By
) -> None:
    """Store an ask that was replied to, end its followings, and announce it."""
    values = _saving(taken, ask, by) | {
        "entry": entry,
        "outcome": outcome,
        "key": key,
        "body": body,
        "action": "ask.replied",
    }
    await conn.execute(_SAVE_REPLY, values)


async def save_answer(conn: AsyncConnection, taken: Taken, ask: Ask, *, by: By, follower: str, replica: str) -> None:
    """Store an ask that its agent answered, with the follower that waits on, and announce it."""
    values = _saving(taken, ask, by) | {"follower": follower, "replica": replica, "action": "ask.answered"}
    await conn.execute(_SAVE_ANSWER, values)


def _saving(taken: Taken, ask: Ask, by: By) -> dict[str, Any]:
    return {
        "id": ask.id,
        "space": taken.space,
        "version": taken.version,
        "status": ask.status,
        "waiting": ask.waiting,
        "revision": CURRENT,
        "doc": document(ask),
        "at": taken.at,
        "closed_at": ask.closed_at,
        "actor": by.actor,
        "credential": by.credential,
        "origin": by.origin,
        "channel": CHANNEL,
        "payload": payload(taken.space, taken.version),
    }
