"""Who is calling, and what they may do."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from app.core.refusal import Refusal
from contract.asks import Actor
from contract.problems import Code


class Right(StrEnum):
    """What a credential may do."""

    ASK = "ask"
    REPLY = "reply"
    SESSION = "session"


Role = Literal["owner", "member", "observer"]

ROLE_RIGHTS: dict[Role, frozenset[Right]] = {
    "owner": frozenset(Right),
    "member": frozenset(Right),
    "observer": frozenset({Right.ASK, Right.SESSION}),
}
"""No credential has more rights than its actor's role in the space."""


@dataclass(frozen=True)
class Caller:
    """A credential, recognised: the space it opens, whose it is, what it may do, and where the call came from."""

    space: str
    actor: Actor
    rights: frozenset[Right]
    credential: str
    """`token:<id>` or `session:<id>`."""

    origin: str = ""
    """The peer's address, for the audit."""

    def must(self, right: Right) -> None:
        """Refuse with 403 unless the credential has the right."""
        if right not in self.rights:
            raise Refusal(Code.FORBIDDEN, _MISSING[right])


_MISSING = {
    Right.ASK: "this credential may not ask: make a token with `loopback token create --label NAME --can ask`",
    Right.REPLY: "this credential may not reply: answer in the web inbox, or make a token with --can reply",
    Right.SESSION: "this address is for a signed-in browser only",
}
