"""How Alembic runs here: on the connection that the service hands over, or else on one of its own."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection

from app.database.engine import make_engine
from app.database.tables import metadata


def run(connection: Connection) -> None:
    """Each migration in a transaction of its own, so that one that fails leaves those before it in place."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        transaction_per_migration=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_alone() -> None:
    """For the `alembic` command."""
    url = os.environ.get("LOOPBACK_DATABASE_DIRECT_URL") or os.environ.get("LOOPBACK_DATABASE_URL")
    if not url:
        raise SystemExit("set LOOPBACK_DATABASE_URL to the database that Alembic is to work on")
    engine = make_engine(url, pool=1)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(run)
    finally:
        await engine.dispose()


if context.is_offline_mode():
    raise SystemExit("`--sql` is not supported: run the migrations against a database")
given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    asyncio.run(run_alone())
