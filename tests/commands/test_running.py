"""Where a server writes down that it runs."""

import os
import subprocess
import sys
from pathlib import Path

from app.commands.running import FILE, Running, announce, running_server, withdraw


def test_a_server_that_runs_is_found(tmp_path: Path) -> None:
    running = Running("http://127.0.0.1:20001", "https://inbox.example.com/x", os.getpid())
    announce(tmp_path, running)
    assert running_server(tmp_path) == running
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_what_a_killed_server_left_behind_is_none(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    announce(tmp_path, Running("http://127.0.0.1:20001", "http://127.0.0.1:20001", gone.pid))
    assert running_server(tmp_path) is None


def test_a_server_takes_away_its_own_and_nothing_else(tmp_path: Path) -> None:
    announce(tmp_path, Running("http://127.0.0.1:20001", "http://127.0.0.1:20001", os.getppid()))
    withdraw(tmp_path, os.getpid())
    assert running_server(tmp_path) is not None
    withdraw(tmp_path, os.getppid())
    assert running_server(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_says_nothing_is_none(tmp_path: Path) -> None:
    for text in ("", "[]", '{"pid": 1}', "\0"):
        (tmp_path / FILE).write_text(text)
        assert running_server(tmp_path) is None
