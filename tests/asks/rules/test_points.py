"""Where the points of a briefing stand."""

import pytest

from app.asks.rules.points import PointState, fold
from contract.people import PointReply, Responded
from tests.asks.rules.making import answered, both, briefing, broken_down, open_points, resolved, responded, said


def nested():
    """Points 1, 2 and 3; under 3: 3.1 and 3.2; under 3.1: 3.1.1 and 3.1.2."""
    return broken_down(broken_down(briefing(2, 1), "3", 2), "3.1", 2)


def test_every_point_is_open_at_first():
    points = fold(briefing(2, 1))
    assert (points.ids, points.open, points.unanswered) == (("1", "2", "3"), ("1", "2", "3"), ())
    assert not points.all_resolved


@pytest.mark.parametrize(("id", "parent", "level"), [("3", None, 1), ("3.10", "3", 2), ("3.10.2", "3.10", 3)])
def test_a_point_knows_what_it_lies_under_and_how_deep(id: str, parent: str | None, level: int):
    state = PointState(id)
    assert (state.parent, state.level) == (parent, level)


def test_sub_points_continue_after_those_already_there():
    ask = broken_down(broken_down(briefing(1), "1", 2), "1", 1)
    assert fold(ask).ids == ("1", "1.1", "1.2", "1.3")


def test_points_are_counted_as_a_reader_does():
    ask = broken_down(briefing(11), "3", 11)
    assert fold(ask).ids[:5] == ("1", "2", "3", "3.1", "3.2")
    assert fold(ask).ids[11:15] == ("3.9", "3.10", "3.11", "4")
    assert fold(ask).ids[-2:] == ("10", "11")


def test_resolving_marks_the_point_and_everything_beneath_it():
    after = responded(nested(), resolved("3"), said(p1="Why?"))
    assert open_points(after) == ("1", "2")


def test_resolving_a_point_leaves_one_whose_id_begins_alike():
    after = responded(briefing(11), resolved("1"), said(p2="Why?"))
    assert open_points(after) == tuple(str(n) for n in range(2, 12))


def test_resolving_every_sub_point_does_not_resolve_what_they_lie_under():
    after = responded(nested(), resolved("3.1", "3.2"), said(p1="Why?"))
    assert open_points(after) == ("1", "2", "3")


def test_words_on_a_resolved_point_open_it_and_what_it_lies_under_and_nothing_else():
    three_is_resolved = answered(responded(nested(), resolved("3"), said(p1="Why?")), "1")
    assert open_points(three_is_resolved) == ("1", "2")
    assert open_points(responded(three_is_resolved, said(p3_1_1="Wait."))) == ("1", "2", "3", "3.1", "3.1.1")


def test_words_given_before_the_agents_last_answer_need_none_when_their_point_opens_again():
    on_3 = Responded(points=(PointReply(point="3", text="Fine.", resolved=True),))
    three_is_resolved = answered(responded(nested(), on_3, said(p1="Why?")), "1")
    assert fold(responded(three_is_resolved, said(p3_1="Wait."))).unanswered == ("3.1",)


def test_resolving_a_point_and_writing_beneath_it_leaves_both_open_in_either_order():
    for reply in (both(resolved("3"), said(p3_1="Wait.")), both(said(p3_1="Wait."), resolved("3"))):
        assert open_points(responded(nested(), reply)) == ("1", "2", "3", "3.1")


def test_writing_on_a_point_and_resolving_one_beneath_it_leaves_that_one_resolved():
    assert open_points(responded(nested(), said(p3="Why?"), resolved("3.2"))) == ("1", "2", "3", "3.1", "3.1.1", "3.1.2")


def test_words_on_an_open_point_open_nothing_beneath_it():
    done = responded(nested(), resolved("3.1"), said(p3="Why?"))
    assert "3.1" not in open_points(done)


def test_words_with_resolved_leave_the_point_resolved_and_the_agent_nothing_to_answer():
    after = responded(nested(), Responded(points=(PointReply(point="3", text="Fine.", resolved=True),)), said(p1="Why?"))
    assert open_points(after) == ("1", "2")
    assert fold(after).unanswered == ("1",)


def test_words_on_a_point_that_words_beneath_it_open_again_await_an_answer_too():
    on_3 = Responded(points=(PointReply(point="3", text="Nearly.", resolved=True),))
    assert fold(responded(nested(), on_3, said(p3_1="But this?"))).unanswered == ("3", "3.1")


def test_resolved_false_is_as_good_as_absent():
    after = responded(nested(), Responded(points=(PointReply(point="3", text="Why?", resolved=False),)))
    assert fold(after).unanswered == ("3",)


def test_blank_words_beside_resolved_are_no_words():
    on_3 = Responded(points=(PointReply(point="3", text=" ", resolved=True),))
    assert open_points(responded(nested(), on_3, said(p1="Why?"))) == ("1", "2")
    assert fold(responded(nested(), on_3, said(p3_1="But this?"))).unanswered == ("3.1",)


def test_points_written_on_and_left_unresolved_await_an_answer_in_their_order():
    assert fold(responded(briefing(11), said(p10="?", p9="?", p2="?"))).unanswered == ("2", "9", "10")


def test_the_agents_answers_leave_nothing_unanswered():
    assert fold(nested()).unanswered == ()


def test_a_point_that_gains_sub_points_while_unresolved_stays_unresolved_until_it_is_resolved_itself():
    ask = broken_down(briefing(1), "1", 2)
    assert open_points(ask) == ("1", "1.1", "1.2")
    assert open_points(responded(ask, resolved("1.1", "1.2"), said(p1="And?"))) == ("1",)
    assert responded(ask, resolved("1")).status == "closed"


def test_a_point_is_resolved_with_what_it_lies_under():
    assert responded(nested(), resolved("1", "2", "3")).status == "closed"


def test_a_briefing_closes_only_once_every_point_is_resolved():
    ask = responded(nested(), resolved("1", "2", "3.2"), said(p3_1_2="Why?"))
    assert ask.status == "awaiting_agent"
    assert fold(ask).all_resolved is False
