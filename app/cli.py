"""The command line: `loopback serve | sign-in | asks | ask | answer | token | migrate | contract`."""

import importlib
import logging
import sys
from io import TextIOWrapper
from typing import Any

import click
from typing_extensions import override

from app import __version__

COMMANDS = {
    "serve": "Run the inbox.",
    "sign-in": "Print a fresh link that signs a browser in, once.",
    "asks": "List the asks that are open, or show one.",
    "ask": "Ask the person a question and wait for the reply.",
    "answer": "Reply to an ask, as the person.",
    "token": "Make, list and revoke the tokens of agents and scripts.",
    "migrate": "Bring the database's tables up to date.",
    "contract": "Show the API's frozen contract, or check it.",
}
"""Each command in a line. What it needs is imported once it is called: help for all of them comes at once."""


class _Commands(click.Group):
    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: Any = getattr(importlib.import_module(f"app.commands.{name}"), name)
        return command

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: loopback ask 'Deploy now?' --option yes --option no",
)
@click.version_option(__version__, prog_name="loopback")
def main() -> None:
    """An inbox where agents ask a person and get the reply as their tool's result.

    The commands find the server by LOOPBACK_URL and LOOPBACK_TOKEN; without them it is the one of this machine's data folder.
    """
    # Whatever people write is printed, also where the terminal has no letter for it.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Commands say what went wrong in words of their own; `serve` and `migrate` turn the log on.
    logging.getLogger().addHandler(logging.NullHandler())


if __name__ == "__main__":
    main(prog_name="loopback")
