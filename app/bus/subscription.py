"""A place in the bus: what waits for one topic to change."""

import asyncio
from types import TracebackType
from typing import Self


class Subscription:
    """Subscribe, then read, then wait, then read again:

        with bus.subscribe(space) as subscription:
            while True:
                await subscription.changed()
                ...  # read what is there now

    The first turn comes at once. A change during a read is not lost: the next turn comes at once, too.
    """

    def __init__(self, register: dict[str, set["Subscription"]], topic: str) -> None:
        self.topic = topic
        self._register = register
        self._changed = asyncio.Event()
        self._changed.set()

    async def changed(self) -> None:
        """Wait until the topic may have changed since the last turn."""
        await self._changed.wait()
        # Cleared before the read that follows, so that what changes during it is seen.
        self._changed.clear()

    def wake(self) -> None:
        """Let the next turn come."""
        self._changed.set()

    def __enter__(self) -> Self:
        self._register.setdefault(self.topic, set()).add(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        others = self._register.get(self.topic, set())
        others.discard(self)
        if not others:
            self._register.pop(self.topic, None)
