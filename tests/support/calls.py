"""What each waiting tool can be called with, the reply that ends its wait, and how to get it there."""

from typing import Any

from tests.support.house import unique

PROJECT = "loopback"

OPENING: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ask_question": (
        {"question": "Which one?", "options": [{"label": "Left"}, {"label": "Right", "description": "The long way."}]},
        {"outcome": "answered", "selected": ["Left"], "text": "And mind the step – 🪜."},
    ),
    "request_review": (
        {"title": "The plan", "content": [{"type": "markdown", "text": "1. Build"}, {"type": "code", "code": "x = 1\n"}]},
        {"outcome": "changes_requested", "feedback": "Shorter, «please»."},
    ),
    "send_briefing": (
        {"title": "Findings", "sections": [{"title": "One", "points": [{"title": "a"}, {"title": "b", "detail": "B"}]}]},
        {"outcome": "responded", "points": [{"point": "1", "text": "Since when?"}, {"point": "2", "resolved": True}]},
    ),
}
"""Each tool that opens an ask: what it is given, and a reply that fits."""


def opening(tool: str, **changes: Any) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Arguments that nobody has sent yet, a reply that fits, and the ask's words."""
    arguments, reply = OPENING[tool]
    field = "question" if tool == "ask_question" else "title"
    words = unique(arguments[field])
    return {**arguments, field: words, "project": PROJECT, **changes}, reply, words


def question(words: str = "Ship it?", **changes: Any) -> tuple[dict[str, Any], str]:
    """A question that nobody has asked yet, and its words."""
    asked = unique(words)
    return {"question": asked, "project": PROJECT, **changes}, asked


ANSWERED = {"outcome": "answered", "selected": [], "text": "Yes, ship it."}
ASKED_BACK = {"outcome": "follow_up", "question": "To whom?"}
