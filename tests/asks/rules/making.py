"""Asks, inputs and replies in one line, for the tests of the rules."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

import pytest

from app.asks.rules.answers import answer
from app.asks.rules.opening import open_ask
from app.asks.rules.points import fold
from app.asks.rules.turns import reply_to
from app.core.refusal import Refusal
from contract.agents import BriefingAnswerInput, BriefingInput, FollowUpInput, PointAnswer, QuestionInput, ReviewInput
from contract.asks import Actor, Ask, BriefingAsk, QuestionAsk, ReviewAsk
from contract.content import BriefingPoint, BriefingSection, Choice, MarkdownBlock
from contract.people import FollowUp, PointReply, Reply, Responded
from contract.problems import Code

PERSON = Actor(id="ada")
AGENT = Actor(id="ada-laptop")
START = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
RED_OR_BLUE = (Choice(label="Red"), Choice(label="Blue"))
SOMETHING_ASKED_BACK = FollowUp(question="Which one?")


def minutes(after: int) -> datetime:
    """A moment after the ask was opened."""
    return START + timedelta(minutes=after)


def opened(input: QuestionInput | ReviewInput | BriefingInput) -> Ask:
    """The ask an input becomes."""
    return open_ask(input, id="ask-1", raised_by=AGENT, client="claude-code 2.1.0", at=START)


def question(*options: Choice, multiple: bool | None = None) -> QuestionAsk:
    """An open question."""
    ask = opened(QuestionInput(question="Which?", options=options or None, multiple=multiple, project="loopback"))
    assert isinstance(ask, QuestionAsk)
    return ask


def review() -> ReviewAsk:
    """An open review."""
    ask = opened(ReviewInput(title="The plan", content=(MarkdownBlock(text="First, …"),), project="loopback"))
    assert isinstance(ask, ReviewAsk)
    return ask


def briefing_input(*sections: int) -> BriefingInput:
    """A briefing with so many points in each of its sections."""
    points = [tuple(BriefingPoint(title=f"Point {n}") for n in range(count)) for count in sections]
    return BriefingInput(title="Findings", sections=tuple(BriefingSection(points=p) for p in points), project="loopback")


def briefing(*sections: int) -> BriefingAsk:
    """An open briefing with so many points in each of its sections."""
    ask = opened(briefing_input(*sections))
    assert isinstance(ask, BriefingAsk)
    return ask


def said(**points: str) -> Responded:
    """Words on points: `said(p3_1="Why?")` writes on 3.1."""
    return Responded(points=tuple(PointReply(point=_id(name), text=text) for name, text in points.items()))


def resolved(*ids: str) -> Responded:
    """Points resolved without a word."""
    return Responded(points=tuple(PointReply(point=id, resolved=True) for id in ids))


def both(*replies: Responded) -> Responded:
    """Several replies on points as one."""
    return Responded(points=tuple(on for reply in replies for on in reply.points))


def answers(ids: Iterable[str], *, sub_points: int | None = None) -> BriefingAnswerInput:
    """The agent's answers on points, each with so many sub-points."""
    beneath = None if sub_points is None else tuple(BriefingPoint(title=f"Part {n}") for n in range(sub_points))
    each = tuple(PointAnswer(point=id, answer=f"About {id}.", points=beneath) for id in ids)
    return BriefingAnswerInput(ask_id="ask-1", answers=each)


def follow_up_answer(words: str = "The second one.") -> FollowUpInput:
    """The agent's answer to what was asked back."""
    return FollowUpInput(ask_id="ask-1", answer=words)


def replied(ask: Ask, reply: Reply, *, by: Actor = PERSON, at: datetime | None = None) -> Ask:
    """The ask after the person's reply."""
    return reply_to(ask, reply, by=by, at=at or minutes(1))


def responded(ask: Ask, *replies: Responded) -> BriefingAsk:
    """The briefing after replies on its points, given as one."""
    after = replied(ask, both(*replies))
    assert isinstance(after, BriefingAsk)
    return after


def broken_down(ask: BriefingAsk, id: str, count: int) -> BriefingAsk:
    """The briefing after the person wrote on a point and the agent broke it into so many more sub-points."""
    asked = responded(ask, Responded(points=(PointReply(point=id, text="What is in it?"),)))
    after = answer(asked, answers([id], sub_points=count), at=minutes(2))
    assert isinstance(after, BriefingAsk)
    return after


def answered(ask: Ask, *ids: str) -> BriefingAsk:
    """The briefing after the agent's answers on points."""
    after = answer(ask, answers(ids), at=minutes(2))
    assert isinstance(after, BriefingAsk)
    return after


def open_points(ask: Ask) -> tuple[str, ...]:
    """The points of a briefing that are not resolved."""
    assert isinstance(ask, BriefingAsk)
    return fold(ask).open


def refused(code: Code, act: Callable[[], object]) -> str:
    """The words of the refusal that this act must meet, with this code."""
    with pytest.raises(Refusal) as caught:
        act()
    assert caught.value.code is code
    return caught.value.message


def fields(message: str) -> list[str]:
    """The fields that a message names, one for each of its lines."""
    return [line.partition(":")[0] for line in message.split("\n")]


def _id(name: str) -> str:
    return name.removeprefix("p").replace("_", ".")
