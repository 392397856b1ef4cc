"""Which reply fits which ask."""

import pytest

from app.asks.rules.replies import check_reply
from contract.asks import Ask
from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, PointReply, Reply, Responded
from contract.problems import Code
from tests.asks.rules.making import RED_OR_BLUE, both, briefing, fields, question, refused, resolved, review, said

REPLIES: tuple[Reply, ...] = (
    Answered(selected=(), text="Blue."),
    Approved(),
    ChangesRequested(feedback="Shorter."),
    FollowUp(question="Why?"),
    Dismissed(),
    resolved("1"),
)
FITS = {
    "question": {"answered", "follow_up", "dismissed"},
    "review": {"approved", "changes_requested", "follow_up", "dismissed"},
    "briefing": {"responded", "dismissed"},
}


@pytest.mark.parametrize("ask", [question(), review(), briefing(1)], ids=lambda ask: ask.kind)
@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.outcome)
def test_a_reply_fits_the_kinds_of_the_table_and_no_others(ask: Ask, reply: Reply):
    if reply.outcome in FITS[ask.kind]:
        check_reply(ask, reply)
        return
    message = refused(Code.REPLY_INVALID, lambda: check_reply(ask, reply))
    assert fields(message) == ["outcome"]
    assert all(outcome in message for outcome in FITS[ask.kind])


def invalid(ask: Ask, reply: Reply) -> str:
    return refused(Code.REPLY_INVALID, lambda: check_reply(ask, reply))


# answered


def test_a_choice_alone_answers():
    check_reply(question(*RED_OR_BLUE), Answered(selected=("Blue",)))


def test_words_alone_answer_a_question_that_offers_choices():
    check_reply(question(*RED_OR_BLUE), Answered(selected=(), text="Neither."))


def test_a_choice_and_words_answer_together_even_blank_ones():
    check_reply(question(*RED_OR_BLUE), Answered(selected=("Blue",), text="For now."))
    check_reply(question(*RED_OR_BLUE), Answered(selected=("Blue",), text=" "))


@pytest.mark.parametrize("text", [None, "", " \n\u2003"])
def test_neither_a_choice_nor_words_is_no_answer(text: str | None):
    assert fields(invalid(question(*RED_OR_BLUE), Answered(selected=(), text=text))) == ["selected"]
    assert fields(invalid(question(), Answered(selected=(), text=text))) == ["text"]


def test_each_choice_is_one_of_the_offered_labels():
    message = invalid(question(*RED_OR_BLUE), Answered(selected=("red",)))
    assert fields(message) == ["selected[0]"]
    assert '"Red", "Blue"' in message


def test_no_choice_is_picked_twice():
    message = invalid(question(*RED_OR_BLUE, multiple=True), Answered(selected=("Red", "Blue", "Red")))
    assert fields(message) == ["selected[2]"]


def test_more_than_one_choice_only_where_several_are_allowed():
    reply = Answered(selected=("Red", "Blue"))
    check_reply(question(*RED_OR_BLUE, multiple=True), reply)
    assert fields(invalid(question(*RED_OR_BLUE), reply)) == ["selected"]
    assert fields(invalid(question(*RED_OR_BLUE, multiple=False), reply)) == ["selected"]


def test_a_question_without_options_takes_text_only():
    message = invalid(question(), Answered(selected=("Red",), text="Red."))
    assert fields(message) == ["selected"]
    assert "text" in message


def test_every_choice_at_fault_is_named():
    message = invalid(question(*RED_OR_BLUE), Answered(selected=("Green", "Red", "Red")))
    assert fields(message) == ["selected", "selected[0]", "selected[2]"]


# required words


@pytest.mark.parametrize(
    ("ask", "reply", "field"),
    [
        (question(), FollowUp(question=" "), "question"),
        (review(), FollowUp(question="\n"), "question"),
        (review(), ChangesRequested(feedback="\u00a0"), "feedback"),
    ],
)
def test_required_words_hold_something_other_than_white_space(ask: Ask, reply: Reply, field: str):
    assert fields(invalid(ask, reply)) == [field]


def test_a_note_may_be_blank():
    check_reply(review(), Approved(note=" "))


# responded


def test_a_reply_on_points_names_each_at_most_once():
    message = invalid(briefing(2), both(said(p1="Why?", p2="How?"), resolved("1")))
    assert fields(message) == ["points[2].point"]


def test_a_reply_on_points_names_only_points_that_exist():
    message = invalid(briefing(2), said(p1="Why?", p3="How?", p1_1="?"))
    assert fields(message) == ["points[1].point", "points[2].point"]
    assert "1, 2" in message


@pytest.mark.parametrize("id", ["01", "1.", " 1", "1 ", "١", "0", "-1", "1.0"])
def test_an_id_is_taken_as_it_is_written(id: str):
    assert fields(invalid(briefing(2), Responded(points=(PointReply(point=id, text="Why?"),)))) == ["points[0].point"]


@pytest.mark.parametrize("nothing", [None, False])
@pytest.mark.parametrize("text", [None, " "])
def test_each_point_has_words_or_is_resolved(text: str | None, nothing: bool | None):
    reply = both(said(p1="Why?"), Responded(points=(PointReply(point="2", text=text, resolved=nothing),)))
    assert fields(invalid(briefing(2), reply)) == ["points[1].text"]


def test_a_reply_that_resolves_every_point_fits():
    check_reply(briefing(2), resolved("1", "2"))


def test_a_reply_with_words_on_one_open_point_fits():
    check_reply(briefing(2), said(p1="Why?"))


def test_a_reply_that_only_resolves_some_points_is_refused_and_says_so():
    message = invalid(briefing(3), resolved("2"))
    assert fields(message) == ["points"]
    assert "resolves some points" in message
    assert "1, 3" in message


def test_words_on_a_point_resolved_with_them_leave_the_agent_nothing_to_answer():
    reply = Responded(points=(PointReply(point="1", text="Fine.", resolved=True),))
    assert fields(invalid(briefing(2), reply)) == ["points"]
    check_reply(briefing(1), reply)


def test_every_point_at_fault_is_named():
    reply = both(said(p1=" ", p9="?"), resolved("2", "2"))
    assert fields(invalid(briefing(2), reply)) == ["points[0].text", "points[1].point", "points[3].point"]
