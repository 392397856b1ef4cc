"""Asks on the event socket: a snapshot, then each ask that changes as it then is, in order, the last state always."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from app.asks.changes import Changes
from app.asks.snapshots import Snapshots
from app.asks.store.rows import StoredAsk
from app.gate.caller import Caller


class AskFeed:
    """The feed of asks."""

    def __init__(self, changes: Changes, snapshots: Snapshots) -> None:
        self._changes = changes
        self._snapshots = snapshots

    @contextlib.asynccontextmanager
    async def subscribe(self, caller: Caller) -> AsyncGenerator["AskSubscription"]:
        """What changes in the caller's space, from now on."""
        subscription = AskSubscription(caller.space, self._snapshots)
        async with self._changes.listen(caller.space, subscription.hear):
            yield subscription


class AskSubscription:
    """One socket's asks. Of an ask that changes again before it was sent, the last state alone is sent."""

    def __init__(self, space: str, snapshots: Snapshots) -> None:
        self._space = space
        self._snapshots = snapshots
        self._due: dict[str, StoredAsk] = {}
        self._sent: set[str] = set()
        self._version = -1
        self._stirred = asyncio.Event()

    @property
    def pending(self) -> int:
        """Characters due beside the largest single frame, which may take its time."""
        sizes = [len(ask.wire) for ask in self._due.values()]
        return sum(sizes) - max(sizes, default=0)

    def hear(self, ask: StoredAsk) -> None:
        """An ask has changed."""
        if ask.version > self._version:
            self._due.pop(ask.id, None)
            self._due[ask.id] = ask
            self._stirred.set()

    async def first(self) -> str:
        """The snapshot."""
        snapshot = await self._snapshots.read(self._space)
        self._version = snapshot.version
        self._sent = set(snapshot.ids)
        self._due = {id: ask for id, ask in self._due.items() if ask.version > snapshot.version}
        return f'{{"type":"snapshot","snapshot":{snapshot.body}}}'

    async def next(self) -> list[str]:
        """A frame for each ask that has changed."""
        while not self._due:
            self._stirred.clear()
            await self._stirred.wait()
        # One at a time: what waits behind it stays one shared text, and may yet be overtaken by a later state.
        return [self._frame(self._due.pop(next(iter(self._due))))]

    def _frame(self, ask: StoredAsk) -> str:
        kind = "ask.updated" if ask.id in self._sent else "ask.opened"
        self._sent.add(ask.id)
        return f'{{"type":"{kind}","ask":{ask.wire}}}'
