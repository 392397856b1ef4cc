"""Waits with an agent until its ask has a reply, and keeps `waiting` true to what is so. Holds no connection while it waits."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from app.asks.changes import Changes
from app.asks.service import Asks, Followed
from app.asks.store import following, writing
from app.asks.store.rows import StoredAsk
from app.database.database import Database

log = logging.getLogger(__name__)

LEASE_SECONDS = 10.0
BEAT_SECONDS = 3.0
SWEEP_SECONDS = 2.0
LINGER_SECONDS = 45.0
FLICKER_SECONDS = 1.05
PROGRESS_SECONDS = 15.0

Progress = Callable[[float], Awaitable[None]]


class End(Enum):
    """Why a wait ended without a reply. The ask stays open in every case."""

    GONE = "the client is gone"
    CAPPED = "the client's limit is near"
    DRAINED = "the server is about to stop"
    REVOKED = "the credential was revoked"


@dataclass(eq=False)
class Wait:
    """One call's wait, that its edge can end."""

    ended: End | None = None
    stir: asyncio.Event = field(default_factory=asyncio.Event)

    def end(self, why: End) -> None:
        """End the wait; the first reason stays."""
        self.ended = self.ended or why
        self.stir.set()


@dataclass(frozen=True)
class Collected:
    """The reply that ended a wait."""

    ask_id: str
    entry: int
    reply: dict[str, Any]
    at: str


class Following:
    """This process as a follower of asks: its waits, its lease, and the sweep that finds followers who are gone."""

    def __init__(self, asks: Asks, changes: Changes, database: Database, *, replica: str) -> None:
        self._asks = asks
        self._changes = changes
        self._database = database
        self._replica = replica
        self._waits: set[Wait] = set()
        self._draining = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Take a lease, then keep it and sweep until `close`."""
        await self._beat()
        self._spawn(self._every(BEAT_SECONDS, self._beat))
        self._spawn(self._every(SWEEP_SECONDS, self._sweep))

    async def drain(self) -> None:
        """End every wait with `DRAINED`: the followers linger for a while without this process."""
        self._draining = True
        try:
            async with self._database.begin() as conn:
                await following.linger_all(conn, self._replica, LINGER_SECONDS)
        finally:
            for wait in tuple(self._waits):
                wait.end(End.DRAINED)

    async def close(self) -> None:
        """Stop, and leave: what this process still follows is followed no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            async with self._database.begin() as conn:
                await following.leave(conn, self._replica)
        except Exception as failure:
            log.warning("the lease of %s is left to expire: %s", self._replica, type(failure).__name__)

    @property
    def held(self) -> int:
        """Calls that wait now."""
        return len(self._waits)

    async def wait(self, followed: Followed, wait: Wait, *, longest: float | None, progress: Progress) -> Collected | None:
        """The reply that ends the wait, or None once `wait.ended` says why there is none.

        `progress` is told the seconds waited, at once and then every fifteen, whatever else happens.
        """
        self._waits.add(wait)
        late = self._draining  # `drain` lingers for those it finds; who comes later does so by itself
        if late:
            wait.end(End.DRAINED)
        collected: Collected | None = None
        try:
            collected = await self._until_reply(followed, wait, longest, progress)
        finally:
            self._waits.discard(wait)
            if collected is None and (late or wait.ended is not End.DRAINED):
                self._spawn(self._let_go(followed, lingers=wait.ended in (End.CAPPED, End.DRAINED)))
        return collected

    def leave(self, beginning: asyncio.Future[Followed]) -> None:
        """Follow no more what is only about to be followed: its call has ended."""
        self._spawn(self._leave(beginning))

    async def _leave(self, beginning: asyncio.Future[Followed]) -> None:
        await self._let_go(await beginning, lingers=False)

    async def _until_reply(self, followed: Followed, wait: Wait, longest: float | None, progress: Progress) -> Collected | None:
        clock = asyncio.get_running_loop().time
        started = clock()
        due = 0.0
        latest: StoredAsk | None = None

        def hear(ask: StoredAsk) -> None:
            nonlocal latest
            latest = ask
            wait.stir.set()

        async with self._changes.listen(followed.space, hear, ask_id=followed.ask_id):
            read = await self._asks.stored(followed.space, followed.ask_id)
            latest = latest if latest is not None and latest.version > read.version else read
            while True:
                wait.stir.clear()
                if found := collect(latest, followed.cursor):
                    return found
                waited = clock() - started
                if longest is not None and waited >= longest:
                    wait.end(End.CAPPED)
                if wait.ended:
                    return None
                if waited >= due:
                    await progress(waited)
                    due = waited + PROGRESS_SECONDS
                await _within(due - waited if longest is None else min(due, longest) - waited, wait.stir)

    async def _let_go(self, followed: Followed, *, lingers: bool) -> None:
        """The call is over and has no reply: follow no more, or for a while with nobody on the line."""
        async with self._database.begin() as conn:
            if lingers:
                await following.linger(conn, followed.follower, LINGER_SECONDS)
                return
            await following.unfollow(conn, followed.follower)
        for pause in (0, FLICKER_SECONDS):
            await asyncio.sleep(pause)
            if await self._settle(followed.space, followed.ask_id):
                return

    async def _settle(self, space: str, ask_id: str) -> bool:
        async with self._database.begin() as conn:
            return await following.settle(conn, await writing.take(conn, space), ask_id)

    async def _beat(self) -> None:
        async with self._database.begin() as conn:
            await following.beat(conn, self._replica, LEASE_SECONDS)

    async def _sweep(self) -> None:
        async with self._database.read() as conn:
            astray = await following.astray(conn)
        for space, ask_id in astray:
            await self._settle(space, ask_id)

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception as failure:
                log.warning("%s failed, trying again: %s", getattr(work, "__name__", "work"), type(failure).__name__)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def collect(ask: StoredAsk, cursor: int) -> Collected | None:
    """The first reply in the ask's thread from `cursor` on."""
    thread: list[dict[str, Any]] = json.loads(ask.wire)["thread"]
    for entry, each in enumerate(thread[cursor:], cursor):
        if each["author"] == "human":
            return Collected(ask.id, entry, each["reply"], each["at"])
    return None


async def _within(seconds: float, event: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception as failure:
        log.warning("work in the background failed: %s", type(failure).__name__)
