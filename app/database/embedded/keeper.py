"""Keeps an embedded Postgres running as long as its user does: a database that died must not take the inbox with it."""

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager

from app.database.embedded.problem import EmbeddedPostgresError
from app.database.embedded.server import EmbeddedPostgres

LOOK_SECONDS = 1.0

_log = logging.getLogger(__name__)


@contextmanager
def kept(postgres: EmbeddedPostgres, *, every: float = LOOK_SECONDS) -> Generator[None]:
    """Within, a server that has died is started again. While it lives, looking costs a connection to its socket."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(every):
            try:
                postgres.start()
            except EmbeddedPostgresError as error:
                _log.error("Postgres has died and does not start again, trying on: %s", error)

    watcher = threading.Thread(target=look, name="postgres keeper", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
