"""S3 for the tests: a server process that checks signatures and keeps its data, and a broken one."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

import pytest

from app.blobs.s3 import S3Blobs
from app.core.ids import new_id
from tests.support.ports import free_port

ACCESS_KEY = "loopback-tests"
SECRET_KEY = "not-a-secret-but-as-long-as-one"
BUCKET = "loopback-images"
_START_SECONDS = 30


class S3Server:
    """One server process, on the same port and the same data each time it starts."""

    def __init__(self, folder: Path) -> None:
        self._data = folder / "data"
        (self._data / BUCKET).mkdir(parents=True)  # a bucket is a folder
        self._log = folder / "log"
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "nanio", "serve", "--host", "127.0.0.1", "--port", str(self._port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--data-dir", str(self._data), "--no-access-log"],
                env=os.environ | {"NANIO_ACCESS_KEY": ACCESS_KEY, "NANIO_SECRET_KEY": SECRET_KEY},
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(self._port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the S3 server did not start:\n{self._log.read_text()}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Kill it, as a crash would."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None


def s3_blobs(server: S3Server, *, bucket: str = BUCKET, secret_key: str = SECRET_KEY, prefix: str | None = None) -> S3Blobs:
    """A store under a prefix of its own."""
    return S3Blobs(
        bucket,
        endpoint=server.endpoint,
        region="us-east-1",
        prefix=prefix or f"{new_id()}/",
        credentials=(ACCESS_KEY, secret_key),
    )


Fault = Literal["503", "cut", "hang"]


class BrokenS3:
    """Takes any request, and answers each in the same wrong way: with a 503, with half a body, or never."""

    def __init__(self, fault: Fault) -> None:
        self._let_go = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fault, self._let_go))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "BrokenS3":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._let_go.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(fault: Fault, let_go: threading.Event) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.close_connection = True
            match fault:
                case "503":
                    self.send_response(503)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                case "cut":
                    self.send_response(200)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    self.wfile.write(b"only this")
                case "hang":
                    let_go.wait(60)

        do_PUT = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[S3Server]:
    server = S3Server(tmp_path_factory.mktemp("s3"))
    server.start()
    yield server
    server.stop()
