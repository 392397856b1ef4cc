"""Credentials in Postgres: the only SQL about them. Secrets are stored hashed."""

from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

_ENSURE = tuple(
    text(sql)
    for sql in (
        "insert into instance (id, signing_key) select :instance, :key where not exists (select 1 from instance)",
        "insert into spaces (id, name) values ('local', 'Local') on conflict do nothing",
        "insert into actors (id) values ('local') on conflict do nothing",
        "insert into memberships (space_id, actor_id, role) values ('local', 'local', 'owner') on conflict do nothing",
    )
)
_INSTANCE = text("select id, signing_key from instance order by created_at, id limit 1")

_MEMBER = "join memberships m on m.space_id = t.space_id and m.actor_id = t.actor_id join actors a on a.id = t.actor_id"

_TOKEN = text(
    "select t.id, t.space_id, t.actor_id, a.name, m.role, t.can_ask, t.can_reply, "
    "t.last_used_at is null or t.last_used_at < clock_timestamp() - interval '1 minute' as idle "
    f"from tokens t {_MEMBER} where t.secret_sha256 = :secret and t.revoked_at is null"
)
_SESSION = text(
    "select t.id, t.space_id, t.actor_id, a.name, m.role, t.half_sha256 "
    f"from sessions t {_MEMBER} where t.cookie_sha256 = :secret and t.ended_at is null and t.expires_at > clock_timestamp()"
)
_USED = text("update tokens set last_used_at = clock_timestamp() where id = :id")
_NEW_TOKEN = text(
    "insert into tokens (id, space_id, actor_id, label, can_ask, can_reply, secret_sha256) "
    "values (:id, :space, :actor, :label, :can_ask, :can_reply, :secret)"
)
_TOKENS = text(
    "select id, space_id, actor_id, label, can_ask, can_reply, created_at, last_used_at, revoked_at from tokens "
    "where cast(:space as text) is null or space_id = :space order by created_at desc, id desc"
)
_REVOKE = text(
    "update tokens set revoked_at = clock_timestamp() where id = :id and revoked_at is null returning space_id, label"
)
_MEMBERSHIP = text("select role from memberships where space_id = :space and actor_id = :actor")
_DROP_LINKS = text("delete from sign_in_links where space_id = :space and actor_id = :actor or expires_at < clock_timestamp()")
_NEW_LINK = text(
    "insert into sign_in_links (secret_sha256, space_id, actor_id, expires_at) "
    "values (:secret, :space, :actor, clock_timestamp() + make_interval(secs => :seconds))"
)
_USE_LINK = text(
    "delete from sign_in_links where secret_sha256 = :secret and expires_at > clock_timestamp() returning space_id, actor_id"
)
_NEW_SESSION = text(
    "insert into sessions (id, space_id, actor_id, cookie_sha256, half_sha256, browser, expires_at) "
    "values (:id, :space, :actor, :cookie, :half, :browser, clock_timestamp() + make_interval(secs => :seconds))"
)
_END_SESSION = text("update sessions set ended_at = clock_timestamp() where id = :id and ended_at is null returning space_id")
_ENDED = text(
    "select 'token:' || id as credential from tokens where revoked_at is not null and id = any(:tokens) union all "
    "select 'session:' || id from sessions where (ended_at is not null or expires_at < clock_timestamp()) and id = any(:sessions)"
)
_NOTICES = text(
    "select id, action, label, at from audit where space_id = :space and id > :after "
    "and action in ('sign_in.redeemed', 'token.created', 'token.revoked') order by id"
)
_LAST_NOTE = text("select coalesce(max(id), 0) from audit where space_id = :space")


async def ensure(conn: AsyncConnection, *, instance: str, key: bytes) -> tuple[str, bytes]:
    """The instance's name and signing key, made at the first start together with the local space, actor and membership."""
    for statement in _ENSURE:
        await conn.execute(statement, {"instance": instance, "key": key} if statement is _ENSURE[0] else {})
    row = (await conn.execute(_INSTANCE)).mappings().one()
    return row["id"], bytes(row["signing_key"])


async def token(conn: AsyncConnection, secret: bytes) -> RowMapping | None:
    """A token that is good, with its actor and role."""
    row = (await conn.execute(_TOKEN, {"secret": secret})).mappings().first()
    if row is not None and row["idle"]:
        await conn.execute(_USED, {"id": row["id"]})
    return row


async def session(conn: AsyncConnection, cookie: bytes) -> RowMapping | None:
    """A session that is good, with its actor and role."""
    return (await conn.execute(_SESSION, {"secret": cookie})).mappings().first()


async def role(conn: AsyncConnection, space: str, actor: str) -> str | None:
    """The actor's role in the space, if it has one."""
    return (await conn.execute(_MEMBERSHIP, {"space": space, "actor": actor})).scalar()


async def add_token(conn: AsyncConnection, values: dict[str, Any]) -> None:
    """Store a token: id, space, actor, label, can_ask, can_reply, and the digest of its secret."""
    await conn.execute(_NEW_TOKEN, values)


async def tokens(conn: AsyncConnection, space: str | None) -> list[RowMapping]:
    """Every token, revoked ones too, newest first."""
    return list((await conn.execute(_TOKENS, {"space": space})).mappings())


async def revoke_token(conn: AsyncConnection, token_id: str) -> RowMapping | None:
    """Revoke; the token's space and label, or None where it is not there or was revoked before."""
    return (await conn.execute(_REVOKE, {"id": token_id})).mappings().first()


async def replace_link(conn: AsyncConnection, space: str, actor: str, secret: bytes, seconds: int) -> None:
    """A new sign-in link; earlier ones of the same actor end."""
    await conn.execute(_DROP_LINKS, {"space": space, "actor": actor})
    await conn.execute(_NEW_LINK, {"space": space, "actor": actor, "secret": secret, "seconds": seconds})


async def use_link(conn: AsyncConnection, secret: bytes) -> tuple[str, str] | None:
    """Use a link up: (space, actor) it is for. One caller gets it, however many try."""
    row = (await conn.execute(_USE_LINK, {"secret": secret})).first()
    return (row[0], row[1]) if row else None


async def add_session(conn: AsyncConnection, values: dict[str, Any]) -> None:
    """Store a session: id, space, actor, digests of cookie and half, browser, seconds."""
    await conn.execute(_NEW_SESSION, values)


async def end_session(conn: AsyncConnection, session_id: str) -> str | None:
    """End a session; its space."""
    return (await conn.execute(_END_SESSION, {"id": session_id})).scalar()


async def ended(conn: AsyncConnection, credentials: list[str]) -> list[str]:
    """Those of the credentials that are no longer good."""
    by_kind: dict[str, list[str]] = {"token": [], "session": []}
    for credential in credentials:
        kind, _, id = credential.partition(":")
        by_kind[kind].append(id)
    rows = await conn.execute(_ENDED, {"tokens": by_kind["token"], "sessions": by_kind["session"]})
    return [row[0] for row in rows]


async def notices(conn: AsyncConnection, space: str, after: int) -> list[RowMapping]:
    """What every open inbox is told at once, after this row of the audit."""
    return list((await conn.execute(_NOTICES, {"space": space, "after": after})).mappings())


async def last_note(conn: AsyncConnection, space: str) -> int:
    """The number of the space's last row in the audit."""
    return int((await conn.execute(_LAST_NOTE, {"space": space})).scalar_one())
