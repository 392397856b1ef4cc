"""MCP calls on bare sockets: what the official client hides, such as when the first byte comes and how a connection ends."""

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import httpx

MODERN = "2026-07-28"
LEGACY = "2025-06-18"


def message(
    era: str,
    name: str,
    arguments: Any,
    *,
    token: str | None = None,
    client: tuple[str, str] = ("claude-code", "2.1.0"),
    method: str = "tools/call",
) -> tuple[dict[str, str], dict[str, Any]]:
    """The headers and the body of a tool's call in this era."""
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    meta: dict[str, Any] = {} if token is None else {"progressToken": token}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if era == MODERN:
        headers |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": method, "Mcp-Name": name}
        meta |= {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": client[0], "version": client[1]},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    else:
        headers |= {"MCP-Protocol-Version": LEGACY}
    if meta:
        params["_meta"] = meta
    return headers, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


async def initialize(url: str, token: str, client: tuple[str, str] = ("claude-code", "2.1.0")) -> httpx.Response:
    """How a client of the handshake era begins."""
    params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": client[0], "version": client[1]}}
    body = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    async with httpx.AsyncClient(timeout=20) as http:
        return await http.post(f"{url}/mcp", json=body, headers=bearer(token) | _ACCEPT)


async def post(url: str, token: str, headers: dict[str, str], body: Any) -> httpx.Response:
    """One POST to its end."""
    content = body if isinstance(body, bytes | str) else json.dumps(body)
    async with httpx.AsyncClient(timeout=20) as http:
        return await http.post(f"{url}/mcp", content=content, headers=bearer(token) | headers)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


_ACCEPT = {"Accept": "application/json, text/event-stream"}


def result_in(text: str) -> dict[str, Any]:
    """The JSON-RPC answer in a response's text, be it plain or the last event of a stream."""
    if text.lstrip().startswith("{"):
        return json.loads(text)
    data = [line[5:].strip() for line in text.split("\n") if line.startswith("data:") and line[5:].strip()]
    return json.loads(data[-1])


class Held:
    """A request on a socket of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.received = b""

    async def first_body_byte(self) -> bytes:
        """What is there once the body has begun."""
        while not self.received.partition(b"\r\n\r\n")[2]:
            chunk = await self._reader.read(65536)
            assert chunk, self.received
            self.received += chunk
        return self.received

    async def until(self, words: bytes) -> None:
        """Read on until these words have come, and not a byte further than they came with."""
        while words not in self.received:
            chunk = await self._reader.read(65536)
            assert chunk, self.received
            self.received += chunk

    async def rest(self) -> bytes:
        """All that comes until the response's end."""
        while not self.received.endswith(b"0\r\n\r\n"):
            chunk = await self._reader.read(65536)
            if not chunk:
                break
            self.received += chunk
        return self.received

    async def result(self) -> dict[str, Any]:
        """The JSON-RPC answer."""
        received = await self.rest()
        head, _, body = received.partition(b"\r\n\r\n")
        return result_in((_unchunked(body) if b"chunked" in head.lower() else body).decode())

    def close(self) -> None:
        """Hang up in good order: FIN."""
        self._writer.close()

    def reset(self) -> None:
        """Hang up at once: RST."""
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    def close_our_side(self) -> None:
        """Send FIN and go on reading."""
        self._writer.write_eof()

    def stop_reading(self) -> None:
        """Take nothing more out of the kernel."""
        self._writer.transport.pause_reading()  # pyright: ignore[reportAttributeAccessIssue]


@contextlib.asynccontextmanager
async def held(url: str, token: str, headers: dict[str, str], body: Any) -> AsyncIterator[Held]:
    """A POST that is sent, and whatever becomes of it."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    content = json.dumps(body).encode()
    sent = bearer(token) | headers | {"Host": address.netloc, "Content-Length": str(len(content))}
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    writer.write(f"POST {address.path}/mcp HTTP/1.1\r\n{head}\r\n".encode() + content)
    await writer.drain()
    try:
        yield Held(reader, writer)
    finally:
        with contextlib.suppress(OSError):
            writer.close()
            await writer.wait_closed()


def _unchunked(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size or b"0", 16)
        whole, body = whole + body[:length], body[length + 2 :]
    return whole
