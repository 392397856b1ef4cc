"""A reply counts as delivered once the agent's side has it, and no sooner; until then it is kept and given again."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.agents import ERAS, agent, values_of
from tests.support.calls import ANSWERED, question
from tests.support.house import House, Person
from tests.support.raw import Held, held, message
from tests.support.waiting import eventually, soon

every_era = pytest.mark.parametrize("era", ERAS)

HANG_UPS = {"closes": Held.close, "resets": Held.reset, "closes its side only": Held.close_our_side}


async def listed(house: House, era: str, ask_id: str) -> dict[str, Any]:
    """What list_asks says of an ask."""
    async with agent(house.url, house.token, era=era) as client:
        asks = values_of(await soon(client.call_tool("list_asks", {})))["asks"]
    (found,) = [ask for ask in asks if ask["askId"] == ask_id]
    return found


@every_era
async def test_a_reply_that_a_live_client_took_is_delivered(house: House, person: Person, era: str):
    arguments, words = question()
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(client.call_tool("ask_question", arguments))
        ask = await person.opened(words)
        open_ask = await listed(house, era, ask["id"])
        assert open_ask["delivered"] is True
        assert "outcome" not in open_ask
        await person.reply(ask["id"], ANSWERED)
        await soon(call)
        await eventually(lambda: house.is_delivered(ask["id"]), what="the mark")
    told = await listed(house, era, ask["id"])
    assert told == {
        "askId": ask["id"],
        "kind": "question",
        "title": words,
        "project": arguments["project"],
        "status": "closed",
        "outcome": "answered",
        "delivered": True,
        "createdAt": ask["createdAt"],
    }


@every_era
@pytest.mark.parametrize("how", HANG_UPS)
async def test_a_client_that_hung_up_before_the_reply_earns_no_mark_and_finds_the_reply_kept(
    house: House, person: Person, era: str, how: str
):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with held(house.url, house.token, headers, body) as call:
        ask = await person.opened(words)
        await soon(call.first_body_byte())
        HANG_UPS[how](call)
        await person.turned(ask["id"], waiting=False, seconds=5)
        replied = await person.reply(ask["id"], ANSWERED)
    assert (await listed(house, era, ask["id"]))["delivered"] is False
    async with agent(house.url, house.token, era=era) as client:
        values = values_of(await soon(client.call_tool("wait_for_reply", {"askId": ask["id"]})))
    assert values == {"askId": ask["id"], "reply": ANSWERED, "repliedAt": replied["closedAt"]}
    await eventually(lambda: house.is_delivered(ask["id"]), what="the mark")
    assert (await listed(house, era, ask["id"]))["delivered"] is True


@every_era
@pytest.mark.parametrize("how", HANG_UPS)
async def test_a_client_that_hangs_up_while_the_reply_is_given_loses_nothing(house: House, person: Person, era: str, how: str):
    """Whichever comes first, hanging up or the reply: a reply that was not read is not marked."""
    for _ in range(10):
        arguments, words = question()
        headers, body = message(era, "ask_question", arguments)
        async with held(house.url, house.token, headers, body) as call:
            ask = await person.opened(words)
            await soon(call.first_body_byte())
            call.stop_reading()
            replying = asyncio.create_task(person.reply(ask["id"], ANSWERED))
            await asyncio.sleep(0)
            HANG_UPS[how](call)
            await replying
        async with agent(house.url, house.token, era=era) as client:
            values = values_of(await soon(client.call_tool("wait_for_reply", {"askId": ask["id"]})))
        assert values["reply"] == ANSWERED


@every_era
async def test_a_client_that_closes_as_soon_as_it_has_read_the_reply_has_it(house: House, person: Person, era: str):
    """The stream's end says nothing more, and clients do not wait for it."""
    for _ in range(20):
        arguments, words = question()
        headers, body = message(era, "ask_question", arguments)
        async with held(house.url, house.token, headers, body) as call:
            ask = await person.opened(words)
            replying = asyncio.create_task(person.reply(ask["id"], ANSWERED))
            await soon(call.until(b"Yes, ship it."))
            call.close()
            await replying
        await eventually(lambda id=ask["id"]: house.is_delivered(id), 3, what="the mark")


@every_era
async def test_the_mark_is_of_the_reply_and_not_of_the_call(house: House, person: Person, era: str):
    arguments, words = question()
    headers, body = message(era, "ask_question", arguments)
    async with held(house.url, house.token, headers, body) as lost:
        ask = await person.opened(words)
        await lost.first_body_byte()
        async with held(house.url, house.token, headers, body) as kept:
            await kept.first_body_byte()
            lost.reset()

            async def alone() -> bool:
                return len(await house.followers(ask["id"])) == 1

            await eventually(alone, what="one follower")
            await person.reply(ask["id"], ANSWERED)
            assert (await soon(kept.result()))["result"]["structuredContent"]["reply"] == ANSWERED
            await eventually(lambda: house.is_delivered(ask["id"]), what="the mark")


def has_namespaces() -> bool:
    """Whether this machine lets us have a network of our own."""
    if os.geteuid() != 0 or sys.platform != "linux" or not shutil.which("unshare") or not shutil.which("ip"):
        return False
    return subprocess.run(["unshare", "-n", "ip", "link", "set", "lo", "up"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_namespaces(), reason="SKIPPED LOUDLY: a dead network needs root and `unshare -n`, `ip` (iproute2)")
def test_a_reply_sent_into_a_dead_network_is_not_marked_and_is_given_again(tmp_path: Path):
    done = subprocess.run(
        ["unshare", "-n", sys.executable, "-m", "tests.asks.dead_network", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:] + done.stdout[-2000:]
    assert "given again" in done.stdout
