"""What the agent's answers do to an ask."""

import pytest

from app.asks.rules.answers import answer, repeats_last_answers
from contract.agents import BriefingAnswerInput, FollowUpInput, PointAnswer
from contract.asks import AgentEntry, Ask, BriefingAsk
from contract.content import BriefingPoint, CodeBlock, MarkdownBlock
from contract.people import Answered, Approved, Dismissed, PointReply, Responded
from contract.problems import Code
from tests.asks.rules.making import (
    SOMETHING_ASKED_BACK,
    answered,
    answers,
    briefing,
    broken_down,
    fields,
    follow_up_answer,
    minutes,
    question,
    refused,
    replied,
    resolved,
    responded,
    review,
    said,
)

YES = follow_up_answer("Yes.")


def invalid(ask: Ask, input: FollowUpInput | BriefingAnswerInput) -> str:
    return refused(Code.REQUEST_INVALID, lambda: answer(ask, input, at=minutes(3)))


def on(*each: PointAnswer) -> BriefingAnswerInput:
    return BriefingAnswerInput(ask_id="ask-1", answers=each)


# what an answer does


@pytest.mark.parametrize("ask", [question(), review()])
def test_an_answer_to_what_was_asked_back_is_one_entry_and_the_persons_move_again(ask: Ask):
    content = (CodeBlock(code="x = 1"),)
    input = FollowUpInput(ask_id="ask-1", answer="The second.", content=content)
    after = answer(replied(ask, SOMETHING_ASKED_BACK), input, at=minutes(3))
    assert (after.status, after.waiting, after.updated_at, after.closed_at) == ("awaiting_human", True, minutes(3), None)
    assert after.thread[1:] == (AgentEntry(answer="The second.", content=content, at=minutes(3)),)


def test_each_answer_on_a_briefing_is_one_entry_with_its_point_and_the_ids_of_its_sub_points():
    content = (MarkdownBlock(text="Look."),)
    part = BriefingPoint(title="Part", detail="D", content=content)
    input = on(
        PointAnswer(point="2", answer="Two.", points=(part, BriefingPoint(title="Other"))),
        PointAnswer(point="1", answer="One.", content=content),
    )
    after = answer(responded(briefing(2), said(p1="?", p2="?")), input, at=minutes(3))
    assert (after.status, after.waiting, after.updated_at) == ("awaiting_human", True, minutes(3))
    look = [{"type": "markdown", "text": "Look."}]
    at = "2026-12-01T09:33:00.000Z"
    assert [entry.to_dict() for entry in after.thread[1:]] == [
        {
            "author": "agent",
            "answer": "Two.",
            "point": "2",
            "points": [
                {"id": "2.1", "title": "Part", "detail": "D", "content": look},
                {"id": "2.2", "title": "Other"},
            ],
            "at": at,
        },
        {"author": "agent", "answer": "One.", "point": "1", "content": look, "at": at},
    ]


def test_the_agent_may_also_say_more_on_other_open_points():
    after = answered(responded(briefing(3), said(p2="?")), "3", "2")
    assert [entry.point for entry in after.thread if isinstance(entry, AgentEntry)] == ["3", "2"]


# whose turn it is


@pytest.mark.parametrize("ask", [question(), review()])
def test_an_answer_before_anything_was_asked_back_is_told_to_wait(ask: Ask):
    assert "wait_for_reply" in invalid(ask, YES)


def test_an_answer_on_a_briefing_that_is_the_persons_move_is_told_to_wait():
    assert "wait_for_reply" in invalid(briefing(1), answers(["1"]))


def test_an_answer_on_a_closed_ask_is_told_how_it_was_closed():
    closed = replied(question(), Answered(selected=(), text="Blue."))
    assert "it was answered" in refused(Code.ASK_CLOSED, lambda: answer(closed, YES, at=minutes(3)))
    approved = replied(review(), Approved())
    assert "it was approved" in refused(Code.ASK_CLOSED, lambda: answer(approved, YES, at=minutes(3)))


def test_an_answer_on_a_briefing_dismissed_meanwhile_is_told_that_it_was_dismissed():
    dismissed = replied(replied(briefing(1), said(p1="?")), Dismissed())
    message = refused(Code.ASK_CLOSED, lambda: answer(dismissed, answers(["1"]), at=minutes(3)))
    assert "it was dismissed" in message


def test_the_wrong_tool_is_told_the_right_one():
    assert "answer_briefing" in invalid(responded(briefing(1), said(p1="?")), YES)
    assert "answer_follow_up" in invalid(replied(question(), SOMETHING_ASKED_BACK), answers(["1"]))
    assert "answer_follow_up" in invalid(replied(review(), SOMETHING_ASKED_BACK), answers(["1"]))


# which points


def test_answers_name_each_point_at_most_once():
    assert fields(invalid(responded(briefing(2), said(p1="?")), answers(["1", "2", "1"]))) == ["answers[2].point"]


def test_answers_name_only_points_that_exist():
    message = invalid(responded(briefing(2), said(p1="?")), answers(["1", "3", "1.1"]))
    assert fields(message) == ["answers[1].point", "answers[2].point"]
    assert "1, 2" in message


def test_answers_name_only_open_points():
    message = invalid(responded(briefing(3), said(p1="?"), resolved("2")), answers(["1", "2"]))
    assert fields(message) == ["answers[1].point"]
    assert "2 is resolved" in message
    assert "1, 3" in message


