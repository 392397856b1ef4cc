"""When a ticket lets a PUT through."""

from datetime import UTC, datetime, timedelta

import pytest

from app.core.refusal import Refusal
from app.uploads.rules.tickets import CLAIM_SECONDS, Ticket, TicketState, admit, claim, release
from contract.limits import UPLOAD_BYTES, UPLOAD_TICKET_SECONDS
from contract.problems import Code

ISSUED_AT = datetime(2026, 5, 4, 12, tzinfo=UTC)
TICKET = Ticket("image/png", UPLOAD_BYTES, expires_at=ISSUED_AT + timedelta(seconds=UPLOAD_TICKET_SECONDS))


def after(**time: float) -> datetime:
    return ISSUED_AT + timedelta(**time)


def stored(ticket: Ticket) -> Ticket:
    return Ticket(ticket.content_type, ticket.max_bytes, ticket.expires_at, TicketState.STORED)


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


def test_of_two_puts_at_once_the_second_to_claim_finds_it_used() -> None:
    first, second = admit(TICKET, after(minutes=1)), admit(TICKET, after(minutes=1))
    assert first == second
    claimed = claim(first, after(minutes=1, seconds=1))
    assert claimed.state is TicketState.STORING
    with pytest.raises(Refusal) as refused:
        claim(claimed, after(minutes=1, seconds=2))
    assert refused.value.code is Code.UPLOAD_USED
    with pytest.raises(Refusal) as refused:
        admit(claimed, after(minutes=1, seconds=2))
    assert refused.value.code is Code.UPLOAD_USED


def test_a_failed_put_does_not_use_the_ticket_up() -> None:
    assert release(claim(TICKET, after(minutes=1))) == TICKET


def test_a_claim_whose_process_died_can_be_taken_over() -> None:
    claimed = claim(TICKET, after(minutes=1))
    lapsed = after(minutes=1, seconds=CLAIM_SECONDS)
    assert admit(claimed, lapsed) == claimed
    assert claim(claimed, lapsed).claimed_until == lapsed + timedelta(seconds=CLAIM_SECONDS)


def test_a_put_admitted_in_time_may_finish_after_the_ticket_expired() -> None:
    ticket = admit(TICKET, after(minutes=14, seconds=59))
    assert claim(ticket, after(minutes=15, seconds=5)).state is TicketState.STORING


def test_a_ticket_swept_while_its_bytes_came_in_has_expired() -> None:
    with pytest.raises(Refusal) as refused:
        claim(None, after(minutes=16))
    assert refused.value.code is Code.UPLOAD_EXPIRED
