"""The supervisor: one server for any number of processes, gone when the last of them is gone."""

import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from app.database.embedded import address
from app.database.embedded.account import Account, server_account
from app.database.embedded.binaries import MAJOR, usable_binaries
from app.database.embedded.cluster import ROLE, arguments, prepare
from app.database.embedded.hold import Hold
from app.database.embedded.problem import EmbeddedPostgresError

KEEPER = """
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
(
  while read -r _ <&3; do :; done
  exec 3<&-
  kill -INT $server
  tenths=0
  while kill -0 $server && [ $tenths -lt 300 ]; do sleep 0.1; tenths=$((tenths + 1)); done
  kill -QUIT $server
) 2>/dev/null & keeper=$!
exec 3<&-
wait $server
kill $keeper 2>/dev/null
"""
"""Runs the server beside a reader of the FIFO on standard input. At its end of file the server is told to stop: fast, and
after 30 s at once. When the server ends first, the reader ends with it."""

LINGERING = ("lock file", "pre-existing shared memory")
"""What a start says while a server that was killed is still on its way out."""

STOP_SECONDS = 35
LOG_BYTES = 10_000_000

_children: list[subprocess.Popen[Any]] = []


class EmbeddedPostgres:
    """A Postgres of our own under `root`, shared with every other process that names the same folder.

    It listens on a socket that only this user can open, and lives until every process that started it has stopped or died.
    `durable=False` is for data that need not outlive the machine.
    """

    def __init__(self, root: Path, *, durable: bool = True) -> None:
        self.root = root.absolute()
        self.socket = address.socket_folder(self.root)
        self.url = address.url(self.socket)
        self._durable = durable
        self._log = self.root / "postgres.log"
        self._pid_file = self.root / f"data{MAJOR}" / "postmaster.pid"
        self._hold: Hold | None = None

    def start(self, timeout: float = 60) -> str:
        """Join the running server, or start it. Returns its address once it takes connections.

        Called again, it revives a server that has died.
        """
        if self._hold is not None and self._hold.kept and self._accepts():
            return self.url
        deadline = time.monotonic() + timeout
        account = server_account()
        try:
            with self._alone(account, deadline):
                if not self._join(deadline):
                    self._launch(account, deadline)
        except BaseException as error:
            self._release()
            if isinstance(error, OSError):
                raise EmbeddedPostgresError(
                    f"{self.root} cannot be written ({error.strerror}): "
                    "set LOOPBACK_DATA_DIR to a folder of your own on a local disk"
                ) from error
            raise
        return self.url

    def stop(self) -> None:
        """Let go of the server. The last process to let go waits until it has stopped."""
        kept = self._hold is not None and self._hold.kept
        if self._release() and kept:
            _wait_while(self._pid_file.exists, STOP_SECONDS)
        _reap()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    @contextmanager
    def _alone(self, account: Account, deadline: float) -> Generator[None]:
        """While nobody else starts this server."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o711 if account.switched else 0o700)
        lock = os.open(self.root / "start.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            while not _locked(lock):
                if time.monotonic() > deadline:
                    raise EmbeddedPostgresError(f"another process is still starting Postgres in {self.root}: try again")
                time.sleep(0.02)
            yield
        finally:
            os.close(lock)

    def _join(self, deadline: float) -> bool:
        if self._hold is None:
            self._hold = Hold.join(self.root)
        return self._hold is not None and self._comes_up(self._hold, deadline)

    def _launch(self, account: Account, deadline: float) -> None:
        if not account.enters(self.root):
            raise EmbeddedPostgresError(
                f"Postgres does not run as root, and {account.name}, who runs it instead, cannot reach {self.root}: "
                f"set LOOPBACK_DATA_DIR to a folder that everybody may pass through, such as /var/lib/{ROLE}"
            )
        binaries = usable_binaries(account, self.root / "binaries")
        data = prepare(self.root, binaries, account, durable=self._durable)
        address.prepare_socket_folder(self.socket, account)
        self._end_unkept()
        command = [str(binaries / "postgres"), *arguments(data, self.socket, durable=self._durable)]
        while True:
            hold, begin = self._spawn(command, account)
            if self._comes_up(hold, deadline):
                return
            said = self._said_since(begin)
            if not any(sign in said for sign in LINGERING) or time.monotonic() > deadline:
                raise EmbeddedPostgresError(f"Postgres did not start; the end of {self._log}:\n{said}")
            time.sleep(0.2)

    def _spawn(self, command: list[str], account: Account) -> tuple[Hold, int]:
        """Start the server beside its keeper. Returns our hold, and where in the log it begins."""
        self._release()
        self._hold, reader = Hold.first(self.root)
        try:
            if self._log.exists() and self._log.stat().st_size > LOG_BYTES:
                self._log.rename(self._log.with_suffix(".log.1"))
            with self._log.open("ab") as log:
                begin = log.tell()
                shell = ["/bin/sh", "-c", KEEPER, "sh", *command]
                _reap()
                _children.append(account.start(shell, stdin=reader, stdout=log.fileno(), stderr=log.fileno()))
                return self._hold, begin
        finally:
            os.close(reader)

    def _comes_up(self, hold: Hold, deadline: float) -> bool:
        """Wait until the server that we hold takes connections. False when it ends instead."""
        while hold.kept:
            if hold.noticed and self._accepts():
                return True
            if time.monotonic() > deadline:
                raise EmbeddedPostgresError(
                    f"Postgres takes no connections yet: try again with more time. The end of {self._log}:\n"
                    + self._said_since(0)
                )
            time.sleep(0.01)
        return False

    def _accepts(self) -> bool:
        try:
            return self._pid_file.read_text().splitlines()[7].strip() == "ready" and address.answers(self.socket)
        except (OSError, IndexError):
            return False

    def _end_unkept(self) -> None:
        """Stop a server whose keeper was killed: nobody else would."""
        if self._accepts():
            with suppress(OSError, ValueError):
                os.kill(int(self._pid_file.read_text().splitlines()[0]), signal.SIGINT)
            _wait_while(self._accepts, STOP_SECONDS)

    def _release(self) -> bool:
        hold, self._hold = self._hold, None
        return hold is not None and hold.release()

    def _said_since(self, begin: int) -> str:
        with self._log.open("rb") as log:
            log.seek(max(begin, os.fstat(log.fileno()).st_size - 2000))
            return log.read().decode(errors="replace").strip()


def _reap() -> None:
    """Take note of the servers started here that have ended: they stay in the table of processes until somebody does."""
    _children[:] = [child for child in _children if child.poll() is None]


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait_while(condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while condition() and time.monotonic() < deadline:
        time.sleep(0.01)
