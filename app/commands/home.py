"""This machine's own inbox: its data folder, its database, its token."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from app.database.embedded.problem import EmbeddedPostgresError
from app.database.embedded.server import EmbeddedPostgres
from app.main import LOCAL_TOKEN
from app.settings import Settings


@contextmanager
def database_of(settings: Settings) -> Iterator[Settings]:
    """The settings with a database: the one they name, or the embedded one, which runs at least as long as the block."""
    if settings.database_url:
        yield settings
        return
    make_data_dir(settings.data_dir)
    postgres = EmbeddedPostgres(settings.data_dir / "postgres")
    try:
        url = postgres.start()
    except EmbeddedPostgresError as error:
        raise click.ClickException(str(error)) from None
    try:
        yield settings.model_copy(update={"database_url": url})
    finally:
        postgres.stop()


def make_data_dir(path: Path) -> None:
    """The folder that holds everything of this inbox. Root's can be passed through: Postgres runs as somebody else there."""
    try:
        path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(
            f"the data folder {path} cannot be made ({error.strerror}): name another with --data-dir or LOOPBACK_DATA_DIR"
        ) from None


def read_local_token(settings: Settings) -> str | None:
    """The token that this machine's own agents use, if there is one."""
    try:
        return (settings.data_dir / LOCAL_TOKEN).read_text().strip() or None
    except OSError:
        return None


def write_local_token(settings: Settings, secret: str) -> None:
    """Keep it so that nobody else can read it."""
    path = settings.data_dir / LOCAL_TOKEN
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secret + "\n")
