"""Snapshots of a space, built once per version however many want one."""

import asyncio
import time
from dataclasses import dataclass

from app.asks.service import Asks

KEEP_SECONDS = 10.0


@dataclass(frozen=True)
class Snapshot:
    """A snapshot's JSON, the version of the space that it shows, and the asks in it."""

    version: int
    body: str
    ids: frozenset[str]


class Snapshots:
    """Snapshots, built once per version however many want one, and kept for a few seconds."""

    def __init__(self, asks: Asks) -> None:
        self._asks = asks
        self._kept: dict[str, tuple[float, Snapshot]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def read(self, space: str) -> Snapshot:
        """The space as it is now, or later."""
        async with self._locks.setdefault(space, asyncio.Lock()):
            kept = self._kept.get(space)
            if kept and kept[1].version == await self._asks.version(space):
                return kept[1]
            snapshot = Snapshot(*await self._asks.snapshot(space))
            self._kept[space] = (time.monotonic(), snapshot)
        asyncio.get_running_loop().call_later(KEEP_SECONDS, self._forget, space, snapshot)
        return snapshot

    def _forget(self, space: str, snapshot: Snapshot) -> None:
        kept = self._kept.get(space)
        if kept and kept[1] is snapshot:
            del self._kept[space]
