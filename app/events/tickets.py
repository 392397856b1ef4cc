"""One-time passes onto a socket, for clients that cannot set headers there."""

from datetime import datetime

from sqlalchemy import text

from app.core.ids import fingerprint, new_secret
from app.core.refusal import Refusal
from app.database.database import Database
from app.gate.caller import Caller
from contract.events import EventTicket
from contract.limits import EVENT_TICKET_SECONDS
from contract.problems import Code

_ISSUE = text(
    "insert into event_tickets (secret_sha256, space_id, credential, expires_at) "
    "values (:secret, :space, :credential, clock_timestamp() + make_interval(secs => :seconds)) returning expires_at"
)
_REDEEM = text(
    "delete from event_tickets where secret_sha256 = :secret returning space_id, credential, expires_at > clock_timestamp()"
)
_EXPIRED = text("delete from event_tickets where expires_at < clock_timestamp()")


class Tickets:
    """Issued to a caller, good once, for a minute. Only their digests are stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def issue(self, caller: Caller) -> EventTicket:
        """A ticket for the caller's space."""
        ticket = new_secret()
        values = {
            "secret": fingerprint(ticket),
            "space": caller.space,
            "credential": caller.credential,
            "seconds": EVENT_TICKET_SECONDS,
        }
        async with self._database.read() as conn:
            expires_at: datetime = (await conn.execute(_ISSUE, values)).scalar_one()
        return EventTicket(ticket=ticket, expires_at=expires_at)

    async def redeem(self, ticket: str) -> tuple[str, str]:
        """(space, credential) the ticket was issued to; of two at once, one gets in. Refused with 401."""
        async with self._database.read() as conn:
            row = (await conn.execute(_REDEEM, {"secret": fingerprint(ticket)})).first()
        if row is None or not row[2]:
            raise Refusal(Code.UNAUTHORIZED, "this ticket was used or has expired: ask for a new one")
        return row[0], row[1]

    async def sweep(self) -> None:
        """Remove expired tickets."""
        async with self._database.read() as conn:
            await conn.execute(_EXPIRED)
