"""A small reverse proxy: puts a server under a path of its own address, as people put one behind nginx or Caddy."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from tests.support.ports import free_port


@dataclass
class Front:
    """Passes on what is asked for below the prefix, and notes and refuses all else."""

    prefix: str
    port: int
    strips: bool
    """Whether the prefix is taken off on the way."""

    upstream: int = 0
    """The server's port."""

    passed: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.prefix}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of one connection; upgrades and endless answers go both ways until either side ends."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, target, version = head.split("\r\n", 1)[0].split(" ")
            if target != self.prefix and not target.startswith(self.prefix + "/"):
                self.outside.append(target)
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            else:
                self.passed.append(target)
                inner = target.removeprefix(self.prefix) or "/" if self.strips else target
                await self._pass(reader, writer, f"{method} {inner} {version}", head.split("\r\n", 1)[1])
        with contextlib.suppress(OSError):
            writer.close()
            await writer.wait_closed()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: str, headers: str) -> None:
        lines = [line for line in headers.split("\r\n") if line]
        if not any(line.lower().startswith("upgrade:") for line in lines):
            lines = [line for line in lines if not line.lower().startswith("connection:")] + ["Connection: close"]
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        up_writer.write("\r\n".join([request, *lines, "", ""]).encode("latin-1"))
        # The answer's end ends both: a browser may keep its side open for longer.
        upwards = asyncio.create_task(_pump(reader, up_writer))
        try:
            await _pump(up_reader, writer)
        finally:
            upwards.cancel()
            up_writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()


@contextlib.asynccontextmanager
async def front(prefix: str, *, strips: bool) -> AsyncGenerator[Front]:
    """The proxy; where it passes requests to is set once the server is there."""
    made = Front(prefix, free_port(), strips)
    server = await asyncio.start_server(made.serve, "127.0.0.1", made.port)
    try:
        yield made
    finally:
        server.close()
