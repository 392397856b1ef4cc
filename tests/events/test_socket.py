"""What the event socket sends."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.events.test_handshake import events, first_of
from tests.support.asking import ANSWERED, ASKED_BACK, briefing, open_ask, open_asks, question, review
from tests.support.house import House, Person
from tests.support.raw import bearer
from tests.support.waiting import eventually
from tests.support.wire import check_frame


class Inbox:
    """What a page knows: the snapshot, and every frame after it applied."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.asks: dict[str, dict[str, Any]] = {}
        self.frames: list[dict[str, Any]] = []
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        snapshot = await first_of(self._socket)
        self.asks = {ask["id"]: ask for ask in (*snapshot["open"], *snapshot["recent"])}
        self._reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        if self._reading:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        async for text in self._socket:
            frame = check_frame(json.loads(text))
            ask = frame["ask"]
            assert frame["type"] == ("ask.updated" if ask["id"] in self.asks else "ask.opened")
            known = self.asks.get(ask["id"])
            assert known is None or known["updatedAt"] <= ask["updatedAt"]
            assert known is None or len(known["thread"]) <= len(ask["thread"])
            self.asks[ask["id"]] = ask
            self.frames.append(frame)

    def about(self, ask_id: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["ask"]["id"] == ask_id]

    async def agrees(self, person: Person) -> None:
        """Wait until what the frames say is what the server says."""

        async def look() -> bool:
            snapshot = await person.snapshot()
            server = {ask["id"]: ask for ask in (*snapshot["open"], *snapshot["recent"])}
            opened = {id for id, ask in self.asks.items() if ask["status"] != "closed"}
            return opened == {ask["id"] for ask in snapshot["open"]} and all(
                self.asks.get(id) == ask for id, ask in server.items()
            )

        await eventually(look, 15, "the frames amount to the snapshot")


@contextlib.asynccontextmanager
async def inbox(house: House, **options: Any) -> AsyncIterator[Inbox]:
    options.setdefault("additional_headers", bearer(house.reply_token))
    async with events(house, **options) as socket:
        inbox = Inbox(socket)
        await inbox.start()
        try:
            yield inbox
        finally:
            await inbox.close()


@pytest.mark.parametrize("make", [question, review, briefing])
async def test_an_ask_comes_as_opened_and_waiting_then_as_updated(house: House, person: Person, make: Any) -> None:
    async with inbox(house) as page:
        ask = await open_ask(house, make())
        reply = {"outcome": "dismissed"}
        closed = await person.reply(ask["id"], reply)

        async def closed_here() -> bool:
            return page.asks.get(ask["id"]) == closed

        await eventually(closed_here, 5)
        first, *later = page.about(ask["id"])
        assert (first["type"], first["ask"]["waiting"], first["ask"]["thread"]) == ("ask.opened", True, [])
        assert {frame["type"] for frame in later} == {"ask.updated"}
        assert later[-1]["ask"] == closed


async def test_an_ask_of_the_snapshot_comes_as_updated(house: House, person: Person) -> None:
    ask = await open_ask(house)
    async with inbox(house) as page:
        replied = await person.reply(ask["id"], ASKED_BACK)

        async def here() -> list[dict[str, Any]]:
            return page.about(ask["id"])

        assert await eventually(here, 5) == [{"type": "ask.updated", "ask": replied}]


async def test_an_ask_that_this_socket_has_not_sent_yet_comes_as_opened_whatever_happened_to_it(
    house: House, person: Person
) -> None:
    ask = await open_ask(house)
    await house.rows("update asks set revision = '2' where id = $1", ask["id"])
    await house.rows("update spaces set version = version + 1")
    async with inbox(house) as page:
        assert ask["id"] not in page.asks
        await house.rows("update asks set revision = '1' where id = $1", ask["id"])
        replied = await person.reply(ask["id"], ASKED_BACK)

        async def here() -> list[dict[str, Any]]:
            return page.about(ask["id"])

        assert await eventually(here, 5) == [{"type": "ask.opened", "ask": replied}]


async def test_every_socket_hears_every_change_in_the_same_order(house: House, person: Person) -> None:
    async with inbox(house) as one, inbox(house) as two, inbox(house, additional_headers=bearer(house.token)) as three:
        asks = await open_asks(house, [question() for _ in range(20)])
        await asyncio.gather(*(person.reply(ask["id"], ANSWERED) for ask in asks))
        for page in (one, two, three):
            await page.agrees(person)
            assert {frame["ask"]["id"] for frame in page.frames} >= {ask["id"] for ask in asks}


async def test_nothing_is_lost_between_the_snapshot_and_the_first_event(house: House, person: Person) -> None:
    done = asyncio.Event()

    async def keep_changing() -> int:
        changes = 0
        while not done.is_set():
            asks = await open_asks(house, [question() for _ in range(4)])
            await asyncio.gather(*(person.reply(ask["id"], ASKED_BACK) for ask in asks[:2]))
            await asyncio.gather(*(person.reply(ask["id"], ANSWERED) for ask in asks[2:]))
            changes += 8
        return changes

    changing = asyncio.create_task(keep_changing())
    pages: list[Inbox] = []
    async with contextlib.AsyncExitStack() as stack:
        try:
            for _ in range(25):
                pages.append(await stack.enter_async_context(inbox(house)))
        finally:
            done.set()
            assert await changing > 8
        for page in pages:
            await page.agrees(person)


async def test_what_clients_say_is_ignored(house: House, person: Person) -> None:
    async with events(house, additional_headers=bearer(house.reply_token)) as socket:
        await first_of(socket)
        for words in ("hello", "{}", '{"type":"snapshot"}', "", b"\x00\xff", "x" * 60_000):
            await socket.send(words)
        for _ in range(200):
            await socket.send("again")
        await asyncio.wait_for(await socket.ping(), 5)
        ask = await open_ask(house)
        frame = json.loads(await asyncio.wait_for(socket.recv(), 5))
        assert (frame["type"], frame["ask"]["id"]) == ("ask.opened", ask["id"])


async def test_a_message_that_is_far_too_long_ends_the_socket_and_nothing_else(house: House) -> None:
    async with events(house, additional_headers=bearer(house.reply_token)) as socket, inbox(house) as other:
        await first_of(socket)
        await socket.send("x" * 200_000)
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        ask = await open_ask(house)

        async def here() -> bool:
            return ask["id"] in other.asks

        await eventually(here, 5)


async def test_a_socket_that_is_closed_is_let_go_of(house: House, nobody: httpx.AsyncClient) -> None:
    async def sockets(number: int) -> None:
        async def look() -> bool:
            return f"loopback_sockets {number}\n" in (await nobody.get("/metrics")).text

        await eventually(look, 5, f"{number} sockets")

    await sockets(0)
    async with inbox(house), inbox(house):
        await sockets(2)
    await sockets(0)
