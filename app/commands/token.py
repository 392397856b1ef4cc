"""`loopback token`: the credentials of agents and scripts."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from app.commands.options import data_dir_option, json_option, read_settings
from app.commands.words import json_text, one_line

if TYPE_CHECKING:
    from app.gate.service import Gate, NewToken

Can = Literal["ask", "reply", "both"]

LABEL_MOST = 100


@click.group(epilog="Example: loopback token create --label 'CI on main'")
def token() -> None:
    """Make, list and revoke the tokens of agents and scripts.

    These commands have to be run where the server runs.
    """


@token.command(epilog="Example: loopback token create --label laptop --can ask > token")
@click.option("--label", required=True, metavar="NAME", help="What the token is for, as the list shows it.")
@click.option("--can", type=click.Choice(("ask", "reply", "both")), default="ask", show_default=True, help="What it may do.")
@click.option("--space", default="local", show_default=True, help="The space it opens.")
@click.option("--actor", default="local", show_default=True, metavar="ID", help="Whose token it is.")
@data_dir_option
@json_option
def create(label: str, can: Can, space: str, actor: str, data_dir: Path | None, as_json: bool) -> None:
    """Make a token and print it, alone. It is shown this once and stored only as a digest.

    A token that may `ask` opens /mcp and what agents read; one that may `reply` acts as the person. An agent gets `ask`.
    """
    from app.commands.home import at_the_gate

    label = _checked(label)

    async def make(gate: "Gate") -> "NewToken":
        return await gate.create_token(
            label=label, can_ask=can != "reply", can_reply=can != "ask", space=space, actor=actor, by="cli", origin="cli"
        )

    made = at_the_gate(read_settings(data_dir=data_dir), make)
    described = {"id": made.id, "token": made.secret, "label": label, "can": can, "space": space, "actor": actor}
    click.echo(json_text(described) if as_json else made.secret)


@token.command(name="list", epilog="Example: loopback token list --json")
@click.option("--all", "everything", is_flag=True, help="Those that were revoked, too.")
@data_dir_option
@json_option
def list_(everything: bool, data_dir: Path | None, as_json: bool) -> None:
    """List the tokens that are good, newest first. What opens anything is never shown again."""
    from app.commands.home import at_the_gate

    rows = at_the_gate(read_settings(data_dir=data_dir), lambda gate: gate.tokens())
    tokens = [_described(dict(row)) for row in rows if everything or row["revoked_at"] is None]
    if as_json:
        click.echo(json_text({"tokens": tokens}))
    for each in () if as_json else tokens:
        used = f"used {each['lastUsedAt']}" if "lastUsedAt" in each else "never used"
        ended = f", revoked {each['revokedAt']}" if "revokedAt" in each else ""
        click.echo(f"{each['id']}  {each['can']:<5}  {one_line(each['label'])}  (made {each['createdAt']}, {used}{ended})")


@token.command(epilog="Example: loopback token revoke 01979a1e-7c1e-7e50-a3f0-0a3b0c5d9e11")
@click.argument("id")
@data_dir_option
def revoke(id: str, data_dir: Path | None) -> None:
    """Revoke a token. What it holds open ends within two seconds."""
    from app.commands.home import at_the_gate

    label = at_the_gate(read_settings(data_dir=data_dir), lambda gate: gate.revoke_token(id, by="cli", origin="cli"))
    click.echo(f"Revoked: {one_line(label)}")


def _checked(label: str) -> str:
    label = " ".join(label.split())
    if not label or len(label) > LABEL_MOST or not label.isprintable():
        raise click.UsageError(f"--label: between 1 and {LABEL_MOST} characters that can be printed")
    return label


def _described(row: dict[str, Any]) -> dict[str, Any]:
    from contract.base import format_moment

    def moment(name: str) -> str | None:
        at: datetime | None = row[name]
        return format_moment(at) if at is not None else None

    described = {
        "id": row["id"],
        "label": row["label"],
        "can": "both" if row["can_ask"] and row["can_reply"] else "reply" if row["can_reply"] else "ask",
        "space": row["space_id"],
        "actor": row["actor_id"],
        "createdAt": moment("created_at"),
        "lastUsedAt": moment("last_used_at"),
        "revokedAt": moment("revoked_at"),
    }
    return {name: value for name, value in described.items() if value is not None}
