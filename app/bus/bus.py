"""The change bus between processes: one listening connection each, and a hint that something has changed.

The rows are the truth. A signal only says "read again"; so one too many is harmless, and one that is lost heals at the next.
"""

import asyncio
import json
import logging
import random
from contextlib import suppress
from typing import Any

from app.bus.signal import CHANNEL
from app.bus.subscription import Subscription
from app.database.driver import Connection, connect

CONNECT_SECONDS = 5
BACKOFF_SECONDS = (0.05, 5.0)

_log = logging.getLogger(__name__)


class Bus:
    """Wakes subscribers when a committed transaction has announced their topic, in whichever process it ran.

    The address must lead straight to Postgres: behind a pooler that shares connections, nothing would ever arrive.
    """

    def __init__(self, direct_url: str, *, ping: float = 5.0, patience: float = 2.0, recheck: float = 15.0) -> None:
        self._url = direct_url
        self._ping = ping
        self._patience = patience
        self._recheck = recheck
        self._subscriptions: dict[str, set[Subscription]] = {}
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._connected = False
        self._connections = 0

    @property
    def connected(self) -> bool:
        """Whether this process hears signals now. While it does not, its subscribers are behind."""
        return self._connected

    @property
    def reconnects(self) -> int:
        """How often the listening connection was replaced."""
        return max(0, self._connections - 1)

    def subscribe(self, topic: str) -> Subscription:
        """Follow a topic: a space's id, or `gate`. Enter it, and then read the state for the first time."""
        return Subscription(self._subscriptions, topic)

    async def start(self) -> None:
        """Begin to listen. Returns after the first attempt, whether it worked or not: it goes on trying."""
        self._task = asyncio.create_task(self._run(), name="bus")
        await self._tried.wait()

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _run(self) -> None:
        shortest, longest = BACKOFF_SECONDS
        pause = shortest
        while True:
            connections = self._connections
            try:
                await self._listen()
            except Exception as error:  # whatever it was, connecting again is the cure
                _log.warning("The bus has no connection (%s: %s); connecting again.", type(error).__name__, error)
            self._tried.set()
            pause = shortest if self._connections > connections else min(pause * 2, longest)
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311

    async def _listen(self) -> None:
        """Listen until the connection is lost."""
        lost = asyncio.Event()
        connection = await connect(self._url, name="loopback-bus", seconds=CONNECT_SECONDS)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.add_listener(CHANNEL, self._hear)
            self._connected = True
            self._connections += 1
            self._tried.set()
            self._wake_all()  # anything may have changed while nobody listened
            await self._watch(connection, lost)
        finally:
            self._connected = False
            await _close(connection)

    async def _watch(self, connection: Connection, lost: asyncio.Event) -> None:
        """Ask now and then whether the other side is still there: a connection cut on the way says nothing by itself."""
        loop = asyncio.get_running_loop()
        recheck_at = loop.time() + self._recheck
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._ping):
                    await lost.wait()
            if lost.is_set():
                raise ConnectionError("closed by the server")
            async with asyncio.timeout(self._patience):
                await connection.fetchval("select 1")
            if loop.time() >= recheck_at:
                self._wake_all()
                recheck_at = loop.time() + self._recheck

    def _hear(self, connection: Any, process: int, channel: str, payload: str) -> None:
        try:
            topic, _version = json.loads(payload)
            subscriptions = self._subscriptions.get(topic, set())
        except (ValueError, TypeError):
            return self._wake_all()  # not our words, but somebody says that something changed
        for subscription in subscriptions:
            subscription.wake()
        return None

    def _wake_all(self) -> None:
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.wake()


async def _close(connection: Connection) -> None:
    """Politely, unless the other side does not answer. Never in the way of what ended the listening."""
    with suppress(Exception):
        async with asyncio.timeout(1):
            await connection.close()
    connection.terminate()
