"""From the reply to the agent's call that returns it, against a bare LISTEN/NOTIFY round trip."""

import asyncio
import json
import time
from typing import Any

import asyncpg
import httpx

from tests.bench.load import Connection
from tests.bench.place import Place

TURNS = 400
WARM = 20


async def measure(place: Place) -> tuple[list[float], list[float]]:
    """Milliseconds for each turn: ours, and the floor, turn about."""
    ours: list[float] = []
    floor: list[float] = []
    listener, notifier = await asyncpg.connect(place.dsn), await asyncpg.connect(place.dsn)
    heard = asyncio.Event()
    await listener.add_listener("bench", lambda *_: heard.set())
    replies = await Connection(place.url).open()
    headers = {"Authorization": f"Bearer {place.token}", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(base_url=place.url, headers=headers, timeout=30) as agent:
        for turn in range(WARM + TURNS):
            ours.append(await _ours(place, agent, replies, turn))
            floor.append(await _floor(notifier, heard))
    replies.close()
    await listener.close()
    await notifier.close()
    return ours[WARM:], floor[WARM:]


async def _ours(place: Place, agent: httpx.AsyncClient, replies: Connection, turn: int) -> float:
    """One call that waits, one reply to it."""
    async with agent.stream("POST", "/mcp", **_call(f"Turn {turn} of {place.run}?")) as response:
        lines = response.aiter_lines()
        async for line in lines:
            if line:  # the first byte: the ask is there, and is waited for
                break
        ask_id = await place.newest_ask()
        started = time.perf_counter()
        sending = asyncio.create_task(
            replies.post(
                f"/api/v1/asks/{ask_id}/reply",
                b'{"outcome":"answered","selected":[],"text":"yes"}',
                f"Authorization: Bearer {place.reply_token}\r\n",
            )
        )
        async for line in lines:
            if '"reply"' in line:
                break
        took = (time.perf_counter() - started) * 1000
        status, _ = await sending
        assert status == 200, status
    return took


async def _floor(notifier: Any, heard: asyncio.Event) -> float:
    heard.clear()
    started = time.perf_counter()
    await notifier.execute("select pg_notify('bench', 'x')")
    await heard.wait()
    return (time.perf_counter() - started) * 1000


def _call(question: str) -> dict[str, Any]:
    """A request of the 2026-07-28 era, as a client sends it."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "bench"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "ask_question", "arguments": {"question": question, "project": "bench"}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "ask_question",
    }
    return {"content": json.dumps(body), "headers": headers}
