"""Asks that hold one of everything, awkward in every way that real ones are."""

from pathlib import Path
from typing import Any

DIFFS = Path(__file__).parents[1] / "fixtures" / "diffs"
UNBROKEN = "aVeryLongIdentifierThatNobodyBrokeIntoWords_" * 4

MARKDOWN = f"""## A plan

Some `code`, **bold**, *slanted*, ~~gone~~, a [link](https://example.com/a/path) and {UNBROKEN}.

- [x] measured
- [ ] built
  1. first
  2. second

> [!WARNING]
> It cannot be undone.

> A quote.

| step | who | how long | what it needs | and then | notes |
|---|:-:|--:|---|---|---|
| build | `agent` | 2 days | a database that holds forty gigabytes | deploy | {UNBROKEN} |

```python
def main(argument: str = "{UNBROKEN}") -> int:
    return 1  # one
```

مرحبا بالعالم. A footnote[^1].

<details><summary>More</summary>

Folded away.

</details>

[^1]: At the end.
"""

CODE = {
    "type": "code",
    "code": f"export const a = 1;\n{'x' * 400}\n",
    "language": "ts",
    "filename": f"src/{UNBROKEN}.ts",
}
DIFF = {"type": "diff", "diff": (DIFFS / "quirks.diff").read_text()}

QUESTION: dict[str, Any] = {
    "question": f"Which **database** should the service use?\n\n{MARKDOWN}",
    "options": [
        {"label": "Postgres", "description": "One server, many writers, " * 5},
        {"label": UNBROKEN[:80], "description": UNBROKEN},
        {"label": "SQLite"},
    ],
    "context": MARKDOWN,
}
SOME: dict[str, Any] = {
    "question": "Which systems?",
    "options": [{"label": "Linux"}, {"label": "macOS", "description": "From 14 on."}],
    "multiple": True,
}
REVIEW: dict[str, Any] = {
    "title": f"The login page {UNBROKEN}",
    "summary": MARKDOWN,
    "content": [{"type": "markdown", "text": MARKDOWN}, DIFF, CODE],
}
BRIEFING: dict[str, Any] = {
    "title": "What the audit found",
    "summary": "Three *findings*.",
    "sections": [
        {
            "title": f"Security {UNBROKEN}",
            "points": [
                {"title": f"Tokens are logged {UNBROKEN}", "detail": MARKDOWN, "content": [CODE, DIFF]},
                {"title": "The cookie lacks a flag"},
            ],
        },
        {"points": [{"title": "A slow query", "detail": "See below."}]},
    ],
}

ONE_OF_EACH: dict[str, tuple[str, dict[str, Any]]] = {
    "question": ("ask_question", QUESTION),
    "choices": ("ask_question", SOME),
    "review": ("request_review", REVIEW),
    "briefing": ("send_briefing", BRIEFING),
}
