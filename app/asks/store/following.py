"""Who follows an ask: a row per follower, alive as long as its replica's lease, or its own.

Only the database's clock counts here: replicas' clocks differ.
"""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.asks.store.writing import Taken
from app.bus.signal import CHANNEL, payload

_ALIVE = (
    "exists (select 1 from followers f left join replicas p on p.id = f.replica_id "
    "where f.ask_id = a.id and coalesce(f.expires_at, p.expires_at) > clock_timestamp())"
)

_BEAT = text(
    "insert into replicas (id, expires_at) values (:replica, clock_timestamp() + make_interval(secs => :seconds)) "
    "on conflict (id) do update set expires_at = excluded.expires_at"
)
_BURY = text("delete from replicas where expires_at < clock_timestamp() - interval '1 minute'")
_LEAVE = text("delete from replicas where id = :replica")
_FOLLOW = text("insert into followers (id, ask_id, replica_id) values (:follower, :id, :replica)")
_UNFOLLOW = text("delete from followers where id = :follower")
_LINGER_ALL = text(
    "update followers set replica_id = null, expires_at = clock_timestamp() + make_interval(secs => :seconds) "
    "where replica_id = :replica"
)
_LINGER = text(
    "update followers set replica_id = null, expires_at = clock_timestamp() + make_interval(secs => :seconds) "
    "where id = :follower"
)
_EXPIRED = text("delete from followers where expires_at < clock_timestamp() - interval '1 minute'")
_ASTRAY = text(
    f"select a.space_id, a.id from asks a where a.waiting and a.waiting_changed_at < clock_timestamp() - interval '1 second' "
    f"and not {_ALIVE} union all "
    "select distinct a.space_id, a.id from followers o join asks a on a.id = o.ask_id "
    "where not a.waiting and a.closed_at is null and a.waiting_changed_at < clock_timestamp() - interval '1 second' "
    f"and {_ALIVE} limit 200"
)
_SETTLE = text(
    f"with settled as (update asks a set waiting = not waiting, waiting_changed_at = clock_timestamp(), version = :version "
    f"where a.id = :id and a.closed_at is null and a.waiting <> {_ALIVE} "
    "and a.waiting_changed_at < clock_timestamp() - interval '1 second' returning a.id) "
    "select pg_notify(:channel, :payload) from settled"
)


async def beat(conn: AsyncConnection, replica: str, seconds: float) -> None:
    """Renew a replica's lease, and clear away what ended long ago."""
    await conn.execute(_BEAT, {"replica": replica, "seconds": seconds})
    await conn.execute(_BURY)
    await conn.execute(_EXPIRED)


async def leave(conn: AsyncConnection, replica: str) -> None:
    """End a replica's lease, and with it every following it still holds."""
    await conn.execute(_LEAVE, {"replica": replica})


async def follow(conn: AsyncConnection, ask_id: str, follower: str, replica: str) -> None:
    """Begin to follow an ask."""
    await conn.execute(_FOLLOW, {"id": ask_id, "follower": follower, "replica": replica})


async def unfollow(conn: AsyncConnection, follower: str) -> None:
    """Stop following. A following that a reply has ended is gone already."""
    await conn.execute(_UNFOLLOW, {"follower": follower})


async def linger(conn: AsyncConnection, follower: str, seconds: float) -> None:
    """Follow on for a while with nobody on the line."""
    await conn.execute(_LINGER, {"follower": follower, "seconds": seconds})


async def linger_all(conn: AsyncConnection, replica: str, seconds: float) -> None:
    """As `linger`, for every follower that a replica holds: it is about to stop."""
    await conn.execute(_LINGER_ALL, {"replica": replica, "seconds": seconds})


async def astray(conn: AsyncConnection) -> list[tuple[str, str]]:
    """(space, ask) wherever `waiting` does not say what is so, and did not change within the last second."""
    return [(row[0], row[1]) for row in await conn.execute(_ASTRAY)]


async def settle(conn: AsyncConnection, taken: Taken, ask_id: str) -> bool:
    """Turn `waiting` to what is so, and announce it. `updatedAt` stays as it was.

    False where it said so already, and where it changed within the last second: a later sweep sees to it, so that it does not
    flicker.
    """
    values = {
        "id": ask_id,
        "version": taken.version,
        "channel": CHANNEL,
        "payload": payload(taken.space, taken.version),
    }
    return (await conn.execute(_SETTLE, values)).first() is not None
