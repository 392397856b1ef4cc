"""Walks what an agent sends: every point, block and required word in it, with its path as the wire names it."""

from collections.abc import Iterable, Iterator
from typing import TypeVar, assert_never

from app.asks.rules.faults import WORDS_WANTED, is_blank
from contract.agents import BriefingAnswerInput, BriefingInput, FollowUpInput, QuestionInput, ReviewInput
from contract.content import Block, BriefingPoint, CodeBlock, DiffBlock, ImageBlock, MarkdownBlock

_Item = TypeVar("_Item")

OpeningInput = QuestionInput | ReviewInput | BriefingInput
"""What opens an ask."""

AnswerInput = FollowUpInput | BriefingAnswerInput
"""What answers an ask on the agent's turn."""

AgentInput = OpeningInput | AnswerInput
"""What an agent may send to the tools that wait."""


def points_in(input: AgentInput) -> Iterator[tuple[str, BriefingPoint]]:
    """Every point of a briefing, and every sub-point of answers on one, such as `sections[0].points[2]`."""
    match input:
        case BriefingInput():
            for s, section in enumerate(input.sections):
                yield from _each(f"sections[{s}].points", section.points)
        case BriefingAnswerInput():
            for a, answer in enumerate(input.answers):
                yield from _each(f"answers[{a}].points", answer.points)
        case QuestionInput() | ReviewInput() | FollowUpInput():
            return
        case _:
            assert_never(input)


def blocks_in(input: AgentInput) -> Iterator[tuple[str, Block]]:
    """Every block, wherever it is: `content[1]`, `answers[0].points[2].content[0]`."""
    match input:
        case QuestionInput() | BriefingInput():
            pass
        case ReviewInput() | FollowUpInput():
            yield from _each("content", input.content)
        case BriefingAnswerInput():
            for a, answer in enumerate(input.answers):
                yield from _each(f"answers[{a}].content", answer.content)
        case _:
            assert_never(input)
    for path, point in points_in(input):
        yield from _each(f"{path}.content", point.content)


def required_words(input: AgentInput) -> Iterator[tuple[str, str]]:
    """Every text that must hold something to read."""
    match input:
        case QuestionInput():
            yield "question", input.question
            for path, choice in _each("options", input.options):
                yield f"{path}.label", choice.label
            yield "project", input.project
        case ReviewInput() | BriefingInput():
            yield "title", input.title
            yield "project", input.project
        case FollowUpInput():
            yield "answer", input.answer
        case BriefingAnswerInput():
            for path, answer in _each("answers", input.answers):
                yield f"{path}.answer", answer.answer
        case _:
            assert_never(input)
    for path, point in points_in(input):
        yield f"{path}.title", point.title
    for path, block in blocks_in(input):
        yield _words_of(path, block)


def blank_words(input: AgentInput) -> Iterator[str]:
    """A fault for every required text that holds nothing to read."""
    return (f"{path}: {WORDS_WANTED}" for path, words in required_words(input) if is_blank(words))


def _words_of(path: str, block: Block) -> tuple[str, str]:
    match block:
        case MarkdownBlock():
            return f"{path}.text", block.text
        case CodeBlock():
            return f"{path}.code", block.code
        case DiffBlock():
            return f"{path}.diff", block.diff
        case ImageBlock():
            return f"{path}.uploadId", block.upload_id
        case _:
            assert_never(block)


def _each(path: str, items: Iterable[_Item] | None) -> Iterator[tuple[str, _Item]]:
    for i, item in enumerate(items or ()):
        yield f"{path}[{i}]", item
