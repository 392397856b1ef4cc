"""Which reply fits which ask."""

from collections.abc import Iterator
from typing import assert_never

from app.asks.rules.faults import WORDS_WANTED, is_blank, listed, quoted, refuse_any
from app.asks.rules.points import Points, fold
from contract.asks import Ask, BriefingAsk, QuestionAsk, QuestionPrompt, ReviewAsk
from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, Reply, Responded
from contract.problems import Code


def check_reply(ask: Ask, reply: Reply) -> None:
    """Refuse a reply that does not fit the ask, naming every field at fault and what would fit."""
    refuse_any(Code.REPLY_INVALID, _faults(ask, reply))


def _faults(ask: Ask, reply: Reply) -> Iterator[str]:
    match ask:
        case QuestionAsk():
            match reply:
                case Answered():
                    yield from _in_answered(ask.prompt, reply)
                case FollowUp():
                    yield from _in_required("question", reply.question)
                case Dismissed():
                    pass
                case Approved() | ChangesRequested() | Responded():
                    yield _unfit(ask, reply, "answered, follow_up and dismissed")
        case ReviewAsk():
            match reply:
                case ChangesRequested():
                    yield from _in_required("feedback", reply.feedback)
                case FollowUp():
                    yield from _in_required("question", reply.question)
                case Approved() | Dismissed():
                    pass
                case Answered() | Responded():
                    yield _unfit(ask, reply, "approved, changes_requested, follow_up and dismissed")
        case BriefingAsk():
            match reply:
                case Responded():
                    yield from _in_responded(fold(ask), reply)
                case Dismissed():
                    pass
                case Answered() | Approved() | ChangesRequested() | FollowUp():
                    yield _unfit(ask, reply, "responded and dismissed")
        case _:
            assert_never(ask)


def _unfit(ask: Ask, reply: Reply, fitting: str) -> str:
    return f"outcome: {reply.outcome} does not fit a {ask.kind}; {fitting} do"


def _in_required(field: str, words: str) -> Iterator[str]:
    if is_blank(words):
        yield f"{field}: {WORDS_WANTED}"


def _in_answered(prompt: QuestionPrompt, reply: Answered) -> Iterator[str]:
    labels = [choice.label for choice in prompt.options]
    if not labels and reply.selected:
        yield "selected: this question offers no choices; leave it empty and answer in text"
        return
    if not reply.selected and is_blank(reply.text):
        yield f"text: {WORDS_WANTED}" if not labels else "selected: pick a choice, or write an answer in text"
    if len(reply.selected) > 1 and not prompt.multiple:
        yield "selected: this question takes one choice"
    seen: set[str] = set()
    offered = listed(map(quoted, labels))
    for i, label in enumerate(reply.selected):
        if label not in labels:
            yield f"selected[{i}]: {quoted(label)} is not offered; the choices are {offered}"
        elif label in seen:
            yield f"selected[{i}]: {quoted(label)} is picked twice; once is enough"
        seen.add(label)


def _in_responded(points: Points, reply: Responded) -> Iterator[str]:
    faults = list(_in_point_replies(points, reply))
    yield from faults
    if faults:
        return
    after = points.responded(reply)
    if not after.all_resolved and not after.unanswered:
        yield (
            "points: this resolves some points and leaves the agent nothing to answer; "
            f"write on a point that stays open, or resolve these too: {listed(after.open)}"
        )


def _in_point_replies(points: Points, reply: Responded) -> Iterator[str]:
    seen: set[str] = set()
    there_are = listed(points.ids)
    for i, on in enumerate(reply.points):
        if points.get(on.point) is None:
            yield f"points[{i}].point: there is no point {quoted(on.point)}; the points are {there_are}"
        elif on.point in seen:
            yield f"points[{i}].point: {on.point} is named twice; say it all in one place"
        if is_blank(on.text) and not on.resolved:
            yield f"points[{i}].text: {WORDS_WANTED}, or set resolved to true"
        seen.add(on.point)
