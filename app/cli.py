"""The command line: `loopback serve | sign-in | token | migrate | contract | asks | ask | answer`."""

import importlib
from typing import Any

import click
from typing_extensions import override

from app import __version__

COMMANDS = {
    "serve": "serve",
}
"""Each command and the module of `app.commands` that holds it: only the one that is called is imported."""


class _Commands(click.Group):
    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"app.commands.{COMMANDS[cmd_name]}")
        command: Any = getattr(module, cmd_name.replace("-", "_"))
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
def main() -> None:
    """An inbox where agents ask a person and get the reply as their tool's result."""


if __name__ == "__main__":
    main()
