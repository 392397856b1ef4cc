"""The contract's revisions, and how a document of an older one becomes a document of this one.

Code writes the current revision only. A stored document names the revision it was written in; on reading it is walked forward,
one step per revision. A step is declared once per message, beside the revision it leads to.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

REVISIONS: tuple[str, ...] = ("1",)
"""Oldest first. A revision that has shipped is never edited: add the next one."""

CURRENT = REVISIONS[-1]

Document = dict[str, Any]
Step = Callable[[Document], Document]
Steps = Mapping[tuple[str, str], Step]
"""(message, the revision it is in) → the step to the next revision. A message that did not change needs no step."""

STEPS: Steps = {}


class NewerRevision(Exception):
    """A document was written by newer code than this: it is to be left alone."""


class UnknownRevision(ValueError):
    """What names itself a revision is not one."""


def is_newer(revision: str, *, current: str = CURRENT) -> bool:
    """Whether `revision` is newer than `current`. Raises `UnknownRevision` when it is no revision at all."""
    if not revision.isascii() or not revision.isdecimal() or revision.startswith("0") or len(revision) > 9:
        raise UnknownRevision(revision)
    return int(revision) > int(current)


def upgrade(
    message: str,
    revision: str,
    document: Document,
    *,
    revisions: Sequence[str] = REVISIONS,
    steps: Steps = STEPS,
) -> Document:
    """The document as the newest of `revisions` has it. Raises `NewerRevision` where it is from a later one."""
    if is_newer(revision, current=revisions[-1]):
        raise NewerRevision(f"a {message} of revision {revision}; this code knows up to {revisions[-1]}")
    for each in revisions[list(revisions).index(revision) : -1]:
        step = steps.get((message, each))
        document = step(document) if step else document
    return document
