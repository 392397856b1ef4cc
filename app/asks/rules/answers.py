"""What the agent's answers do to an ask that awaits them."""

from collections.abc import Iterator
from datetime import datetime
from typing import assert_never

from app.asks.rules.content import AnswerInput, blank_words
from app.asks.rules.faults import listed, quoted, refuse_any
from app.asks.rules.points import Points, fold, with_ids
from app.asks.rules.turns import ending
from app.core.refusal import Refusal
from contract.agents import BriefingAnswerInput, FollowUpInput, PointAnswer
from contract.asks import AgentEntry, Ask, BriefingAsk
from contract.limits import BRIEFING_POINTS, POINT_LEVELS
from contract.problems import Code


def answer(ask: Ask, input: AnswerInput, *, at: datetime) -> Ask:
    """The ask after the agent's answers: the person's move again, with the agent following.

    Refuses answers out of turn, then the wrong tool for the kind, then with every fault in the answers at once. Whether
    they were given before is asked first, with `repeats_last_answers`.
    """
    _check_agents_turn(ask)
    match input:
        case FollowUpInput():
            entries = (_to_what_was_asked_back(ask, input, at),)
        case BriefingAnswerInput():
            entries = _on_points(ask, input, at)
        case _:
            assert_never(input)
    return ask.changed(thread=(*ask.thread, *entries), status="awaiting_human", waiting=True, updated_at=at)


def repeats_last_answers(ask: Ask, input: AnswerInput) -> bool:
    """Whether these are the answers of the agent's last turn once more, whoever's move it is now.

    The order of answers on a briefing says nothing, nor do the ids that their sub-points were given.
    """
    match input:
        case FollowUpInput():
            given = {(None, input.answer, input.content or (), ())}
        case BriefingAnswerInput():
            given = {_words_on(one) for one in input.answers}
        case _:
            assert_never(input)
    return given == {_words_on(entry) for entry in _last_turn(ask)}


def _check_agents_turn(ask: Ask) -> None:
    match ask.status:
        case "awaiting_agent":
            return
        case "awaiting_human":
            raise Refusal(Code.REQUEST_INVALID, "it is the person's move: call wait_for_reply with this askId")
        case "closed":
            raise Refusal(Code.ASK_CLOSED, f"this {ask.kind} is closed and takes no more answers: {ending(ask)}")
        case _:
            assert_never(ask.status)


def _to_what_was_asked_back(ask: Ask, input: FollowUpInput, at: datetime) -> AgentEntry:
    if isinstance(ask, BriefingAsk):
        raise Refusal(Code.REQUEST_INVALID, "this is a briefing: answer on its points with answer_briefing")
    refuse_any(Code.REQUEST_INVALID, blank_words(input))
    return AgentEntry(answer=input.answer, content=input.content, at=at)


def _on_points(ask: Ask, input: BriefingAnswerInput, at: datetime) -> tuple[AgentEntry, ...]:
    if not isinstance(ask, BriefingAsk):
        raise Refusal(Code.REQUEST_INVALID, f"this is a {ask.kind}: answer what was asked back with answer_follow_up")
    points = fold(ask)
    refuse_any(Code.REQUEST_INVALID, [*blank_words(input), *_faults(points, input)])
    return tuple(_entry(points, one, at) for one in input.answers)


def _entry(points: Points, one: PointAnswer, at: datetime) -> AgentEntry:
    beneath = None if one.points is None else with_ids(one.points, points.next_ids(one.point, len(one.points)))
    return AgentEntry(answer=one.answer, content=one.content, point=one.point, points=beneath, at=at)


def _faults(points: Points, input: BriefingAnswerInput) -> Iterator[str]:
    seen: set[str] = set()
    open_ones = listed(points.open)
    for i, one in enumerate(input.answers):
        state = points.get(one.point)
        if state is None:
            yield f"answers[{i}].point: there is no point {quoted(one.point)}; the open ones are {open_ones}"
        elif one.point in seen:
            yield f"answers[{i}].point: {one.point} is answered twice; say it all in one answer"
        elif state.resolved:
            yield f"answers[{i}].point: {one.point} is resolved; the open ones are {open_ones}"
        elif one.points:
            yield from _in_sub_points(points, f"answers[{i}].points", one.point, len(one.points))
        seen.add(one.point)
    missing = [id for id in points.unanswered if id not in seen]
    if missing:
        yield f"answers: the person also wrote on {', '.join(missing)}; answer on every point they wrote on in one call"


def _in_sub_points(points: Points, path: str, id: str, new: int) -> Iterator[str]:
    if points.states[id].level >= POINT_LEVELS:
        yield f"{path}: {id} is at level {POINT_LEVELS}, the deepest there is; say it in the answer instead"
    already = points.beneath(id)
    if already + new > BRIEFING_POINTS:
        yield f"{path}: {already + new} sub-points under {id}; there is room for {BRIEFING_POINTS - already} more"


def _last_turn(ask: Ask) -> list[AgentEntry]:
    entries: list[AgentEntry] = []
    for entry in reversed(ask.thread):
        if isinstance(entry, AgentEntry):
            entries.append(entry)
        elif entries:
            break
    return entries


def _words_on(one: PointAnswer | AgentEntry) -> tuple[object, ...]:
    beneath = tuple((point.title, point.detail, point.content or ()) for point in one.points or ())
    return one.point, one.answer, one.content or (), beneath
