"""The embedded Postgres dies under a running server."""

import asyncio
import os
import signal
from pathlib import Path

import httpx

from tests.support.agents import agent, values_of
from tests.support.server import serving
from tests.support.waiting import eventually, soon


async def test_a_database_that_was_killed_comes_back_with_everything_in_it_while_calls_wait(own_folder: Path) -> None:
    with serving(own_folder) as server:
        person = {"Authorization": f"Bearer {server.make_token('reply')}"}
        async with agent(server.url, server.token) as asking, httpx.AsyncClient(base_url=server.url, timeout=10) as http:
            call = asyncio.create_task(asking.call_tool("ask_question", {"question": "Still there?", "project": "demo"}))

            async def opened() -> list[dict[str, str]]:
                answer = await http.get("/api/v1/snapshot", headers=person)
                return answer.json()["open"] if answer.status_code == 200 else []

            before = await eventually(opened, 10, "the ask is open")
            os.kill(int((own_folder / "postgres" / "data18" / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
            after = await eventually(opened, 30, "the database is back")
            assert [ask["id"] for ask in after] == [ask["id"] for ask in before]

            async def replied() -> bool:
                reply = {"outcome": "answered", "selected": [], "text": "yes"}
                answer = await http.post(f"/api/v1/asks/{before[0]['id']}/reply", json=reply, headers=person)
                return answer.status_code == 200

            await eventually(replied, 20, "the reply is taken")
            assert values_of(await soon(call, 20))["reply"]["text"] == "yes"
