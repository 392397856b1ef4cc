"""Whose move it is, and what the person's reply does to an ask."""

import pytest

from app.asks.rules.answers import answer
from app.asks.rules.turns import already_given, ending, latest_reply, reply_to
from contract.asks import Actor, Ask, HumanEntry
from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, PointReply, Reply, Responded
from contract.problems import Code
from tests.asks.rules.making import (
    PERSON,
    SOMETHING_ASKED_BACK,
    answers,
    both,
    briefing,
    follow_up_answer,
    minutes,
    question,
    refused,
    replied,
    resolved,
    review,
    said,
)

OTHER = Actor(id="grace")
ANSWER = Answered(selected=(), text="Blue.")


# where a reply leaves an ask


@pytest.mark.parametrize(
    ("ask", "reply"),
    [
        (question(), ANSWER),
        (question(), Dismissed()),
        (review(), Approved()),
        (review(), ChangesRequested(feedback="Shorter.")),
        (review(), Dismissed()),
        (briefing(2), Dismissed()),
        (briefing(2), resolved("1", "2")),
    ],
)
def test_a_reply_that_decides_closes_the_ask(ask: Ask, reply: Reply):
    after = replied(ask, reply, at=minutes(5))
    assert (after.status, after.closed_at, after.updated_at) == ("closed", minutes(5), minutes(5))


@pytest.mark.parametrize("ask", [question(), review()])
def test_a_question_asked_back_hands_the_move_to_the_agent(ask: Ask):
    after = replied(ask, SOMETHING_ASKED_BACK, at=minutes(5))
    assert (after.status, after.closed_at, after.updated_at) == ("awaiting_agent", None, minutes(5))


def test_a_reply_that_leaves_a_point_unresolved_hands_the_move_to_the_agent():
    after = replied(briefing(2), both(said(p1="Why?"), resolved("2")))
    assert (after.status, after.closed_at) == ("awaiting_agent", None)


def test_a_reply_adds_one_entry_with_who_and_when_and_changes_nothing_else():
    before = question()
    after = reply_to(before, ANSWER, by=PERSON, at=minutes(5))
    assert after.thread == (HumanEntry(reply=ANSWER, by=PERSON, at=minutes(5)),)
    kept = {"id", "kind", "prompt", "project", "client", "raisedBy", "createdAt"}
    assert {k: after.to_dict()[k] for k in kept} == {k: before.to_dict()[k] for k in kept}
    assert before.thread == ()


@pytest.mark.parametrize("reply", [ANSWER, SOMETHING_ASKED_BACK, Dismissed()])
def test_a_reply_ends_every_following_in_its_own_change(reply: Reply):
    assert question().waiting
    assert not replied(question(), reply).waiting


# whose turn it is


@pytest.mark.parametrize("reply", [ANSWER, Dismissed(), SOMETHING_ASKED_BACK])
def test_a_closed_ask_takes_no_reply(reply: Reply):
    closed = replied(question(), ANSWER)
    message = refused(Code.ASK_CLOSED, lambda: replied(closed, reply))
    assert "it was answered" in message


@pytest.mark.parametrize("ask", [question(), review()])
@pytest.mark.parametrize("reply", [ANSWER, Approved(), Dismissed(), SOMETHING_ASKED_BACK])
def test_a_question_or_review_takes_no_reply_on_the_agents_turn(ask: Ask, reply: Reply):
    asked_back = replied(ask, SOMETHING_ASKED_BACK)
    refused(Code.ASK_AGENTS_TURN, lambda: replied(asked_back, reply))


def test_a_briefing_may_be_dismissed_on_the_agents_turn():
    after = replied(replied(briefing(2), said(p1="Why?")), Dismissed(), at=minutes(6))
    assert (after.status, after.closed_at, len(after.thread)) == ("closed", minutes(6), 2)


def test_a_briefing_takes_no_other_reply_on_the_agents_turn():
    waiting_for_agent = replied(briefing(2), said(p1="Why?"))
    message = refused(Code.ASK_AGENTS_TURN, lambda: replied(waiting_for_agent, said(p2="And this?")))
    assert "dismiss" in message
    refused(Code.ASK_AGENTS_TURN, lambda: replied(waiting_for_agent, resolved("1", "2")))


