"""Waiting for what must come true, with an end to it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Found = TypeVar("Found")

PAUSE = 0.02


async def eventually(look: Callable[[], Awaitable[Found]], seconds: float = 10.0, what: str = "") -> Found:
    """The first thing found that is true. Fails when there is none in time."""
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    while True:
        found = await look()
        if found:
            return found
        assert clock() < end, f"not within {seconds} s: {what or look}"
        await asyncio.sleep(PAUSE)


async def soon(result: Awaitable[Found], seconds: float = 15.0) -> Found:
    """What must come without anybody doing more about it. Fails when it does not in time, rather than wait with it."""
    return await asyncio.wait_for(result, seconds)
