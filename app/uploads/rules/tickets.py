"""An upload ticket: what it is good for, and until when.

It is used up by the statement that stores its upload, after the bytes are in and checked: a failed PUT leaves it good, and of two at once
one finds it used.
"""

from dataclasses import dataclass
from datetime import datetime

from app.core.refusal import Refusal
from contract.content import ImageType
from contract.problems import Code


@dataclass(frozen=True, slots=True)
class Ticket:
    """Leave to upload one image, once."""

    id: str
    space: str
    actor: str
    content_type: ImageType
    max_bytes: int
    expires_at: datetime
    used: bool = False


def admit(ticket: Ticket | None, now: datetime) -> Ticket:
    """The ticket, if a PUT that presents it may send its bytes. None is a ticket that was never issued."""
    if ticket is None:
        raise Refusal(Code.UPLOAD_NOT_FOUND, "There is no such upload address: ask for one with request_upload.")
    if ticket.used:
        raise used()
    if ticket.expires_at <= now:
        raise Refusal(Code.UPLOAD_EXPIRED, "This upload address has expired: ask for another with request_upload.")
    return ticket


def used() -> Refusal:
    """The refusal of a ticket that has been used."""
    return Refusal(
        Code.UPLOAD_USED,
        "This upload address has been used, and works once: for another image, ask for another with request_upload.",
    )
