"""Clients that read slowly, or not at all."""

import asyncio
import base64
import json
import os
import socket
import struct
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.events.test_socket import inbox
from tests.support.asking import ASKED_BACK, open_asks, question
from tests.support.house import House, Person
from tests.support.raw import bearer
from tests.support.waiting import eventually

STUCK = 12
LARGE = 200_000
ASKS = 40


class RawSocket:
    """An event socket on a bare TCP socket with a small buffer: it reads what it is told to read."""

    def __init__(self, house: House, *, buffer: int = 4096) -> None:
        address = urlsplit(house.url)
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self._socket.connect((address.hostname, address.port))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = {
            "Host": address.netloc,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
            **bearer(house.reply_token),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._socket.sendall(f"GET /api/v1/events HTTP/1.1\r\n{head}\r\n".encode())
        self._received = b""
        while b"\r\n\r\n" not in self._received:
            self._received += self._socket.recv(1)
        assert b" 101 " in self._received
        self._received = b""
        self._socket.setblocking(False)

    async def read_slowly(self, chunk: int, pause: float) -> None:
        """To the end, a chunk at a time."""
        loop = asyncio.get_running_loop()
        while data := await loop.sock_recv(self._socket, chunk):
            self._received += data
            await asyncio.sleep(pause)

    def frames(self) -> Iterable[tuple[int, bytes]]:
        """(opcode, payload) of each frame that was read whole."""
        data = self._received
        while len(data) >= 2:
            size, start = data[1], 2
            if size == 126:
                size, start = struct.unpack(">H", data[2:4])[0], 4
            elif size == 127:
                size, start = struct.unpack(">Q", data[2:10])[0], 10
            if len(data) < start + size:
                return
            yield data[0] & 0x0F, data[start : start + size]
            data = data[start + size :]

    def close(self) -> None:
        self._socket.close()


async def figures(http: httpx.AsyncClient) -> dict[str, float]:
    text = (await http.get("/metrics")).text
    return {name: float(value) for name, value in (line.split() for line in text.splitlines())}


async def change_a_lot(house: House, person: Person) -> list[str]:
    """Open large asks and change each; their ids."""
    asks = await open_asks(house, [question(context="x" * LARGE) for _ in range(ASKS)])
    for ask in asks:
        await person.reply(ask["id"], ASKED_BACK)
    return [ask["id"] for ask in asks]


async def forget(house: House) -> None:
    """No asks: the next snapshot is small."""
    await house.rows("delete from replies")
    await house.rows("delete from asks")
    await house.rows("update spaces set version = version + 1")


async def test_sockets_that_stop_reading_are_dropped_and_hold_up_nobody(
    house: House, person: Person, nobody: httpx.AsyncClient
) -> None:
    await change_a_lot(house, person)  # what the server needs for so much, with nobody stuck
    await forget(house)
    stuck: list[RawSocket] = []
    async with inbox(house) as one, inbox(house) as two:
        before = await figures(nobody)
        try:
            stuck += [RawSocket(house) for _ in range(STUCK)]

            async def all_open() -> bool:
                return (await figures(nobody))["loopback_sockets"] == 2 + STUCK

            await eventually(all_open, 5)
            ids = await change_a_lot(house, person)
            for page in (one, two):

                async def has_all(page: Any = page) -> bool:
                    return all(page.asks.get(id, {}).get("status") == "awaiting_agent" for id in ids)

                await eventually(has_all, 20, "a healthy page has every change")

            async def dropped() -> bool:
                return (await figures(nobody))["loopback_sockets"] == 2

            await eventually(dropped, 20, "the stuck sockets are given up")
            grown = (await figures(nobody))["process_resident_memory_bytes"] - before["process_resident_memory_bytes"]
            assert grown < STUCK * 2 * 1024 * 1024 + 60_000_000, f"{grown / 1e6:.0f} MB"

            async def gone() -> bool:
                return (await figures(nobody))["process_open_fds"] <= before["process_open_fds"] + 3

            await eventually(gone, 30, "their connections are gone from the kernel, too")
        finally:
            for each in stuck:
                each.close()
        await one.agrees(person)


async def test_a_socket_that_reads_too_slowly_is_closed_with_1013(house: House, person: Person) -> None:
    await forget(house)
    slow = RawSocket(house, buffer=262_144)
    reading = asyncio.create_task(slow.read_slowly(131_072, 0.1))
    try:
        await change_a_lot(house, person)
        await asyncio.wait_for(reading, 60)
    finally:
        reading.cancel()
        slow.close()
    *frames, (last, payload) = slow.frames()
    assert json.loads(frames[0][1])["type"] == "snapshot"
    assert last == 8
    assert struct.unpack(">H", payload[:2])[0] == 1013