def test_answers_include_every_point_written_on_and_left_unresolved_else_the_missing_are_named():
    ask = responded(briefing(12), said(p12="?", p2="?", p10="?", p1="?"), resolved("3"))
    message = invalid(ask, answers(["2"]))
    assert fields(message) == ["answers"]
    assert "1, 10, 12;" in message


def test_a_point_written_on_and_resolved_needs_no_answer():
    fine = Responded(points=(PointReply(point="2", text="Fine.", resolved=True),))
    answered(responded(briefing(2), said(p1="?"), fine), "1")


def test_a_point_that_was_answered_before_needs_no_second_answer():
    once = answered(responded(briefing(2), said(p1="?")), "1")
    answered(responded(once, said(p2="?")), "2")


def test_a_point_written_on_again_needs_another_answer():
    once = answered(responded(briefing(2), said(p1="?")), "1")
    assert "1" in invalid(responded(once, said(p1="Really?", p2="?")), answers(["2"]))


def test_points_go_three_levels_deep_and_no_deeper():
    ask = broken_down(broken_down(briefing(1), "1", 1), "1.1", 1)
    assert fields(invalid(responded(ask, said(p1_1_1="?")), answers(["1.1.1"], sub_points=1))) == ["answers[0].points"]
    answered(responded(ask, said(p1_1_1="?")), "1.1.1")


def test_fifty_sub_points_go_under_one_point_over_all_answers():
    ask = responded(broken_down(briefing(1), "1", 30), said(p1="More?"))
    message = invalid(ask, answers(["1"], sub_points=21))
    assert fields(message) == ["answers[0].points"]
    assert "room for 20 more" in message
    after = answer(ask, answers(["1"], sub_points=20), at=minutes(3))
    assert isinstance(after, BriefingAsk)


def test_everything_that_is_wrong_with_answers_is_named_at_once():
    ask = responded(briefing(3), said(p1="?", p2="?"), resolved("3"))
    input = on(
        PointAnswer(point="1", answer=" "),
        PointAnswer(point="3", answer="A"),
        PointAnswer(point="9", answer="A", points=(BriefingPoint(title=" "),)),
    )
    assert fields(invalid(ask, input)) == [
        "answers[0].answer",
        "answers[2].points[0].title",
        "answers[1].point",
        "answers[2].point",
        "answers",
    ]


def test_a_blank_answer_to_what_was_asked_back_is_refused():
    input = FollowUpInput(ask_id="ask-1", answer=" ", content=(CodeBlock(code=" "),))
    assert fields(invalid(replied(question(), SOMETHING_ASKED_BACK), input)) == ["answer", "content[0].code"]


# the same answers again


def test_an_answer_is_known_again_while_it_is_the_persons_move():
    asked = replied(question(), SOMETHING_ASKED_BACK)
    assert not repeats_last_answers(asked, YES)
    assert repeats_last_answers(answer(asked, YES, at=minutes(3)), YES)


def test_an_answer_is_known_again_after_the_person_asked_back_once_more_or_closed():
    once = answer(replied(question(), SOMETHING_ASKED_BACK), YES, at=minutes(3))
    assert repeats_last_answers(replied(once, SOMETHING_ASKED_BACK), YES)
    assert repeats_last_answers(replied(once, Dismissed()), YES)


def test_an_answer_before_the_agents_last_is_not_the_last():
    once = answer(replied(question(), SOMETHING_ASKED_BACK), YES, at=minutes(3))
    twice = answer(replied(once, SOMETHING_ASKED_BACK), follow_up_answer("No."), at=minutes(4))
    assert not repeats_last_answers(twice, YES)
    assert repeats_last_answers(twice, follow_up_answer("No."))


def test_other_words_or_other_content_are_another_answer():
    once = answer(replied(question(), SOMETHING_ASKED_BACK), YES, at=minutes(3))
    assert not repeats_last_answers(once, follow_up_answer("Yes"))
    assert not repeats_last_answers(once, YES.changed(content=(CodeBlock(code="x"),)))


def test_an_empty_list_of_content_is_as_good_as_none():
    once = answer(replied(question(), SOMETHING_ASKED_BACK), YES, at=minutes(3))
    assert repeats_last_answers(once, YES.changed(content=()))


def test_answers_on_a_briefing_are_known_again_whatever_their_order_and_ids():
    ask = broken_down(briefing(2), "1", 2)
    ask = responded(ask, said(p1="?", p2="?"))
    given = answers(["1", "2"], sub_points=2)
    after = answer(ask, given, at=minutes(4))
    assert repeats_last_answers(after, given)
    assert repeats_last_answers(after, answers(["2", "1"], sub_points=2))
    assert repeats_last_answers(responded(after, said(p1="And?")), given)


def test_fewer_more_or_different_answers_are_not_the_same():
    after = answered(responded(briefing(3), said(p1="?", p2="?")), "1", "2")
    for other in (answers(["1"]), answers(["1", "2", "3"]), answers(["1", "3"]), answers(["1", "2"], sub_points=1)):
        assert not repeats_last_answers(after, other)


def test_an_answer_by_the_other_tool_is_never_the_same():
    assert not repeats_last_answers(answered(responded(briefing(1), said(p1="?")), "1"), follow_up_answer("About 1."))
    assert not repeats_last_answers(briefing(1), answers(["1"]))
