"""Options that several commands take, and the settings they are read into."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from typing_extensions import override

from app.settings import Settings

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def data_dir_option(function: AnyFunction) -> AnyFunction:
    """`--data-dir`, for everything that an inbox of this machine keeps."""
    return click.option(
        "--data-dir",
        type=click.Path(path_type=Path),
        help="The data folder of this machine's inbox. [LOOPBACK_DATA_DIR]",
    )(function)


def json_option(function: AnyFunction) -> AnyFunction:
    """`--json`, for every command that prints data."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def read_settings(**given: Any) -> Settings:
    """The settings of the environment, with what was given on the command line. One that does not fit is wrong use."""
    from pydantic import ValidationError

    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise click.UsageError("\n".join(_fault(dict(fault), given) for fault in error.errors())) from None


@contextmanager
def saying_what_is_wrong() -> Generator[None]:
    """Within, a message that does not fit the contract is wrong use, and what is said names every field at fault."""
    from pydantic import ValidationError

    from app.rest.faults import words_of

    try:
        yield
    except ValidationError as error:
        raise click.UsageError(words_of(error)) from None


def _fault(fault: dict[str, Any], given: dict[str, Any]) -> str:
    """One setting that does not fit. Its value stays out of the message: it may hold a password."""
    name = str(fault["loc"][0]) if fault["loc"] else ""
    option = f"--{name.replace('_', '-')}" if given.get(name) is not None else f"LOOPBACK_{name.upper()}"
    return f"{option}: {str(fault['msg']).removeprefix('Value error, ')}"


class Duration(click.ParamType[float]):
    """A time span in seconds, written as `90`, `90s`, `30m`, `2h` or `1h30m`."""

    name = "duration"

    @override
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip().lower()
        if text.isascii() and text.isdigit():
            seconds = int(text)
        elif re.fullmatch(r"(\d+[smhd])+", text, re.ASCII):
            seconds = sum(int(count) * _UNITS[unit] for count, unit in re.findall(r"(\d+)([smhd])", text))
        else:
            self.fail(f"{value!r} is not a time span: write it as 90s, 30m or 1h30m", param, ctx)
        if not 1 <= seconds <= 366 * _UNITS["d"]:
            self.fail("between a second and a year fits", param, ctx)
        return float(seconds)
