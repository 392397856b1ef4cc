"""One throwaway Postgres for a whole test run, and a database of its own for each test that wants one.

The workers of a parallel run share the server: they attach to it as any process does. It is gone when the last of them is.
"""

import asyncio
import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import asyncpg

from app.database.embedded import EmbeddedPostgres
from app.database.migrate import migrate

TEMPLATE = "migrated"


def new_folder(prefix: str = "loopback-tests-") -> Path:
    """A folder directly under /tmp that every user may pass through: as root, the server runs as somebody else."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp"))
    folder.chmod(0o711)
    return folder


class ThrowawayPostgres:
    """The run's server."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._server = EmbeddedPostgres(run / "postgres", durable=False)

    @contextmanager
    def running(self) -> Iterator["ThrowawayPostgres"]:
        """The server, with the migrated template in it, made once."""
        with self._server, (self._run / "template.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            asyncio.run(self._make_template())
            fcntl.flock(lock, fcntl.LOCK_UN)
            yield self

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Iterator[str]:
        """The address of a database of its own, dropped at the end whoever is still connected."""
        name = f"test_{os.getpid()}_{uuid4().hex[:8]}"
        asyncio.run(self._execute(f"create database {name} template {template}"))
        try:
            yield self._address(name)
        finally:
            asyncio.run(self._execute(f"drop database {name} with (force)"))

    async def _make_template(self) -> None:
        if await self._execute("select count(*) from pg_database where datname = $1", TEMPLATE):
            return
        half = f"{TEMPLATE}_half"
        await self._execute(f"create database {half} template template0")
        await migrate(self._address(half))
        await self._execute(f"alter database {half} rename to {TEMPLATE}")

    async def _execute(self, statement: str, *arguments: str) -> object:
        connection = await asyncpg.connect(self._server.url)
        try:
            return await connection.fetchval(statement, *arguments)
        finally:
            await connection.close()

    def _address(self, name: str) -> str:
        return self._server.url.replace("/postgres?", f"/{name}?", 1)
