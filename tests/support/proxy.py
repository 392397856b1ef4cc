"""A socket between a client and Postgres: it can go silent without closing, and it notes what the client sends."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from tests.support.postgres import new_folder

SOCKET = ".s.PGSQL.5432"


class Proxy:
    """Passes bytes on until told to keep them."""

    def __init__(self, url: str, folder: Path) -> None:
        host = parse_qs(urlsplit(url).query)["host"][0]
        self.url = re.sub(r"host=[^&]*", f"host={quote(str(folder))}", url)
        self.statements: list[str] = []
        """What the client had done: the text of each simple query, `execute` for each prepared statement."""
        self.refuse = False
        """Whether new clients are sent away."""
        self._server_socket = f"{host}/{SOCKET}"
        self._silent: set[asyncio.Task[None] | None] = set()
        self._tasks: set[asyncio.Task[None] | None] = set()

    def silence(self) -> None:
        """From now on nothing passes on the connections there are, in either direction, and none of them is closed."""
        self._silent |= self._tasks

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client."""
        if self.refuse:
            writer.close()
            return
        task = asyncio.current_task()
        self._tasks.add(task)
        server_reader, server_writer = await asyncio.open_unix_connection(self._server_socket)
        with suppress(asyncio.CancelledError, OSError):
            await asyncio.gather(
                self._pass_on(reader, server_writer, task, Listener(self.statements)),
                self._pass_on(server_reader, writer, task, None),
            )
        self._tasks.discard(task)
        writer.close()
        server_writer.close()

    async def close(self) -> None:
        """Cut every connection."""
        tasks = [task for task in self._tasks if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        task: asyncio.Task[None] | None,
        listener: "Listener | None",
    ) -> None:
        while chunk := await reader.read(65536):
            if task not in self._silent:
                if listener is not None:
                    listener.hear(chunk)
                writer.write(chunk)
                await writer.drain()
        writer.close()


class Listener:
    """Reads the client's side of the protocol."""

    def __init__(self, statements: list[str]) -> None:
        self._statements = statements
        self._buffer = b""
        self._greeted = False

    def hear(self, chunk: bytes) -> None:
        """Note every whole message."""
        self._buffer += chunk
        while message := self._next():
            kind, body = message
            if kind == b"Q":
                self._statements.append(body.rstrip(b"\0").decode())
            elif kind == b"E":
                self._statements.append("execute")
            elif kind == b"P":
                self._statements.append("prepare")

    def _next(self) -> tuple[bytes, bytes] | None:
        head = 1 if self._greeted else 0  # the first message has no kind
        if len(self._buffer) < head + 4:
            return None
        end = head + int.from_bytes(self._buffer[head : head + 4], "big")
        if len(self._buffer) < end:
            return None
        kind, body = self._buffer[:head], self._buffer[head + 4 : end]
        self._buffer, self._greeted = self._buffer[end:], True
        return kind, body


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[Proxy]:
    """A proxy before the server of this address."""
    folder = new_folder()
    proxy = Proxy(url, folder)
    server = await asyncio.start_unix_server(proxy.serve, folder / SOCKET)
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
        (folder / SOCKET).unlink(missing_ok=True)
        folder.rmdir()
