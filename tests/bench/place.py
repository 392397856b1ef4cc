"""Where a benchmark runs: one server, its database, and the tokens to call it with."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from app.database.database import Database
from app.database.embedded.server import EmbeddedPostgres
from app.database.engine import make_engine
from app.gate.service import Gate
from tests.support.ports import free_port
from tests.support.server import Server, serving, temporary_folder


@dataclass
class Place:
    """A running server and how to reach it and its database."""

    server: Server
    url: str
    dsn: str
    token: str
    reply_token: str
    floor_port: int
    run: str
    watching: "asyncpg.Connection[asyncpg.Record]"

    async def newest_ask(self) -> str:
        """The id of the newest open ask."""
        found = await self.watching.fetchval(
            "select id from asks where closed_at is null and waiting order by created_at desc limit 1"
        )
        assert found is not None
        return str(found)

    async def until_open(self, port: int, seconds: float = 15) -> None:
        """Wait until something listens there."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return
        raise TimeoutError(f"nothing listens on port {port}")


@asynccontextmanager
async def place() -> AsyncGenerator[Place]:
    """A server of its own on an embedded Postgres with its durable settings."""
    with serving(temporary_folder() / "data") as server:
        postgres = EmbeddedPostgres(server.data_dir / "postgres")
        dsn = postgres.start()
        conn = await asyncpg.connect(dsn)
        gate = Gate(Database(make_engine(dsn)))
        made = await gate.create_token(
            label="bench", can_ask=False, can_reply=True, space="local", actor="local", by="bench", origin="bench"
        )
        try:
            yield Place(
                server=server,
                url=server.url,
                dsn=dsn,
                token=server.token,
                reply_token=made.secret,
                floor_port=free_port(),
                run=str(time.time_ns()),
                watching=conn,
            )
        finally:
            await conn.close()
            postgres.stop()
