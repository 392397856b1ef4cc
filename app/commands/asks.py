"""`loopback asks`: what agents have asked."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.commands.options import data_dir_option, json_option, read_settings
from app.commands.words import json_text

if TYPE_CHECKING:
    from app.commands.client import Client

STATUSES = ("open", "awaiting_human", "awaiting_agent", "closed")

PAGE = 100


@click.command(epilog="Example: loopback asks --status awaiting_human --json")
@click.argument("ask_id", required=False)
@click.option("--project", metavar="NAME", help="Only asks of this project.")
@click.option("--status", type=click.Choice(STATUSES), default="open", show_default=True, help="Only asks that stand here.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="At most so many.")
@data_dir_option
@json_option
def asks(ask_id: str | None, project: str | None, status: str, limit: int, data_dir: Path | None, as_json: bool) -> None:
    """List asks, the newest first: the open ones, or those that --status names. With ASK_ID, show that one whole."""
    from pydantic import TypeAdapter

    from app.commands.client import Client
    from app.commands.reaching import asking_token, find_server
    from app.commands.showing import ask_line, ask_words
    from app.core.clock import system_clock
    from contract.asks import Ask

    settings = read_settings(data_dir=data_dir)
    target = find_server(settings)
    read: TypeAdapter[Ask] = TypeAdapter(Ask)
    with Client(target.url, asking_token(settings, target)) as client:
        if ask_id is not None:
            found = client.get(path_of(ask_id))
            click.echo(json_text(found) if as_json else ask_words(read.validate_python(found)))
            return
        listed = list(islice((ask for ask in _asks(client, status) if project in (None, ask.get("project"))), limit))
    if as_json:
        click.echo(json_text({"asks": listed}))
    elif not listed:
        click.echo("Nothing is open." if status == "open" else "There is none.", err=True)
    for each in () if as_json else listed:
        click.echo(ask_line(read.validate_python(each), now=system_clock()))


def path_of(ask_id: str) -> str:
    """Where one ask is read."""
    from urllib.parse import quote

    return f"/asks/{quote(ask_id, safe='', errors='replace')}"


def _asks(client: "Client", status: str) -> Iterator[dict[str, Any]]:
    if status != "closed":
        yield from (ask for ask in client.get("/snapshot")["open"] if status in ("open", ask["status"]))
        return
    page = client.get("/asks", limit=PAGE)
    yield from page["items"]
    while "nextBefore" in page:
        page = client.get("/asks", limit=PAGE, before=page["nextBefore"])
        yield from page["items"]
