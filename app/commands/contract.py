"""`loopback contract`: what the API takes and gives, as it was frozen."""

from pathlib import Path

import click

from app.commands.options import json_option
from app.commands.words import json_text

DOCUMENTS = {"openapi": "openapi.json", "events": "events.schema.json", "tools": "tools.schema.json"}


@click.group(invoke_without_command=True, epilog="Example: loopback contract show openapi > openapi.json")
@click.pass_context
def contract(context: click.Context) -> None:
    """Show the API's frozen contract, or check it. Alone, it says where the files are."""
    if context.invoked_subcommand is None:
        context.invoke(show, document=None, as_json=False)


@contract.command(epilog="Example: loopback contract show openapi > openapi.json")
@click.argument("document", type=click.Choice(tuple(DOCUMENTS)), required=False)
@json_option
def show(document: str | None, as_json: bool) -> None:
    """Print one of the frozen documents, which are JSON; without its name, where all of them are."""
    folder = _folder()
    if document is not None:
        click.echo((folder / DOCUMENTS[document]).read_text(), nl=False)
        return
    files = sorted(str(path) for path in folder.rglob("*.json"))
    if as_json:
        click.echo(json_text({"revision": folder.name, "folder": str(folder), "files": files}))
    else:
        click.echo(
            "\n".join([f"Revision {folder.name}, in {folder}", *(f"  {Path(each).relative_to(folder)}" for each in files)])
        )


@contract.command(epilog="Example: loopback contract check && echo as frozen")
@json_option
@click.pass_context
def check(context: click.Context, as_json: bool) -> None:
    """Compare what this code emits with what is frozen. It ends with 1 where they differ."""
    from contract.emit import differences

    found = differences()
    click.echo(json_text({"differences": found}) if as_json else "\n".join([*found, f"{len(found)} differences"]))
    if found:
        context.exit(1)


@contract.command(epilog="Example: loopback contract emit && git diff contract/")
def emit() -> None:
    """Write the current revision's files and freeze them. For a revision that has not shipped yet."""
    from contract.emit import freeze

    try:
        freeze()
    except OSError as error:
        raise click.ClickException(
            f"{error.filename} cannot be written ({error.strerror}): run this in a checkout of your own"
        ) from None
    click.echo(f"Frozen: {_folder()}")


def _folder() -> Path:
    from contract.emit import REVISIONS
    from contract.upgrades import CURRENT

    return REVISIONS / CURRENT
