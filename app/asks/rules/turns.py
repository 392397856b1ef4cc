"""Whose move it is, and what the person's reply does to an ask."""

from datetime import datetime
from typing import assert_never

from app.asks.rules.points import fold
from app.asks.rules.replies import check_reply
from app.core.refusal import Refusal
from contract.asks import Actor, Ask, AskStatus, BriefingAsk, HumanEntry
from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, Reply, Responded
from contract.problems import Code


def reply_to(ask: Ask, reply: Reply, *, by: Actor, at: datetime) -> Ask:
    """The ask after the person's reply. A reply ends every following in its own change.

    Refuses a reply out of turn, then one that does not fit. Whether the reply was given before is asked first, with
    `already_given`.
    """
    _check_persons_turn(ask, reply)
    check_reply(ask, reply)
    replied = ask.changed(thread=(*ask.thread, HumanEntry(reply=reply, by=by, at=at)), waiting=False, updated_at=at)
    status = _status_after(replied, reply)
    return replied.changed(status=status, closed_at=at if status == "closed" else None)


def already_given(ask: Ask, reply: Reply, by: Actor) -> bool:
    """Whether this actor gave this very reply, and the ask is still where it left it."""
    latest = latest_reply(ask)
    if latest is None:
        return False
    _, entry = latest
    same = entry.reply == reply and entry.by is not None and entry.by.id == by.id
    return same and ask.status == _status_after(ask, reply)


def latest_reply(ask: Ask) -> tuple[int, HumanEntry] | None:
    """The latest reply since the agent's last answer, with its place in the thread; none while the agent had the last word."""
    if not ask.thread:
        return None
    last = ask.thread[-1]
    return (len(ask.thread) - 1, last) if isinstance(last, HumanEntry) else None


def ending(ask: Ask) -> str:
    """How a closed ask was closed, in words: `it was approved`."""
    latest = latest_reply(ask)
    if latest is None or _status_after(ask, latest[1].reply) != "closed":
        return "it was closed without a reply"
    match latest[1].reply:
        case Answered():
            return "it was answered"
        case Approved():
            return "it was approved"
        case ChangesRequested():
            return "changes were requested"
        case Dismissed():
            return "it was dismissed"
        case Responded() | FollowUp():  # a question asked back closes nothing
            return "every point was resolved"


def _check_persons_turn(ask: Ask, reply: Reply) -> None:
    match ask.status:
        case "awaiting_human":
            return
        case "awaiting_agent" if isinstance(ask, BriefingAsk):
            if not isinstance(reply, Dismissed):
                raise Refusal(Code.ASK_AGENTS_TURN, "it is the agent's turn: wait for its answers, or dismiss the briefing")
        case "awaiting_agent":
            raise Refusal(Code.ASK_AGENTS_TURN, "it is the agent's turn: reply once it has answered")
        case "closed":
            raise Refusal(Code.ASK_CLOSED, f"this {ask.kind} is closed and takes no more replies: {ending(ask)}")
        case _:
            assert_never(ask.status)


def _status_after(replied: Ask, reply: Reply) -> AskStatus:
    """Where a reply leaves an ask whose thread already ends with it."""
    match reply:
        case FollowUp():
            return "awaiting_agent"
        case Responded() if isinstance(replied, BriefingAsk) and not fold(replied).all_resolved:
            return "awaiting_agent"
        case Answered() | Approved() | ChangesRequested() | Dismissed() | Responded():
            return "closed"
        case _:
            assert_never(reply)
