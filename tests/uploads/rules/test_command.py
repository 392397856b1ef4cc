"""The upload command, run by a real shell against a real server."""

import json
import subprocess
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from app.uploads.rules.command import upload_command
from tests.support.images import png

IMAGE = png(20, 20)
RECEIPT = '{"uploadId":"u1","contentType":"image/png","size":%d}'
PROBLEM = '{"code":"upload.used","message":"This upload address has been used."}'


class Receiver(ThreadingHTTPServer):
    """Remembers what it was sent, and answers as an upload address does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Receiver  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append((self.command, self.path, headers, body))
        used = self.path.endswith("used")
        answer = (PROBLEM if used else RECEIPT % len(body)).encode()
        self.send_response(410 if used else 201)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(folder)}
    return subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("shot.png", "shot.png"),
        ("shot.png", "./shot.png"),
        ("shot.png", "~/shot.png"),
        ("my screen shot.png", "'my screen shot.png'"),
        ("my screen shot.png", '"my screen shot.png"'),
        ("shot [1-3] {a,b}.png", "'shot [1-3] {a,b}.png'"),
        ("it's día.png", '"it\'s día.png"'),
    ],
)
def test_it_runs_as_printed_once_file_is_replaced(receiver: Receiver, tmp_path: Path, name: str, typed: str) -> None:
    (tmp_path / name).write_bytes(IMAGE)
    command = upload_command(receiver.address("/api/v1/uploads/local/to-ken_1"), "image/png")
    done = run(command.replace("FILE", typed), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == RECEIPT % len(IMAGE)
    ((method, path, headers, body),) = receiver.requests
    assert (method, path) == ("PUT", "/api/v1/uploads/local/to-ken_1")
    assert headers["content-type"] == "image/png"
    assert headers["content-length"] == str(len(IMAGE))
    assert body == IMAGE


def test_file_stands_in_it_once_and_before_the_address() -> None:
    command = upload_command("http://inbox.example/FILE", "image/png")
    assert command.index(" FILE ") < command.index("http://")
    assert upload_command("http://inbox.example/token", "image/png").count("FILE") == 1


def test_it_prints_the_problem_and_fails_when_it_is_refused(receiver: Receiver, tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(IMAGE)
    done = run(upload_command(receiver.address("/used"), "image/png").replace("FILE", "shot.png"), tmp_path)
    assert done.returncode != 0
    assert json.loads(done.stdout)["code"] == "upload.used"


def test_a_file_that_is_not_there_sends_nothing(receiver: Receiver, tmp_path: Path) -> None:
    done = run(upload_command(receiver.address("/token"), "image/png").replace("FILE", "missing.png"), tmp_path)
    assert done.returncode != 0
    assert "missing.png" in done.stderr
    assert receiver.requests == []


def test_an_address_with_signs_that_a_shell_would_read_is_quoted(receiver: Receiver, tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(IMAGE)
    path = "/base/$(touch%20oops)/a&b;c'd?[1-2]={x,y}"
    done = run(upload_command(receiver.address(path), "image/png").replace("FILE", "shot.png"), tmp_path)
    assert done.returncode == 0
    assert [request[1] for request in receiver.requests] == [path]
    assert [file.name for file in tmp_path.iterdir()] == ["shot.png"]


def test_a_large_image_is_sent_whole(receiver: Receiver, tmp_path: Path) -> None:
    large = IMAGE + bytes(9_000_000)
    (tmp_path / "large.png").write_bytes(large)
    done = run(upload_command(receiver.address("/token"), "image/png").replace("FILE", "large.png"), tmp_path)
    assert done.stdout == RECEIPT % len(large)
    assert receiver.requests[0][3] == large