def test_whose_turn_it_is_counts_before_whether_the_reply_fits():
    unfit = Responded(points=(PointReply(point="99"),))
    refused(Code.ASK_CLOSED, lambda: replied(replied(question(), ANSWER), unfit))
    refused(Code.ASK_AGENTS_TURN, lambda: replied(replied(question(), SOMETHING_ASKED_BACK), unfit))
    refused(Code.REPLY_INVALID, lambda: replied(question(), unfit))


# the same reply again


@pytest.mark.parametrize(
    ("ask", "reply"),
    [
        (question(), ANSWER),
        (question(), SOMETHING_ASKED_BACK),
        (review(), Approved(note="Good.")),
        (briefing(2), said(p1="Why?")),
        (briefing(2), resolved("1", "2")),
        (replied(briefing(2), said(p1="Why?")), Dismissed()),
    ],
)
def test_the_same_reply_by_the_same_actor_is_known_while_the_ask_is_where_it_left_it(ask: Ask, reply: Reply):
    assert not already_given(ask, reply, PERSON)
    assert already_given(replied(ask, reply), reply, PERSON)
    assert already_given(replied(ask, reply), reply, PERSON.changed(name="Ada"))


def test_the_same_reply_by_another_actor_is_another_reply():
    assert not already_given(replied(question(), ANSWER), ANSWER, OTHER)


def test_another_reply_by_the_same_actor_is_not_the_same():
    assert not already_given(replied(question(), ANSWER), Answered(selected=(), text="Red."), PERSON)
    assert not already_given(replied(question(), ANSWER), Dismissed(), PERSON)


def test_after_the_agent_has_answered_the_same_words_are_a_new_reply():
    moved_on = answer(replied(question(), SOMETHING_ASKED_BACK), follow_up_answer(), at=minutes(2))
    assert not already_given(moved_on, SOMETHING_ASKED_BACK, PERSON)
    assert replied(moved_on, SOMETHING_ASKED_BACK).status == "awaiting_agent"


def test_after_a_dismissal_the_reply_before_it_is_not_known_any_more():
    dismissed = replied(replied(briefing(2), said(p1="Why?")), Dismissed())
    assert not already_given(dismissed, said(p1="Why?"), PERSON)


def test_an_ask_that_was_closed_without_a_reply_is_not_where_the_reply_left_it():
    withdrawn = replied(question(), SOMETHING_ASKED_BACK).changed(status="closed", closed_at=minutes(9))
    assert not already_given(withdrawn, SOMETHING_ASKED_BACK, PERSON)
    assert "without a reply" in refused(Code.ASK_CLOSED, lambda: replied(withdrawn, SOMETHING_ASKED_BACK))


# the latest reply


def test_an_ask_without_a_turn_has_no_latest_reply():
    assert latest_reply(question()) is None


def test_the_latest_reply_comes_with_its_place():
    ask = replied(question(), SOMETHING_ASKED_BACK)
    assert latest_reply(ask) == (0, ask.thread[0])


def test_there_is_no_latest_reply_while_the_agent_had_the_last_word():
    assert latest_reply(answer(replied(question(), SOMETHING_ASKED_BACK), follow_up_answer(), at=minutes(2))) is None


def test_of_two_replies_since_the_agents_last_answer_the_later_counts():
    answered = answer(replied(briefing(2), said(p1="Why?")), answers(["1"]), at=minutes(2))
    ask = replied(replied(answered, said(p1="Really?")), Dismissed())
    assert latest_reply(ask) == (3, ask.thread[3])


@pytest.mark.parametrize(
    ("ask", "reply", "words"),
    [
        (question(), ANSWER, "it was answered"),
        (review(), Approved(), "it was approved"),
        (review(), ChangesRequested(feedback="Shorter."), "changes were requested"),
        (briefing(1), Dismissed(), "it was dismissed"),
        (briefing(1), resolved("1"), "every point was resolved"),
    ],
)
def test_a_closed_ask_can_say_how_it_was_closed(ask: Ask, reply: Reply, words: str):
    assert ending(replied(ask, reply)) == words


def test_a_question_asked_back_and_answered_can_be_asked_back_again_and_decided():
    ask: Ask = review()
    for n in range(3):
        ask = replied(ask, FollowUp(question=f"Why {n}?"))
        ask = answer(ask, follow_up_answer(f"Because {n}."), at=minutes(2))
    assert [entry.author for entry in ask.thread] == ["human", "agent"] * 3
    assert replied(ask, Approved()).status == "closed"
