"""Where the server of a data folder is: it writes that down once it is ready, and takes it away when it ends."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from app.commands.files import write_private

FILE = "server.json"


@dataclass(frozen=True)
class Running:
    """A server that runs on this machine."""

    url: str
    """Where this machine reaches it."""

    public_url: str
    """Where everybody else does."""

    pid: int


def announce(data_dir: Path, running: Running) -> None:
    """Write down where the server is. Raises OSError."""
    write_private(data_dir / FILE, json.dumps(asdict(running)) + "\n")


def withdraw(data_dir: Path, pid: int) -> None:
    """Take away what this process wrote; another's stays."""
    running = _read(data_dir)
    if running is not None and running.pid == pid:
        with suppress(OSError):
            (data_dir / FILE).unlink()


def running_server(data_dir: Path) -> Running | None:
    """The server of this data folder, if it runs. What a killed one has left behind is none."""
    running = _read(data_dir)
    return running if running is not None and _is_alive(running.pid) else None


def _read(data_dir: Path) -> Running | None:
    try:
        return Running(**json.loads((data_dir / FILE).read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return pid > 0
