"""This machine's own inbox: its data folder, its database, its gate, its token."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import click

from app.commands.files import write_private
from app.core.addresses import Addresses
from app.core.refusal import Refusal
from app.database.database import Database
from app.database.embedded.keeper import kept
from app.database.embedded.problem import EmbeddedPostgresError
from app.database.embedded.server import EmbeddedPostgres
from app.database.engine import make_engine
from app.database.migrate import MigrationError, migrate
from app.gate.service import Gate
from app.settings import Settings

Result = TypeVar("Result")


@contextmanager
def database_of(settings: Settings) -> Generator[Settings]:
    """The settings with a database that is up to date: the one they name, or the embedded one, which runs at least as long
    as the block."""
    if settings.database_url:
        direct = "LOOPBACK_DATABASE_DIRECT_URL" if settings.database_direct_url else "LOOPBACK_DATABASE_URL"
        _bring_up_to_date(settings, f"check {direct}, and that its server is up")
        yield settings
        return
    make_data_dir(settings.data_dir)
    postgres = EmbeddedPostgres(settings.data_dir / "postgres")
    try:
        url = postgres.start()
    except EmbeddedPostgresError as error:
        raise click.ClickException(str(error)) from None
    try:
        ready = settings.model_copy(update={"database_url": url, "database_direct_url": None})
        _bring_up_to_date(ready, f"run this as the user whose server keeps {settings.data_dir}")
        with kept(postgres):
            yield ready
    finally:
        postgres.stop()


def _bring_up_to_date(settings: Settings, fix: str) -> None:
    assert settings.database_url is not None
    try:
        asyncio.run(migrate(settings.database_direct_url or settings.database_url))
    except MigrationError as error:
        raise click.ClickException(str(error)) from None
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        said = str(error).partition("\n")[0] or type(error).__name__
        raise click.ClickException(f"the database cannot be used: {said}; {fix}") from None


def at_the_gate(settings: Settings, use: Callable[[Gate], Awaitable[Result]]) -> Result:
    """What `use` gives, done straight on the inbox's database, whether its server runs or not."""

    async def run(url: str) -> Result:
        database = Database(make_engine(url, pool=1))
        try:
            gate = Gate(database)
            await gate.open()
            return await use(gate)
        except Refusal as refusal:
            raise click.ClickException(refusal.message) from None
        finally:
            await database.close()

    with database_of(settings) as ready:
        assert ready.database_url is not None
        return asyncio.run(run(ready.database_url))


def addresses_of(settings: Settings) -> Addresses:
    """Every address the server makes."""
    try:
        _ = urlsplit(settings.address()).port  # raises where it is none
        return Addresses(settings.address(), frozenset({settings.host}))
    except ValueError as error:
        raise click.UsageError(f"LOOPBACK_PUBLIC_URL: {error}") from None


def make_data_dir(path: Path) -> None:
    """The folder that holds everything of this inbox. Root's can be passed through: Postgres runs as somebody else there."""
    try:
        path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(
            f"the data folder {path} cannot be made ({error.strerror}): name another with --data-dir or LOOPBACK_DATA_DIR"
        ) from None


def local_token(settings: Settings) -> str:
    """The token of this machine's own agents, which may ask; made when there is none yet."""
    return read_local_token(settings) or at_the_gate(settings, lambda gate: keep_local_token(gate, settings))


async def keep_local_token(gate: Gate, settings: Settings) -> str:
    """The token that is kept for this machine's own agents, or a new one where that is no longer good."""
    kept = read_local_token(settings)
    if kept is not None:
        try:
            await gate.recognise_token(kept, "cli")
        except Refusal:
            kept = None
    if kept is None:
        made = await gate.create_token(
            label="this machine", can_ask=True, can_reply=False, space="local", actor="local", by="cli", origin="cli"
        )
        kept = made.secret
        write_private(settings.local_token_file, kept + "\n")
    return kept


def read_local_token(settings: Settings) -> str | None:
    """The token that this machine's own agents use, if there is one."""
    try:
        return settings.local_token_file.read_text().strip() or None
    except OSError:
        return None
