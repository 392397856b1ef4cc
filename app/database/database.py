"""Transactions: how use-cases reach Postgres."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.core.refusal import Refusal
from contract.problems import Code

_log = logging.getLogger(__name__)


class Database:
    """Connections for as long as a use-case needs one, and no longer: nothing that waits may hold one.

    Each raises a Refusal (`unavailable`) when no connection is free in time or the server cannot be reached.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._snapshot = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """One transaction: committed at the end, rolled back when anything is raised."""
        return _connection(self._engine)

    def read(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Single statements, each on its own: one round trip where a transaction takes three."""
        return _connection(self._autocommit)

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Several reads that see the database at one moment."""
        return _connection(self._snapshot)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()


@asynccontextmanager
async def _connection(engine: AsyncEngine) -> AsyncGenerator[AsyncConnection]:
    connection = await _acquire(engine)
    try:
        # The first statement begins the transaction, if the engine has any.
        yield connection
        await connection.commit()
    except BaseException as error:
        # Closing rolls back. A cancelled task must not leave it half done: the connection goes to the next one.
        await asyncio.shield(asyncio.ensure_future(connection.close()))
        if isinstance(error, DBAPIError) and _is_lost(error):
            raise _unavailable("the database went away: try again in a moment", error) from error
        raise
    # Nothing is left to send, so that this never waits.
    await connection.close()


async def _acquire(engine: AsyncEngine) -> AsyncConnection:
    try:
        return await engine.connect()
    except PoolTimeout as error:
        raise _unavailable("all connections to the database are busy: try again in a moment", error) from error
    except (SQLAlchemyError, OSError) as error:
        raise _unavailable("the database cannot be reached: try again in a moment", error) from error


def _is_lost(error: DBAPIError) -> bool:
    state = getattr(error.orig, "sqlstate", None) or ""
    return error.connection_invalidated or state.startswith(("08", "57P"))


def _unavailable(message: str, error: Exception) -> Refusal:
    _log.warning("%s (%s: %s)", message, type(error).__name__, str(error).partition("\n")[0])
    return Refusal(Code.UNAVAILABLE, message)
