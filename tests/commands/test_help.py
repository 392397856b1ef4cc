"""What `--help` says, for every command there is."""

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from app.cli import COMMANDS, main

PRINTS_DATA = {
    ("sign-in",),
    ("asks",),
    ("ask",),
    ("answer",),
    ("token", "create"),
    ("token", "list"),
    ("migrate",),
    ("contract", "show"),
    ("contract", "check"),
}


def every_command() -> Iterator[tuple[str, ...]]:
    context = click.Context(main)
    for name in COMMANDS:
        yield (name,)
        command = main.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.list_commands(context))


@pytest.mark.parametrize("command", list(every_command()), ids=" ".join)
def test_every_command_has_help_with_an_example(command: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(main, [*command, "--help"], prog_name="loopback")
    assert shown.exit_code == 0
    assert f"loopback {command[0]}" in shown.output.split("Example: ")[1]
    assert ("--json" in shown.output) is (command in PRINTS_DATA)


def test_help_for_all_commands_comes_at_once() -> None:
    """Nothing that takes time is loaded for it."""
    heavy = ("pydantic", "sqlalchemy", "asyncpg", "mcp", "fastapi", "httpx2", "asyncio")
    code = f"""
import sys
from click.testing import CliRunner
from app.cli import COMMANDS, main
before = set(sys.modules)
shown = CliRunner().invoke(main, ["--help"])
assert shown.exit_code == 0 and all(name in shown.output for name in COMMANDS), shown.output
assert not [name for name in {heavy!r} if name in sys.modules], set(sys.modules) - before
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)


def test_a_command_that_is_none_is_wrong_use() -> None:
    shown = CliRunner().invoke(main, ["aks"])
    assert shown.exit_code == 2
    assert "aks" in shown.output
