"""What the event socket sends: a feed. A capability that changes live brings one."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from app.gate.caller import Caller


class Subscription(Protocol):
    """One socket's view of a feed, from a first frame on."""

    async def first(self) -> str:
        """The frame to start from. What changes after it was read follows; nothing before it does."""
        ...

    async def next(self) -> list[str]:
        """The frames that have become due since the last call, in order; waits for at least one."""
        ...

    @property
    def pending(self) -> int:
        """Bytes that are due and were not taken yet."""
        ...


class Feed(Protocol):
    """Where subscriptions come from."""

    def subscribe(self, caller: Caller) -> AbstractAsyncContextManager[Subscription]:
        """Begin to collect what changes in the caller's space."""
        ...
