"""Rows of `asks` and how they go to the wire."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import RowMapping

from app.core.refusal import Refusal
from contract.asks import Ask
from contract.problems import Code
from contract.upgrades import CURRENT, NewerRevision, upgrade

log = logging.getLogger(__name__)

ASK: TypeAdapter[Ask] = TypeAdapter(Ask)
_OBJECT = TypeAdapter(dict[str, Any])

COLUMNS = "id, space_id, version, status, waiting, revision, doc, raised_by, closed_at"


@dataclass(frozen=True)
class StoredAsk:
    """An ask as its row has it."""

    id: str
    space: str
    version: int
    status: str
    raised_by: str
    closed_at: datetime | None
    wire: str
    """The ask as it goes to the wire."""

    @property
    def is_open(self) -> bool:
        """Whether it is still somebody's move."""
        return self.status != "closed"

    def message(self) -> Ask:
        """The ask, parsed."""
        return ASK.validate_json(self.wire)


def wire(row: RowMapping) -> str:
    """A row as the ask on the wire. Its document passes through unparsed when its revision is the current one.

    Raises `NewerRevision` for a row that newer code wrote: it is to be left alone.
    """
    document: str = row["doc"]
    if row["revision"] != CURRENT:
        parsed = _OBJECT.validate_json(document)
        document = ASK.validate_python({"waiting": False, **upgrade("Ask", row["revision"], parsed)}).to_json()
        return document.replace('"waiting":false', f'"waiting":{_flag(row["waiting"])}', 1)
    return f'{{"waiting":{_flag(row["waiting"])},{document[1:]}'


def document(ask: Ask) -> str:
    """An ask as it is stored: without `waiting`, which is a column."""
    return ask.model_dump_json(by_alias=True, exclude_none=True, exclude={"waiting"})


def _flag(value: bool) -> str:
    return "true" if value else "false"


def stored(row: RowMapping) -> StoredAsk:
    return StoredAsk(
        id=row["id"],
        space=row["space_id"],
        version=row["version"],
        status=row["status"],
        raised_by=row["raised_by"],
        closed_at=row["closed_at"],
        wire=wire(row),
    )


def required(row: RowMapping) -> StoredAsk:
    """The ask of a row that was asked for by name. One that newer code wrote is refused with 503 `revision.newer`, loudly."""
    try:
        return stored(row)
    except NewerRevision as newer:
        log.error("ask %s is left alone: %s", row["id"], newer)
        raise Refusal(
            Code.REVISION_NEWER, "a newer version of the server wrote this ask: try again once the upgrade is through"
        ) from None


def readable(rows: Iterable[RowMapping]) -> list[StoredAsk]:
    """The rows this code can read. One that newer code wrote is left out, loudly."""
    found: list[StoredAsk] = []
    for row in rows:
        try:
            found.append(stored(row))
        except NewerRevision as newer:
            log.error("ask %s is left alone: %s", row["id"], newer)
    return found
