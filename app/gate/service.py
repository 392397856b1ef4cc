"""Who may come in: recognises credentials, makes and ends them."""

import hmac
import secrets
import time
from dataclasses import dataclass

from sqlalchemy import RowMapping

from app.bus.signal import GATE, announce
from app.core.ids import fingerprint, new_id, new_secret
from app.core.refusal import Refusal
from app.database.audit import note
from app.database.database import Database
from app.gate import store
from app.gate.caller import ROLE_RIGHTS, Caller, Right
from contract.asks import Actor
from contract.problems import Code

LINK_SECONDS = 15 * 60
SESSION_SECONDS = 90 * 24 * 60 * 60
TOKEN_PREFIX = "lb_"  # noqa: S105
REMEMBER_SECONDS = 1.0
"""How long a credential that was recognised is taken at its word without asking the database again."""


@dataclass(frozen=True)
class NewToken:
    """A token as it is shown, once."""

    id: str
    secret: str


@dataclass(frozen=True)
class NewSession:
    """A session as the browser gets it, once: the cookie's value, and the half that the page keeps."""

    id: str
    cookie: str
    half: str
    space: str
    actor: Actor


class Gate:
    """Tokens, sign-in links and sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[bytes, tuple[float, Caller]] = {}
        self.instance = ""
        self.signing_key = b""

    async def open(self) -> None:
        """Learn this deployment's name and key; the first start makes them."""
        async with self._database.begin() as conn:
            self.instance, self.signing_key = await store.ensure(
                conn, instance=secrets.token_hex(4), key=secrets.token_bytes(32)
            )

    def forget(self) -> None:
        """Ask the database again about every credential: one has ended."""
        self._known.clear()

    # --- recognising --------------------------------------------------------------------------------------------------------

    async def recognise_token(self, secret: str, origin: str) -> Caller:
        """The caller whose token this is. Refused with 401 where it is none, or was revoked."""
        digest = fingerprint(secret)
        if known := self._remembered(digest, origin):
            return known
        async with self._database.read() as conn:
            row = await store.token(conn, digest)
        if row is None:
            raise Refusal(
                Code.UNAUTHORIZED, "this token is not known here, or was revoked: make one with `loopback token create`"
            )
        rights = {Right.ASK} if row["can_ask"] else set[Right]()
        rights |= {Right.REPLY} if row["can_reply"] else set[Right]()
        return self._remember(digest, _caller(row, rights, f"token:{row['id']}", origin))

    async def recognise_session(self, cookie: str, half: str | None, origin: str) -> Caller:
        """The caller whose session this is. Without its second half it opens images only: the caller has no rights."""
        digest = fingerprint(f"{cookie}.{half or ''}")
        if known := self._remembered(digest, origin):
            return known
        async with self._database.read() as conn:
            row = await store.session(conn, fingerprint(cookie))
        if row is None or (half is not None and not hmac.compare_digest(bytes(row["half_sha256"]), fingerprint(half))):
            raise Refusal(Code.UNAUTHORIZED, "this browser is signed out: run `loopback sign-in` and open the link it prints")
        rights = set[Right]() if half is None else {Right.SESSION, Right.REPLY}
        return self._remember(digest, _caller(row, rights, f"session:{row['id']}", origin))

    async def ended(self, credentials: list[str]) -> list[str]:
        """Those of the credentials that are no longer good."""
        async with self._database.read() as conn:
            return await store.ended(conn, credentials)

    def _remembered(self, digest: bytes, origin: str) -> Caller | None:
        known = self._known.get(digest)
        if known is None or known[0] < time.monotonic() or known[1].origin != origin:
            return None
        return known[1]

    def _remember(self, digest: bytes, caller: Caller) -> Caller:
        if len(self._known) > 10_000:
            self._known.clear()
        self._known[digest] = (time.monotonic() + REMEMBER_SECONDS, caller)
        return caller

    # --- tokens -------------------------------------------------------------------------------------------------------------

    async def create_token(
        self, *, label: str, can_ask: bool, can_reply: bool, space: str, actor: str, by: str, origin: str
    ) -> NewToken:
        """Make a token. One that may reply shows at once in every open inbox."""
        token = NewToken(new_id(), TOKEN_PREFIX + new_secret())
        async with self._database.begin() as conn:
            if await store.role(conn, space, actor) is None:
                raise Refusal(Code.NOT_FOUND, f"there is no actor {actor!r} in a space {space!r}: `local` is the one there is")
            await store.add_token(
                conn,
                {
                    "id": token.id,
                    "space": space,
                    "actor": actor,
                    "label": label,
                    "can_ask": can_ask,
                    "can_reply": can_reply,
                    "secret": fingerprint(token.secret),
                },
            )
            action = "token.created" if can_reply else "token.created_ask"
            await note(conn, action, space=space, actor=actor, credential=by, origin=origin, subject=token.id, label=label)
            await announce(conn, GATE, 0)
        return token

    async def tokens(self, space: str | None = None) -> list[RowMapping]:
        """Every token there is or was, newest first, without secrets."""
        async with self._database.read() as conn:
            return await store.tokens(conn, space)

    async def revoke_token(self, token_id: str, *, by: str, origin: str) -> str:
        """Revoke a token; its label. Its sockets and held calls end within two seconds."""
        async with self._database.begin() as conn:
            revoked = await store.revoke_token(conn, token_id)
            if revoked is None:
                raise Refusal(
                    Code.NOT_FOUND, f"there is no token {token_id!r} that is still good: `loopback token list` names them"
                )
            await note(
                conn,
                "token.revoked",
                space=revoked["space_id"],
                actor=None,
                credential=by,
                origin=origin,
                subject=token_id,
                label=revoked["label"],
            )
            await announce(conn, GATE, 0)
        self.forget()
        return str(revoked["label"])

    # --- sessions -----------------------------------------------------------------------------------------------------------

    async def sign_in_link(self, *, space: str = "local", actor: str = "local", origin: str = "cli") -> str:
        """A code that signs one browser in, once, within fifteen minutes. Earlier ones end."""
        code = new_secret()
        async with self._database.begin() as conn:
            await store.replace_link(conn, space, actor, fingerprint(code), LINK_SECONDS)
            await note(conn, "sign_in.link_made", space=space, actor=actor, credential=None, origin=origin)
        return code

    async def redeem(self, code: str, *, browser: str, origin: str) -> NewSession:
        """Sign a browser in. Refused with 401 where the link was used, has expired, or a newer one was made."""
        session_id, cookie, half = new_id(), new_secret(), new_secret()
        async with self._database.begin() as conn:
            opened = await store.use_link(conn, fingerprint(code))
            if opened is None:
                raise Refusal(
                    Code.UNAUTHORIZED,
                    "this sign-in link was used, has expired, or a newer one was made: run `loopback sign-in`",
                )
            space, actor = opened
            await store.add_session(
                conn,
                {
                    "id": session_id,
                    "space": space,
                    "actor": actor,
                    "cookie": fingerprint(cookie),
                    "half": fingerprint(half),
                    "browser": browser[:200],
                    "seconds": SESSION_SECONDS,
                },
            )
            await note(
                conn,
                "sign_in.redeemed",
                space=space,
                actor=actor,
                credential=f"session:{session_id}",
                origin=origin,
                subject=session_id,
                label=browser[:200],
            )
            await announce(conn, GATE, 0)
        return NewSession(session_id, cookie, half, space, Actor(id=actor))

    async def end_session(self, caller: Caller) -> None:
        """Sign a browser out."""
        session_id = caller.credential.removeprefix("session:")
        async with self._database.begin() as conn:
            await store.end_session(conn, session_id)
            await note(
                conn,
                "session.ended",
                space=caller.space,
                actor=caller.actor.id,
                credential=caller.credential,
                origin=caller.origin,
                subject=session_id,
            )
            await announce(conn, GATE, 0)
        self.forget()


def _caller(row: RowMapping, rights: set[Right], credential: str, origin: str) -> Caller:
    return Caller(
        space=row["space_id"],
        actor=Actor(id=row["actor_id"], name=row["name"]),
        rights=frozenset(rights) & ROLE_RIGHTS[row["role"]],
        credential=credential,
        origin=origin,
    )
