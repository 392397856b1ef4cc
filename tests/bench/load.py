"""A small HTTP client for loads: one keep-alive connection per worker, nothing parsed beyond what must be."""

import asyncio
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit


class Connection:
    """One connection that sends a request and reads its answer, again and again."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host = parts.netloc
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)

    async def open(self) -> "Connection":
        self._reader, self._writer = await asyncio.open_connection(*self._address)
        return self

    async def post(self, path: str, body: bytes, headers: str = "") -> tuple[int, bytes]:
        head = f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
        self._writer.write(head.encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        return int(answer[9:12]), await self._reader.readexactly(length)

    def close(self) -> None:
        self._writer.close()


async def saturate(
    url: str, requests: Iterator[tuple[str, bytes]], *, seconds: float, workers: int, headers: str, check: Callable[[int], bool]
) -> tuple[int, float]:
    """As many requests as go through in the time; their number and the seconds they took."""
    done = 0
    end = time.monotonic() + seconds

    async def work() -> None:
        nonlocal done
        connection = await Connection(url).open()
        try:
            while time.monotonic() < end:
                path, body = next(requests)
                status, _ = await connection.post(path, body, headers)
                if not check(status):
                    raise AssertionError(f"{path} answered {status}")
                done += 1
        finally:
            connection.close()

    started = time.monotonic()
    await asyncio.gather(*(work() for _ in range(workers)))
    return done, time.monotonic() - started
