"""What every open inbox is told at once: a browser was signed in, a token that may reply was made, a token was revoked."""

import contextlib
import json
from collections.abc import AsyncGenerator

from sqlalchemy import RowMapping

from app.bus.bus import Bus
from app.bus.signal import GATE
from app.bus.subscription import Subscription
from app.database.database import Database
from app.gate import store
from app.gate.caller import Caller
from contract.base import format_moment

LATE = 1000
"""Rows are numbered before they are committed: one with a lower number may appear after one with a higher."""


class NoticeFeed:
    """A feed of notices, for the page's own socket."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    @contextlib.asynccontextmanager
    async def subscribe(self, caller: Caller) -> AsyncGenerator["NoticeSubscription"]:
        """Notices of the caller's space, from now on."""
        with self._bus.subscribe(GATE) as signals:
            yield NoticeSubscription(caller.space, self._database, signals)


class NoticeSubscription:
    """One socket's notices."""

    pending = 0

    def __init__(self, space: str, database: Database, signals: Subscription) -> None:
        self._space = space
        self._database = database
        self._signals = signals
        self._floor = 0
        self._told: set[int] = set()

    async def first(self) -> str:
        """A greeting: what happened before it is not told."""
        async with self._database.snapshot() as conn:
            self._floor = await store.last_note(conn, self._space) - LATE
            self._told = {row["id"] for row in await store.notices(conn, self._space, self._floor)}
        return '{"type":"ready"}'

    async def next(self) -> list[str]:
        """The notices that are new."""
        while True:
            await self._signals.changed()
            async with self._database.read() as conn:
                rows = await store.notices(conn, self._space, self._floor)
            new = [row for row in rows if row["id"] not in self._told]
            if new:
                self._floor = max(self._floor, rows[-1]["id"] - LATE)
                self._told = {row["id"] for row in rows if row["id"] > self._floor}
                return [_frame(row) for row in new]


def _frame(row: RowMapping) -> str:
    notice = {
        "type": "notice",
        "id": str(row["id"]),
        "action": row["action"],
        "label": row["label"],
        "at": format_moment(row["at"]),
    }
    return json.dumps({key: value for key, value in notice.items() if value is not None}, ensure_ascii=False)
