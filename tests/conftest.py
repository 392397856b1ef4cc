"""What every test may ask for."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.database.database import Database
from app.database.engine import make_engine
from tests.support.postgres import ThrowawayPostgres, new_folder

RUN_FOLDER = "LOOPBACK_TEST_RUN"


def pytest_configure(config: pytest.Config) -> None:
    """One folder for the run, known to the workers of a parallel one through their environment, removed by who made it."""
    if RUN_FOLDER not in os.environ:
        folder = new_folder()
        os.environ[RUN_FOLDER] = str(folder)
        config.add_cleanup(lambda: os.environ.pop(RUN_FOLDER, None))
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the service does."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[ThrowawayPostgres]:
    """The run's throwaway server."""
    with ThrowawayPostgres(Path(os.environ[RUN_FOLDER])).running() as server:
        yield server


@pytest.fixture
def database_url(postgres: ThrowawayPostgres) -> Iterator[str]:
    """The address of a migrated, empty database of this test's own."""
    with postgres.database() as url:
        yield url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The same, as use-cases are handed it."""
    database = Database(make_engine(database_url))
    yield database
    await database.close()
