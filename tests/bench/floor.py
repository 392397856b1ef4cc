"""The floor: a bare Starlette route over asyncpg that runs the same SQL as a reply, with nothing of ours in between.

python -m tests.bench.floor PORT DSN
"""

import json
import sys
from datetime import UTC, datetime
from typing import Any

import asyncpg
import uvicorn
from sqlalchemy import TextClause
from sqlalchemy.dialects.postgresql import asyncpg as dialect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.asks.store import reading, writing


def compiled(statement: TextClause) -> tuple[str, list[str]]:
    """The statement as asyncpg takes it, and the order of its parameters."""
    result = statement.compile(dialect=dialect.dialect())  # pyright: ignore[reportUnknownMemberType]
    return str(result), list(result.positiontup or [])


TAKE, TAKE_NAMES = compiled(writing._TAKE)  # pyright: ignore[reportPrivateUsage]
READ, READ_NAMES = compiled(reading._BY_ID)  # pyright: ignore[reportPrivateUsage]
SAVE, SAVE_NAMES = compiled(writing._SAVE_REPLY)  # pyright: ignore[reportPrivateUsage]


def main() -> None:
    port, dsn = int(sys.argv[1]), sys.argv[2]
    pool: asyncpg.Pool[Any]

    async def reply(request: Request) -> Response:
        ask_id = request.path_params["id"]
        reply_text = (await request.body()).decode()
        async with pool.acquire() as conn, conn.transaction():
            values: dict[str, Any] = {"space": "local", "id": ask_id}
            taken = await conn.fetchrow(TAKE, *(values[name] for name in TAKE_NAMES))
            row = await conn.fetchrow(READ, *(values[name] for name in READ_NAMES))
            at: datetime = taken["at"]
            moment = at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            entry = f'{{"author":"human","reply":{reply_text},"by":{{"id":"local"}},"at":"{moment}"}}'
            doc: str = row["doc"].replace('"thread":[]', f'"thread":[{entry}]').replace("awaiting_human", "closed")
            values |= {
                "version": taken["version"],
                "status": "closed",
                "waiting": False,
                "revision": "1",
                "doc": doc,
                "at": at,
                "closed_at": at,
                "entry": 0,
                "actor": "local",
                "outcome": json.loads(reply_text)["outcome"],
                "key": None,
                "body": b"",
                "credential": "token:floor",
                "origin": "127.0.0.1",
                "action": "ask.replied",
                "channel": "loopback",
                "payload": f'["local",{taken["version"]}]',
            }
            await conn.execute(SAVE, *(values[name] for name in SAVE_NAMES))
        return Response('{"waiting":false,' + doc[1:], media_type="application/json")

    async def lifespan(app: Starlette) -> Any:
        nonlocal pool
        async with asyncpg.create_pool(dsn, min_size=8, max_size=8) as pool:
            yield

    import contextlib

    app = Starlette(
        routes=[Route("/asks/{id}/reply", reply, methods=["POST"])], lifespan=contextlib.asynccontextmanager(lifespan)
    )
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
