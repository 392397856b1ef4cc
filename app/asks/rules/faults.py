"""Saying what is wrong with a message: every fault at once, each with its field."""

import json
from collections.abc import Iterable

from app.core.refusal import Refusal
from contract.problems import Code

WORDS_WANTED = "write something other than white space"
"""What to say of required words that hold none."""

_LINES = 200
_QUOTED = 60
_LISTED = 20


def refuse_any(code: Code, faults: Iterable[str]) -> None:
    """Refuse with every fault on a line of its own, so that one more try can mend them all; without a fault, do nothing.

    Past two hundred lines the rest is only counted: a message must stay one that can be read and sent.
    """
    every = list(faults)
    if not every:
        return
    lines = every[:_LINES]
    if len(every) > _LINES:
        lines.append(f"and {len(every) - _LINES} more like these")
    raise Refusal(code, "\n".join(lines))


def is_blank(words: str | None) -> bool:
    """Whether there is nothing to read: absent, empty, or white space alone."""
    return words is None or not words.strip()


def quoted(value: str) -> str:
    """What was sent, as a message repeats it: in quotes, on one line, cut where it is long."""
    return json.dumps(value if len(value) <= _QUOTED else value[: _QUOTED - 1] + "…", ensure_ascii=False)


def listed(names: Iterable[str]) -> str:
    """Names for a message to offer, the first twenty of them."""
    every = list(names)
    return ", ".join(every[:_LISTED]) + (", …" if len(every) > _LISTED else "")
