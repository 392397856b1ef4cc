"""What changes in a space, read once per process however many listen.

A signal on the bus is a hint to read again. The reader reads what is newer than what it last saw and hands each changed ask to
those who listen: first listen, then read, then wait.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from typing import Self

from app.asks.store import reading
from app.asks.store.rows import StoredAsk
from app.bus.bus import Bus
from app.database.database import Database

log = logging.getLogger(__name__)

Hear = Callable[[StoredAsk], None]

RETRY_SECONDS = 0.5


class Changes:
    """One reader for each space that somebody in this process listens to."""

    def __init__(self, bus: Bus, database: Database) -> None:
        self._bus = bus
        self._database = database
        self._readers: dict[str, _Reader] = {}

    @contextlib.asynccontextmanager
    async def listen(self, space: str, hear: Hear, *, ask_id: str | None = None) -> AsyncGenerator[None]:
        """Within, `hear` is called with each ask of the space that changes, or only with one ask's changes.

        What is read after entering misses nothing: every later change is heard.
        """
        reader = self._readers.get(space)
        if reader is None:
            reader = self._readers[space] = _Reader(space, self._bus, self._database)
        hearers = reader.hearers.setdefault(ask_id, set())
        hearers.add(hear)
        try:
            await reader.live.wait()
            yield
        finally:
            hearers.discard(hear)
            if not hearers:
                reader.hearers.pop(ask_id, None)
            if not reader.hearers and self._readers.get(space) is reader:
                del self._readers[space]
                reader.task.cancel()

    async def close(self) -> None:
        """Stop every reader."""
        tasks = [reader.task for reader in self._readers.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class _Reader:
    def __init__(self, space: str, bus: Bus, database: Database) -> None:
        self.hearers: dict[str | None, set[Hear]] = {}
        self.live = asyncio.Event()
        self._space = space
        self._bus = bus
        self._database = database
        self._version = -1
        self.task = asyncio.create_task(self._run(), name=f"changes of {space}")

    async def _run(self) -> None:
        with self._bus.subscribe(self._space) as signals:
            while True:
                await signals.changed()
                if not await self._read():
                    await asyncio.sleep(RETRY_SECONDS)
                    signals.wake()

    async def _read(self) -> bool:
        """Read what is new and hand it on. False when the database could not be read."""
        try:
            async with self._database.read() as conn:
                if not self.live.is_set():
                    self._version = await reading.version(conn, self._space)
                    changed: list[StoredAsk] = []
                else:
                    self._version, changed = await reading.changed_since(conn, self._space, self._version)
        except Exception as failure:
            log.warning("changes of %s could not be read, trying again: %s", self._space, type(failure).__name__)
            return False
        self.live.set()
        for ask in changed:
            for hear in (*self.hearers.get(ask.id, ()), *self.hearers.get(None, ())):
                hear(ask)
        return True
