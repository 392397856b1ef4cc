"""Brings the database's tables to what this code needs."""

import asyncio
import logging
import random
import time
from pathlib import Path

from sqlalchemy import Connection as SyncConnection
from sqlalchemy import pool
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from app.database.driver import Connection, connect

MIGRATIONS = Path(__file__).parents[2] / "migrations"
"""Beside `app`, in a checkout and where it is installed alike."""

OLDEST_SERVER = 18
CONNECT_SECONDS = 10
LOCK = int.from_bytes(b"loopback", "big")
LOCK_TIMEOUT = "5s"
"""What a migration waits for a table that is in use. While it waits, everybody else waits behind it."""

_LOCK_NOT_AVAILABLE = "55P03"
_log = logging.getLogger(__name__)


class MigrationError(RuntimeError):
    """The database cannot be brought up to date; the message names the fix."""


async def migrate(direct_url: str, *, timeout: float = 60) -> None:  # noqa: ASYNC109
    """Apply the migrations that the database lacks. Any number of processes may do so at once: each is applied once.

    A database that newer code has migrated is left alone, with a warning: migrations only ever add, so this code still runs.
    The address must not lead through a pooler, which would share the lock between its clients.
    """
    deadline = time.monotonic() + timeout
    connection = await _connect(direct_url)
    try:
        while await _lacks_migrations(connection):
            # Asked again and again, not waited for: a waiting statement would hold up CREATE INDEX CONCURRENTLY.
            if await connection.fetchval("select pg_try_advisory_lock($1)", LOCK):
                if await _lacks_migrations(connection):
                    await _upgrade(direct_url)
                return
            if time.monotonic() > deadline:
                raise MigrationError(
                    f"another process has been migrating this database for {timeout:g} s: "
                    "let it finish, or end it, and start again"
                )
            await asyncio.sleep(random.uniform(0.1, 0.3))  # noqa: S311
    finally:
        await connection.close()  # and with it the lock


def known_revisions() -> list[str]:
    """The migrations of this code, oldest first. Their files' names begin with the revision: `0001_first.py`."""
    return sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


async def _connect(url: str, **settings: str) -> Connection:
    connection = await connect(url, name="loopback-migrate", seconds=CONNECT_SECONDS, settings=settings)
    major = connection.get_server_version().major
    if major < OLDEST_SERVER:
        await connection.close()
        raise MigrationError(
            f"the database is PostgreSQL {major} and Loopback needs {OLDEST_SERVER} or newer: "
            "upgrade that server, or point LOOPBACK_DATABASE_URL at a newer one"
        )
    return connection


async def _lacks_migrations(connection: Connection) -> bool:
    """Decided without Alembic, which takes a quarter of a second to load: most starts have nothing to apply."""
    if await connection.fetchval("select to_regclass('alembic_version')") is None:
        return True
    revision = await connection.fetchval("select version_num from alembic_version")
    known = known_revisions()
    if revision is None or revision in known[:-1]:
        return True
    if revision != known[-1]:
        _log.warning(
            "The database was migrated to %s by newer code; this code knows %s and leaves it alone.", revision, known[-1]
        )
    return False


async def _upgrade(url: str) -> None:
    async def open_connection() -> Connection:
        return await _connect(url, lock_timeout=LOCK_TIMEOUT)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=open_connection, poolclass=pool.NullPool)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade_to_head)
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == _LOCK_NOT_AVAILABLE:
            raise MigrationError(
                f"a migration waited {LOCK_TIMEOUT} for a table that is in use: "
                "end what holds it (see pg_stat_activity) and start again"
            ) from error
        raise
    finally:
        await engine.dispose()


def _upgrade_to_head(connection: SyncConnection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, "head")
