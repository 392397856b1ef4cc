"""Asks and replies in words, for a terminal."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, assert_never

from app.commands.words import indented, one_line, visible
from contract.asks import (
    AgentEntry,
    Ask,
    BriefingPrompt,
    HumanEntry,
    Point,
    QuestionAsk,
    QuestionPrompt,
    ReviewPrompt,
)
from contract.base import format_moment
from contract.content import Block, CodeBlock, DiffBlock, ImageBlock, MarkdownBlock
from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, PointReply, Reply, Responded

STANDS = {"awaiting_human": "your move", "awaiting_agent": "the agent's move", "closed": "closed"}


def reply_words(reply: Reply) -> str:
    """What the person replied. The choices of an answer stand alone, each on its line, before any text."""
    match reply:
        case Answered():
            return visible("\n".join([*reply.selected, *([reply.text] if reply.text else [])]))
        case Approved():
            return "Approved" + (f": {visible(reply.note)}" if reply.note else ".")
        case ChangesRequested():
            return f"Changes requested: {visible(reply.feedback)}"
        case FollowUp():
            return f"Asked back: {visible(reply.question)}"
        case Dismissed():
            return "Dismissed."
        case Responded():
            return "\n".join(map(_point_reply_words, reply.points))
        case _:
            assert_never(reply)


def _point_reply_words(on: PointReply) -> str:
    done = " resolved" if on.resolved else ""
    return f"{visible(on.point)}{done}" + (f": {visible(on.text)}" if on.text else ".")


def title_of(ask: Ask) -> str:
    """What the ask is about, in a line."""
    return one_line(ask.prompt.question if isinstance(ask, QuestionAsk) else ask.prompt.title)


def ask_line(ask: Ask, *, now: datetime) -> str:
    """An ask in a line."""
    stands = STANDS[ask.status] + (", waiting" if ask.waiting else "")
    project = f"[{one_line(ask.project, 40)}] " if ask.project else ""
    return f"{ask.id}  {age(now, ask.created_at):>4}  {stands:<26}  {project}{one_line(title_of(ask), 100)}"


def age(now: datetime, since: datetime) -> str:
    """How long ago, in its largest unit."""
    seconds = max(int((now - since).total_seconds()), 0)
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def ask_words(ask: Ask) -> str:
    """A whole ask: its prompt, its thread, where it stands."""
    about = ", ".join(
        one_line(part) for part in (ask.project, ask.client, ask.raised_by and (ask.raised_by.name or ask.raised_by.id)) if part
    )
    waiting = ", an agent is waiting" if ask.waiting else ""
    head = [
        f"{ask.kind} {ask.id}",
        f"{STANDS[ask.status]}{waiting}; opened {format_moment(ask.created_at)}" + (f" by {about}" if about else ""),
    ]
    return "\n\n".join(["\n".join(head), *_prompt(ask), *map(_entry, ask.thread)])


def _prompt(ask: Ask) -> Iterator[str]:
    match ask.prompt:
        case QuestionPrompt() as prompt:
            yield visible(prompt.question)
            if prompt.context:
                yield indented(prompt.context)
            if prompt.options:
                yield "\n".join(["Choose any of:" if prompt.multiple else "Choose one of:", *map(_choice, prompt.options)])
        case ReviewPrompt() as prompt:
            yield visible(prompt.title)
            if prompt.summary:
                yield indented(prompt.summary)
            yield from map(_block, prompt.content)
        case BriefingPrompt() as prompt:
            yield visible(prompt.title)
            if prompt.summary:
                yield indented(prompt.summary)
            for section in prompt.sections:
                yield "\n".join([*([visible(section.title)] if section.title else []), *map(_point, section.points)])


def _choice(choice: Any) -> str:
    return f"  - {one_line(choice.label)}" + (f": {one_line(choice.description)}" if choice.description else "")


def _point(point: Point) -> str:
    parts = [f"{point.id}. {one_line(point.title)}"]
    parts += [indented(point.detail, "   ")] if point.detail else []
    parts += [indented(_block(each), "   ") for each in point.content or ()]
    return "\n".join(parts)


def _block(block: Block) -> str:
    match block:
        case MarkdownBlock():
            return visible(block.text)
        case CodeBlock():
            return f"{one_line(block.filename or block.language or 'code')}:\n{indented(block.code)}"
        case DiffBlock():
            return f"{one_line(block.filename or 'diff')}:\n{indented(block.diff)}"
        case ImageBlock():
            return f"(image{f': {one_line(block.caption)}' if block.caption else ''})"
        case _:
            assert_never(block)


def _entry(entry: HumanEntry | AgentEntry) -> str:
    at = format_moment(entry.at)
    if isinstance(entry, HumanEntry):
        return f"{at}  person\n{indented(reply_words(entry.reply))}"
    on = f" on {entry.point}" if entry.point else ""
    parts = [f"{at}  agent{on}", indented(entry.answer)]
    parts += [indented(_block(each)) for each in entry.content or ()]
    parts += [indented(_point(each)) for each in entry.points or ()]
    return "\n".join(parts)
