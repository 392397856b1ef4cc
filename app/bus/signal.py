"""What a writing transaction says to the bus. Postgres passes it on when the transaction commits, and only then."""

import json

from sqlalchemy import BigInteger, ColumnElement, Text, bindparam, cast, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL = "loopback"
GATE = "gate"
"""The topic of credentials. Every other topic is a space's id."""


def signal(topic: ColumnElement[str], version: ColumnElement[int]) -> ColumnElement[None]:
    """The signal as an expression, for the `returning` of a statement that writes anyway: it saves a round trip.

    The payload, `[topic, version]`, is a hint and small: a long one would fail the transaction.
    """
    payload = func.concat("[", func.to_json(topic), ",", version, "]")
    return func.pg_notify(CHANNEL, payload)


ANNOUNCE = select(signal(cast(bindparam("topic"), Text), cast(bindparam("version"), BigInteger)))


async def announce(connection: AsyncConnection, topic: str, version: int) -> None:
    """Wake whoever follows the topic, in every process, once this transaction commits."""
    await connection.execute(ANNOUNCE, {"topic": topic, "version": version})


def payload(topic: str, version: int) -> str:
    """The signal's payload, for a statement in text that notifies `CHANNEL` itself."""
    return json.dumps([topic, version], separators=(",", ":"))
