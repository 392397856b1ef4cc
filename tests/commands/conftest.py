"""A server for the commands to talk to."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import ThrowawayPostgres
from tests.support.server import Server, serving, temporary_folder


@pytest.fixture(scope="package")
def server(postgres: ThrowawayPostgres) -> Iterator[Server]:
    """A running server, and an environment in which commands find it by its data folder alone."""
    folder = temporary_folder()
    with postgres.database() as url, serving(folder, LOOPBACK_DATABASE_URL=url) as server:
        del server.environment["LOOPBACK_URL"]
        yield server
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def own_folder() -> Iterator[Path]:
    """A data folder of this test's own."""
    folder = temporary_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
