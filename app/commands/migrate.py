"""`loopback migrate`: the database's tables."""

from pathlib import Path

import click

from app.commands.options import data_dir_option, json_option, read_settings
from app.commands.words import json_text


@click.command(epilog="Example: LOOPBACK_DATABASE_URL=postgresql://db/loopback loopback migrate")
@data_dir_option
@json_option
def migrate(data_dir: Path | None, as_json: bool) -> None:
    """Bring the database's tables up to date.

    `loopback serve` does so at every start. This is for doing it before, from another place than the servers.
    """
    import asyncio

    from app.commands.home import database_of
    from app.core.logs import set_up_logs

    set_up_logs("warning", "text")
    with database_of(read_settings(data_dir=data_dir)) as ready:
        revision = asyncio.run(_revision(ready.database_direct_url or ready.database_url or ""))
    click.echo(json_text({"revision": revision}) if as_json else f"The database is up to date, at revision {revision}.")


async def _revision(url: str) -> str:
    from app.database.driver import connect

    connection = await connect(url, name="loopback-migrate", seconds=10)
    try:
        revision: str = await connection.fetchval("select version_num from alembic_version")
        return revision
    finally:
        await connection.close()
