"""When a ticket lets a PUT through."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.core.refusal import Refusal
from app.uploads.rules.tickets import Ticket, admit
from contract.limits import UPLOAD_BYTES, UPLOAD_TICKET_SECONDS
from contract.problems import Code

ISSUED_AT = datetime(2026, 5, 4, 12, tzinfo=UTC)
TICKET = Ticket(
    "1", "local", "local", "image/png", UPLOAD_BYTES, expires_at=ISSUED_AT + timedelta(seconds=UPLOAD_TICKET_SECONDS)
)


def after(**time: float) -> datetime:
    return ISSUED_AT + timedelta(**time)


def stored(ticket: Ticket) -> Ticket:
    return replace(ticket, used=True)


def test_a_ticket_is_good_for_fifteen_minutes() -> None:
    assert admit(TICKET, after(minutes=0)) == TICKET
    assert admit(TICKET, after(minutes=14, seconds=59.999)) == TICKET
    with pytest.raises(Refusal) as refused:
        admit(TICKET, after(minutes=15))
    assert (refused.value.code, refused.value.status) == (Code.UPLOAD_EXPIRED, 410)
    assert "request_upload" in refused.value.message


def test_a_token_never_issued_is_not_found() -> None:
    with pytest.raises(Refusal) as refused:
        admit(None, after(minutes=1))
    assert (refused.value.code, refused.value.status) == (Code.UPLOAD_NOT_FOUND, 404)


@pytest.mark.parametrize("minutes", [1, 20])
def test_a_used_ticket_is_used_also_after_it_expired(minutes: float) -> None:
    with pytest.raises(Refusal) as refused:
        admit(stored(TICKET), after(minutes=minutes))
    assert (refused.value.code, refused.value.status) == (Code.UPLOAD_USED, 410)
