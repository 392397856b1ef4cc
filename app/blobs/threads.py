"""A store's own threads, so that a slow disk or a slow bucket holds up neither the event loop nor anyone else's threads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """So many threads, and how long a caller waits for one to finish its work."""

    def __init__(self, count: int, patience: float) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="blobs")
        self._patience = patience

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns or raises; `TimeoutError` after `patience` seconds, though the thread may go on."""
        async with asyncio.timeout(self._patience):
            return await asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args, **kwargs))

    def close(self) -> None:
        """Start nothing more. What runs already is left to finish."""
        self._pool.shutdown(wait=False, cancel_futures=True)
