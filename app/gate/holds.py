"""Ends what a credential has opened, sockets and held calls, once it is revoked or signed out."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Generator

from app.bus.bus import Bus
from app.bus.signal import GATE
from app.gate.caller import Caller
from app.gate.service import REMEMBER_SECONDS, Gate

log = logging.getLogger(__name__)

AGAIN_SECONDS = REMEMBER_SECONDS + 0.25
"""After an end, what is held is looked at once more: a caller who was let in just before it is held only a little after it."""


class Holds:
    """What this process holds open, by credential."""

    def __init__(self, gate: Gate, bus: Bus) -> None:
        self._gate = gate
        self._bus = bus
        self._held: dict[str, set[Callable[[], None]]] = {}
        self._task: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def hold(self, caller: Caller, end: Callable[[], None]) -> Generator[None]:
        """Within, `end` is called once the caller's credential is no longer good."""
        held = self._held.setdefault(caller.credential, set())
        held.add(end)
        try:
            yield
        finally:
            held.discard(end)
            if not held:
                self._held.pop(caller.credential, None)

    async def start(self) -> None:
        """Listen for credentials that end."""
        self._task = asyncio.create_task(self._run(), name="holds")

    async def close(self) -> None:
        """Stop listening."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        once_more = False
        with self._bus.subscribe(GATE) as signals:
            while True:
                try:
                    async with asyncio.timeout(AGAIN_SECONDS if once_more else None):
                        await signals.changed()
                    once_more = True
                except TimeoutError:
                    once_more = False
                self._gate.forget()
                try:
                    await self._end_what_ended()
                except Exception as failure:
                    log.warning("credentials could not be checked, trying again: %s", type(failure).__name__)
                    await asyncio.sleep(0.5)
                    signals.wake()

    async def _end_what_ended(self) -> None:
        ended = await self._gate.ended(list(self._held)) if self._held else []
        for credential in ended:
            for end in tuple(self._held.get(credential, ())):
                end()
