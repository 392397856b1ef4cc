"""A real Loopback server in a process of its own, as a user starts it."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

START_SECONDS = 60


@dataclass
class Server:
    """A running `loopback serve`. Its lines are read as they come."""

    process: subprocess.Popen[str]
    data_dir: Path
    environment: dict[str, str]
    errors: Path
    lines: list[str] = field(default_factory=list)
    url: str = ""

    @property
    def sign_in_link(self) -> str:
        return next(line.split(" ", 2)[-1] for line in self.lines if "/sign-in#" in line)

    @property
    def token(self) -> str:
        """The local token, which may ask."""
        return (self.data_dir / "local-token").read_text().strip()

    def loopback(self, *arguments: str, input: str | None = None, timeout: float = 60) -> subprocess.CompletedProcess[str]:
        """Run a command of `loopback` beside the server."""
        return subprocess.run(
            [sys.executable, "-m", "app.cli", *arguments],
            env=self.environment,
            input=input,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def make_token(self, can: str, label: str = "test") -> str:
        made = self.loopback("token", "create", "--label", label, "--can", can)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def log(self) -> str:
        return self.errors.read_text()

    def kill(self) -> None:
        """Kill -9, and wait until it is gone."""
        self.process.kill()
        self.process.wait(10)

    def stop(self) -> int:
        """SIGTERM, as a deploy does; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


def environment_for(data_dir: Path, **settings: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LOOPBACK_")}
    return {**kept, "LOOPBACK_DATA_DIR": str(data_dir), "PYTHONUNBUFFERED": "1", **settings}


@contextlib.contextmanager
def serving(data_dir: Path, *, port: int = 0, **settings: str) -> Iterator[Server]:
    """A server on the given folder until the end of the block. With `LOOPBACK_DATABASE_URL` among the settings it uses that database."""
    environment = environment_for(data_dir, **settings)
    data_dir.mkdir(parents=True, exist_ok=True)
    errors = data_dir / "server.log"
    with errors.open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "serve", "--welcome", "--port", str(port)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    server = Server(process, data_dir, environment, errors)
    try:
        _await_ready(server)
        yield server
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def _await_ready(server: Server) -> None:
    """Read the lines of the welcome; killed when it takes too long."""
    assert server.process.stdout is not None
    watchdog = threading.Timer(START_SECONDS, server.process.kill)
    watchdog.start()
    try:
        for line in server.process.stdout:
            server.lines.append(line.rstrip("\n"))
            if line.startswith("ready "):
                server.url = line.split(" ", 1)[1].strip()
            if line.startswith("gemini "):
                break
        else:
            raise AssertionError(f"the server did not start:\n{server.log()[-4000:]}")
    finally:
        watchdog.cancel()
    server.environment["LOOPBACK_URL"] = server.url


def temporary_folder() -> Path:
    """A folder that the database's user can reach, also when the tests run as root with a private temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="loopback-test-", dir="/tmp" if os.geteuid() == 0 else None))
    if os.geteuid() == 0:
        folder.chmod(0o711)
    return folder
