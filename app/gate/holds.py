"""Ends what a credential has opened, sockets and held calls, once it is revoked or signed out."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Generator

from app.bus.bus import Bus
from app.bus.signal import GATE
from app.gate.caller import Caller
from app.gate.service import Gate

log = logging.getLogger(__name__)


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
        with self._bus.subscribe(GATE) as signals:
            while True:
                await signals.changed()
                self._gate.forget()
                if not self._held:
                    continue
                try:
                    ended = await self._gate.ended(list(self._held))
                except Exception as failure:
                    log.warning("credentials could not be checked, trying again: %s", type(failure).__name__)
                    await asyncio.sleep(0.5)
                    signals.wake()
                    continue
                for credential in ended:
                    for end in tuple(self._held.get(credential, ())):
                        end()
