"""Run inside a network namespace of its own: a reply is given while the network is dead, and collected once it lives again."""

import asyncio
import subprocess
import sys
from pathlib import Path

from tests.support.agents import agent, values_of
from tests.support.calls import ANSWERED, question
from tests.support.house import House, house_on
from tests.support.postgres import ThrowawayPostgres
from tests.support.raw import MODERN, held, message
from tests.support.waiting import eventually, soon

CHECKED_SECONDS = 7.0
"""An acknowledgement is waited for five seconds."""


def link(state: str) -> None:
    """Turn the only network there is on or off. Postgres is reached by a socket file, and so never notices."""
    subprocess.run(["ip", "link", "set", "lo", state], check=True)


async def check(house: House) -> None:
    """Hold a call, cut the network, reply in the database's own name, mend it, call again."""
    arguments, words = question()
    headers, body = message(MODERN, "ask_question", arguments)
    async with house.person() as person, held(house.url, house.token, headers, body) as call:
        ask = await person.opened(words)
        await soon(call.first_body_byte())
        link("down")
        await reply_without_network(house, ask["id"])

        async def ended() -> bool:
            return not await house.followers(ask["id"])

        await eventually(ended, what="the reply")
        # What must not happen has until the check's own end to happen.
        await asyncio.sleep(CHECKED_SECONDS)
        assert not await house.is_delivered(ask["id"]), "marked, though nobody acknowledged it"
        call.reset()
        link("up")
        async with agent(house.url, house.token) as client:
            values = values_of(await soon(client.call_tool("ask_question", arguments)))
        assert values["askId"] == ask["id"]
        assert values["reply"] == ANSWERED
        await eventually(lambda: house.is_delivered(ask["id"]), what="the mark")
        print("given again")


async def reply_without_network(house: House, ask_id: str) -> None:
    """As REST does it, in this process: its address cannot be reached now."""
    from app.asks.service import Asks
    from app.core.ids import new_id
    from app.database.database import Database
    from app.database.engine import make_engine
    from app.gate.service import Gate
    from contract.people import Answered

    database = Database(make_engine(house.database_url))
    try:
        caller = await Gate(database).recognise_token(house.reply_token, "test")
        asks = Asks(database, None, replica="test", new_id=new_id)  # pyright: ignore[reportArgumentType]
        await asks.reply(caller, ask_id, Answered.model_validate(ANSWERED))
    finally:
        await database.close()


def main(folder: Path) -> None:
    link("up")
    run = Path("/tmp") / folder.name
    run.mkdir(mode=0o711, exist_ok=True)
    try:
        with ThrowawayPostgres(run).running() as postgres, postgres.database() as url, house_on(url, folder) as house:
            asyncio.run(check(house))
    finally:
        subprocess.run(["rm", "-rf", str(run)], check=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
