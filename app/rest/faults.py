"""A message that does not validate, in words that name every field at fault."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from app.core.refusal import Refusal
from contract.problems import Code

_TAGS = frozenset(
    {"answered", "approved", "changes_requested", "follow_up", "dismissed", "responded", "markdown", "code", "diff", "image"}
)


def words_of(error: ValidationError, *, most: int = 20) -> str:
    """Each fault as `field: what is wrong`, the field by its name on the wire."""
    faults = [
        f"{path_of(fault['loc'])}: {_said(dict(fault))}" for fault in error.errors(include_url=False, include_input=False)
    ]
    more = f"; and {len(faults) - most} more" if len(faults) > most else ""
    return "; ".join(faults[:most]) + more


def path_of(location: Sequence[str | int]) -> str:
    """`sections[0].points[2].title`."""
    path = ""
    for index, part in enumerate(location):
        if isinstance(part, int):
            path += f"[{part}]"
        elif part in _TAGS and (index == 0 or isinstance(location[index - 1], int)):
            continue
        else:
            path += f".{part}" if path else part
    return path or "the whole"


def refusal_of(error: ValidationError, code: Code = Code.REQUEST_INVALID) -> Refusal:
    """The refusal for a message that does not validate."""
    return Refusal(code, words_of(error))


def _said(fault: dict[str, Any]) -> str:
    message = str(fault["msg"])
    match fault["type"]:
        case "missing":
            return "is required"
        case "value_error":
            return message.removeprefix("Value error, ")
        case "too_short":
            return f"is too short: at least {fault['ctx']['min_length']}, not {fault['ctx']['actual_length']}"
        case "too_long":
            return f"is too long: at most {fault['ctx']['max_length']}, not {fault['ctx']['actual_length']}"
        case "union_tag_not_found":
            return f"needs its {fault['ctx']['discriminator']}"
        case "union_tag_invalid":
            return f"{fault['ctx']['discriminator']} is {fault['ctx']['tag']!r}; one of {fault['ctx']['expected_tags']} fits"
        case _:
            return message[:1].lower() + message[1:]
