"""What a person or a script does at a shell."""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import httpx2

from tests.support.server import Server

Found = TypeVar("Found")


def soon(look: Callable[[], Found | None], seconds: float = 20, what: str = "it") -> Found:
    """What is looked for, once it is there."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < deadline, f"{what} did not come in {seconds} s"
        time.sleep(0.02)


@contextlib.contextmanager
def running(server: Server, *arguments: str, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that runs meanwhile, ended with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", *arguments],
        env={**server.environment, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def data_of(server: Server, *arguments: str) -> Any:
    """What a command prints with --json."""
    done = server.loopback(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def get(server: Server, path: str) -> Any:
    """What the server says to its agents' token."""
    answered = httpx2.get(f"{server.url}/api/v1{path}", headers={"Authorization": f"Bearer {server.token}"})
    assert answered.status_code == 200, answered.text
    return answered.json()


def asked(server: Server, words: str) -> dict[str, Any]:
    """The open ask of these words, once an agent waits for it."""

    def look() -> dict[str, Any] | None:
        listed = get(server, "/snapshot")["open"]
        return next((ask for ask in listed if words in json.dumps(ask["prompt"]) and ask["waiting"]), None)

    return soon(look, 40, f"the ask {words!r}")


def ended(process: "subprocess.Popen[str]", seconds: float = 30) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    out, err = process.communicate(timeout=seconds)
    return process.returncode, out, err
