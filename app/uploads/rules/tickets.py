"""An upload ticket: what it is good for, and until when."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from app.core.refusal import Refusal
from contract.problems import Code

CLAIM_SECONDS = 60
"""How long one PUT may take to store bytes that are in and checked. Should its process die, another may try after that."""


class TicketState(StrEnum):
    """issued → storing → stored; back to issued when storing failed."""

    ISSUED = "issued"
    STORING = "storing"
    STORED = "stored"


@dataclass(frozen=True, slots=True)
class Ticket:
    """Leave to upload one image, once."""

    content_type: str
    max_bytes: int
    expires_at: datetime
    state: TicketState = TicketState.ISSUED
    claimed_until: datetime | None = None


def admit(ticket: Ticket | None, now: datetime) -> Ticket:
    """The ticket, if a PUT that presents it may send its bytes. None is a ticket that was never issued."""
    if ticket is None:
        raise Refusal(Code.UPLOAD_NOT_FOUND, "There is no such upload address: ask for one with request_upload.")
    _refuse_used(ticket, now)
    if ticket.expires_at <= now:
        raise Refusal(Code.UPLOAD_EXPIRED, "This upload address has expired: ask for another with request_upload.")
    return ticket


def claim(ticket: Ticket | None, now: datetime) -> Ticket:
    """The ticket, claimed for bytes that are in and checked. Of two PUTs at once, the second to claim is refused.

    One that was admitted in time may finish after its ticket expired.
    """
    if ticket is None:
        raise Refusal(Code.UPLOAD_EXPIRED, "This upload address has expired: ask for another with request_upload.")
    _refuse_used(ticket, now)
    return replace(ticket, state=TicketState.STORING, claimed_until=now + timedelta(seconds=CLAIM_SECONDS))


def release(ticket: Ticket) -> Ticket:
    """The ticket of a claim whose bytes could not be stored: a failed PUT does not use it up."""
    return replace(ticket, state=TicketState.ISSUED, claimed_until=None)


def _refuse_used(ticket: Ticket, now: datetime) -> None:
    storing = ticket.state is TicketState.STORING and ticket.claimed_until is not None and now < ticket.claimed_until
    if storing or ticket.state is TicketState.STORED:
        raise Refusal(
            Code.UPLOAD_USED,
            "This upload address has been used, and works once: for another image, ask for another with request_upload.",
        )
