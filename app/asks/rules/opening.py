"""Opening an ask: what an agent may send, and the ask it becomes."""

from collections.abc import Iterator
from datetime import datetime
from itertools import count
from typing import assert_never

from app.asks.rules.content import AgentInput, OpeningInput, blank_words, points_in
from app.asks.rules.faults import quoted, refuse_any
from app.asks.rules.images import check_images, image_upload_ids
from app.asks.rules.points import with_ids
from app.asks.rules.sizes import check_size
from app.asks.rules.turns import ending, latest_reply
from app.core.refusal import Refusal
from contract.agents import BriefingAnswerInput, BriefingInput, FollowUpInput, QuestionInput, ReviewInput
from contract.asks import (
    Actor,
    Ask,
    AskCommon,
    BriefingAsk,
    BriefingPrompt,
    BriefingPromptSection,
    QuestionAsk,
    QuestionPrompt,
    ReviewAsk,
    ReviewPrompt,
)
from contract.limits import BRIEFING_POINTS
from contract.people import ChangesRequested
from contract.problems import Code

__all__ = ["check_images", "check_input", "check_revises", "image_upload_ids", "open_ask"]


def check_input(input: AgentInput) -> None:
    """Refuse what an agent sends when it is too large, else with every field at fault at once.

    What only the ask or the space can tell (its points, its uploads, its reviews) is checked elsewhere.
    """
    check_size(input)
    refuse_any(Code.REQUEST_INVALID, _faults(input))


def check_revises(revised: Ask | None, id: str) -> None:
    """Refuse to revise anything but a review of this space that was closed with changes requested.

    `revised` is the space's ask of that id, if it has one.
    """
    what = _unlike_a_review_to_revise(revised)
    if what is not None:
        raise Refusal(
            Code.REQUEST_INVALID,
            f"revises: {quoted(id)} {what}; only a review that was closed with changes_requested can be revised, "
            "so leave revises out or name that one",
        )


def open_ask(input: OpeningInput, *, id: str, raised_by: Actor, client: str | None, at: datetime) -> Ask:
    """The ask that an input which passed its checks becomes: the person's move, with the agent following."""
    common = dict(
        AskCommon(
            id=id,
            status="awaiting_human",
            waiting=True,
            project=input.project,
            client=client,
            raised_by=raised_by,
            thread=(),
            created_at=at,
            updated_at=at,
        )
    )
    match input:
        case QuestionInput():
            return QuestionAsk(prompt=_question(input), **common)
        case ReviewInput():
            return ReviewAsk(prompt=_review(input), revises=input.revises, **common)
        case BriefingInput():
            return BriefingAsk(prompt=_briefing(input), **common)
        case _:
            assert_never(input)


def _question(input: QuestionInput) -> QuestionPrompt:
    return QuestionPrompt(
        question=input.question,
        options=input.options or (),
        multiple=bool(input.multiple),
        context=input.context,
    )


def _review(input: ReviewInput) -> ReviewPrompt:
    return ReviewPrompt(title=input.title, content=input.content, summary=input.summary)


def _briefing(input: BriefingInput) -> BriefingPrompt:
    numbers = map(str, count(1))
    sections = tuple(
        BriefingPromptSection(title=section.title, points=with_ids(section.points, numbers)) for section in input.sections
    )
    return BriefingPrompt(title=input.title, summary=input.summary, sections=sections)


def _faults(input: AgentInput) -> Iterator[str]:
    yield from blank_words(input)
    match input:
        case QuestionInput():
            yield from _doubled_labels(input)
        case BriefingInput():
            points = sum(1 for _ in points_in(input))
            if points > BRIEFING_POINTS:
                yield f"sections: {points} points; a briefing holds at most {BRIEFING_POINTS}, so split it into several"
        case BriefingAnswerInput():
            for i, answer in enumerate(input.answers):
                points = len(answer.points or ())
                if points > BRIEFING_POINTS:
                    yield f"answers[{i}].points: {points} sub-points; at most {BRIEFING_POINTS} go under one point"
        case ReviewInput() | FollowUpInput():
            pass
        case _:
            assert_never(input)


def _doubled_labels(input: QuestionInput) -> Iterator[str]:
    labels = [choice.label for choice in input.options or ()]
    for i, label in enumerate(labels):
        if label in labels[:i]:
            yield f"options[{i}].label: {quoted(label)} is there already; give each choice a label of its own"


def _unlike_a_review_to_revise(ask: Ask | None) -> str | None:
    match ask:
        case None:
            return "is not an ask of this inbox"
        case QuestionAsk() | BriefingAsk():
            return f"is a {ask.kind}"
        case ReviewAsk(status="awaiting_human"):
            return "is a review that is still open: the person has not decided yet"
        case ReviewAsk(status="awaiting_agent"):
            return "is a review that is still open: it awaits your answer_follow_up"
        case ReviewAsk():
            latest = latest_reply(ask)
            if latest is not None and isinstance(latest[1].reply, ChangesRequested):
                return None
            return f"is a review that is closed otherwise: {ending(ask)}"
        case _:
            assert_never(ask)
