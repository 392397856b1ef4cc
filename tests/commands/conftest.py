"""A server for the commands of a module."""

from collections.abc import Iterator

import pytest

from tests.support.postgres import ThrowawayPostgres
from tests.support.server import Server, serving, temporary_folder


@pytest.fixture(scope="module")
def server(postgres: ThrowawayPostgres) -> Iterator[Server]:
    """A running server, and an environment in which commands find it by its data folder alone."""
    folder = temporary_folder()
    with postgres.database() as url, serving(folder, LOOPBACK_DATABASE_URL=url) as server:
        del server.environment["LOOPBACK_URL"]
        yield server
