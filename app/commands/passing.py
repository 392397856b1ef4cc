"""A token that may reply, for one reply."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from app.commands.home import at_the_gate, database_of
from app.gate.service import Gate, NewToken
from app.settings import Settings

LABEL = "loopback answer"
LEFT_BEHIND = timedelta(minutes=2)


@contextmanager
def passing_token(settings: Settings) -> Generator[str]:
    """A token that is revoked at the end of the block, whatever happens in it.

    What a run that was killed has left behind goes, too.
    """
    with database_of(settings) as ready:
        made = at_the_gate(ready, _make)
        try:
            yield made.secret
        finally:
            at_the_gate(ready, lambda gate: gate.revoke_token(made.id, by="cli", origin="cli"))


async def _make(gate: Gate) -> NewToken:
    too_old = datetime.now(UTC) - LEFT_BEHIND
    for row in await gate.tokens("local"):
        if row["label"] == LABEL and row["revoked_at"] is None and row["created_at"] < too_old:
            await gate.revoke_token(row["id"], by="cli", origin="cli")
    return await gate.create_token(
        label=LABEL, can_ask=False, can_reply=True, space="local", actor="local", by="cli", origin="cli"
    )
