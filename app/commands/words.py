"""What agents and people wrote, as a terminal may show it."""

import json
import unicodedata
from typing import Any

_BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They show text in another order than it has."""

_HIDDEN = frozenset(("Cc", "Cs", "Zl", "Zp"))


def visible(text: str) -> str:
    """The text with every control character but newline and tab written out: `\\x1b` can move no cursor and colour nothing."""
    return "".join(_written(each) if each not in "\n\t" and _is_hidden(each) else each for each in text.replace("\r\n", "\n"))


def one_line(text: str, width: int | None = None) -> str:
    """The same on one line, cut to the width."""
    line = visible(" ".join(text.split()))
    return line if width is None or len(line) <= width else line[: max(width - 1, 0)] + "…"


def indented(text: str, by: str = "  ") -> str:
    """The same, every line of it moved in."""
    return "\n".join(f"{by}{line}".rstrip() for line in visible(text).split("\n"))


def json_text(value: Any) -> str:
    """The value as JSON whose strings can do nothing to a terminal either."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(f"\\u{ord(each):04x}" if each != "\n" and _is_hidden(each) else each for each in text)


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or character in _BIDIRECTIONAL


def _written(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
