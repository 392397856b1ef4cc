"""`loopback serve`: how it starts, what it says, how it ends."""

import contextlib
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import pytest

from app.commands.running import FILE, running_server
from tests.commands.shell import ended, get, soon
from tests.support.embedded import REPOSITORY, python_for, site_packages
from tests.support.postgres import ThrowawayPostgres
from tests.support.server import environment_for, serving, temporary_folder

SECRETS = re.compile(r"lb_[\w-]{20,}|sign-in#|Bearer")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A data folder with its own Postgres, shared by the tests of this module: each serves it alone."""
    folder = temporary_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def postgres_of(folder: Path) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or ()
        if any(str(folder) in word for word in words) and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


@contextlib.contextmanager
def started(folder: Path, *options: str, **settings: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "serve", "--port", "0", *options],
        env=environment_for(folder, **settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ready(process: "subprocess.Popen[str]") -> str:
    """The server's address, once it says that it is ready."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("ready http://"), line or ended(process)[2]
    return line.split()[1]


def refused(folder: Path, *options: str, **settings: str) -> tuple[int, str]:
    """Exit code and complaint of a server that does not start."""
    with started(folder, *options, **settings) as process:
        code, out, err = ended(process, 60)
    assert out == ""
    assert "Traceback" not in err
    return code, err


def test_it_says_ready_and_nothing_secret(folder: Path) -> None:
    with started(folder) as process:
        url = ready(process)
        assert httpx2.get(f"{url}/readyz").status_code == 200
        process.send_signal(signal.SIGTERM)
        code, out, err = ended(process)
    assert (code, out) == (0, "")
    assert not SECRETS.search(err)


def test_the_welcome_is_on_standard_output_and_no_secret_is_in_the_log(folder: Path) -> None:
    with serving(folder, LOOPBACK_LOG_LEVEL="debug") as server:
        get(server, "/snapshot")
        assert httpx2.get(f"{server.url}/api/v1/whoami", headers={"Authorization": "Bearer lb_" + "x" * 40}).status_code == 401
        assert server.loopback("ask", "Logged?", "--max-wait", "1s").returncode == 3
        assert server.loopback("sign-in").returncode == 0
        ask, link, *agents = server.lines
        assert ask == f"ready {server.url}"
        assert link.startswith(f"Sign in: {server.url}/sign-in#")
        assert [line.split()[0] for line in agents] == ["claude", "export", "gemini"]
        assert all(server.token in line for line in agents)
        assert (folder / "local-token").stat().st_mode & 0o777 == 0o600
        assert server.stop() == 0
        assert server.token not in server.log()
        assert not SECRETS.search(server.log())


def test_where_it_is_stands_in_the_data_folder_as_long_as_it_runs(folder: Path) -> None:
    with started(folder) as process:
        url = ready(process)
        running = running_server(folder)
        assert running is not None
        assert (running.url, running.pid) == (url, process.pid)
        process.send_signal(signal.SIGTERM)
        ended(process)
    assert not (folder / FILE).exists()


def test_a_public_address_is_what_it_says_and_commands_still_reach_it_here(folder: Path) -> None:
    with started(folder, LOOPBACK_PUBLIC_URL="https://inbox.example.com/team") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready https://inbox.example.com/team\n"
        running = running_server(folder)
        assert running is not None
        assert running.url.startswith("http://127.0.0.1:")
        for name, value in (("sign-in", "https://inbox.example.com/team/sign-in#"), ("asks", "")):
            done = subprocess.run(
                [sys.executable, "-m", "app.cli", name], env=environment_for(folder), capture_output=True, text=True, timeout=60
            )
            assert done.returncode == 0, done.stderr
            assert done.stdout.startswith(value)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_it_well_and_leaves_nothing_running(folder: Path, sent: signal.Signals) -> None:
    with started(folder) as process:
        ready(process)
        assert postgres_of(folder)
        process.send_signal(sent)
        code, _, err = ended(process)
        assert (code, err) == (0, "")
        soon(lambda: not postgres_of(folder), 1, "the end of Postgres")


def test_a_second_signal_ends_it_at_once_and_without_complaint(folder: Path) -> None:
    with started(folder) as process:
        url = ready(process)
        with socket.create_connection(("127.0.0.1", int(url.rsplit(":", 1)[1]))) as idle:
            idle.sendall(b"POST /api/v1/events/tickets HTTP/1.1\r\n")
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
            began = time.monotonic()
            code, _, err = ended(process)
            assert (code, err) == (0, "")
            assert time.monotonic() - began < 5
        soon(lambda: not postgres_of(folder), 1, "the end of Postgres")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_it_is_ready_ends_it_too(folder: Path, sent: signal.Signals) -> None:
    with started(folder) as process:
        soon(lambda: postgres_of(folder), what="Postgres")
        process.send_signal(sent)
        code, out, err = ended(process)
    assert (code, err) == (0, "")
    assert out == "" or out.startswith("ready")
    soon(lambda: not postgres_of(folder), 2, "the end of Postgres")


def test_a_second_start_has_everything_and_a_kill_loses_nothing(folder: Path) -> None:
    with serving(folder) as server:
        assert server.loopback("ask", "Kept?", "--max-wait", "1s").returncode == 3
        token, ask_id = server.token, get(server, "/snapshot")["open"][0]["id"]
        server.kill()
    with serving(folder) as server:
        assert server.token == token
        assert get(server, f"/asks/{ask_id}")["status"] == "awaiting_human"


def test_a_revoked_local_token_is_replaced_at_the_next_start(postgres: ThrowawayPostgres, own_folder: Path) -> None:
    with postgres.database() as url:
        with serving(own_folder, LOOPBACK_DATABASE_URL=url) as server:
            token = server.token
            listed = server.loopback("token", "list").stdout.split()
            assert server.loopback("token", "revoke", listed[0]).returncode == 0
        with serving(own_folder, LOOPBACK_DATABASE_URL=url) as server:
            assert server.token != token
            get(server, "/whoami")


def test_commands_have_a_token_of_their_own_also_where_none_was_welcomed(folder: Path) -> None:
    (folder / "local-token").unlink(missing_ok=True)
    with started(folder) as process:
        ready(process)
        listed = subprocess.run(
            [sys.executable, "-m", "app.cli", "asks"], env=environment_for(folder), capture_output=True, text=True, timeout=60
        )
    assert listed.returncode == 0, listed.stderr
    assert (folder / "local-token").stat().st_mode & 0o777 == 0o600


def test_a_port_that_is_taken_is_said_with_the_way_to_name_another(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, err = refused(folder, "--port", str(port))
    assert code == 1
    assert err == f"Error: port {port} is taken, perhaps by another Loopback: name another with --port or LOOPBACK_PORT\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_FORMAT", "xml"),
        ("BLOBS", "tape"),
        ("PUBLIC_URL", "inbox.example.com"),
        ("PUBLIC_URL", "http://x:99999"),
        ("BLOBS", "s3"),
    ],
)
def test_a_setting_that_does_not_fit_is_wrong_use_and_is_named(folder: Path, name: str, value: str) -> None:
    code, err = refused(folder, **{f"LOOPBACK_{name}": value})
    assert code == 2
    assert f"LOOPBACK_{name}" in err


def test_a_database_that_is_not_there_is_said_without_its_password(folder: Path) -> None:
    code, err = refused(folder, LOOPBACK_DATABASE_URL="postgresql://loopback:hunter2@127.0.0.1:1/loopback")
    assert code == 1
    assert "LOOPBACK_DATABASE_URL" in err
    assert "hunter2" not in err


def test_a_data_folder_that_cannot_be_is_said_with_the_way_to_name_another(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, err = refused(tmp_path / "file" / "inbox")
    assert code == 1
    assert "--data-dir or LOOPBACK_DATA_DIR" in err


def test_a_data_folder_that_cannot_be_written_is_said_with_the_way_to_name_another(own_folder: Path) -> None:
    python, as_user = sys.executable, {}
    own_folder.chmod(0o555)
    if os.geteuid() == 0:  # whom no mode keeps out
        daemon = pwd.getpwnam("daemon")
        found = python_for(daemon)
        if found is None:
            pytest.skip("no other user of this machine has a Python to run")
        python, as_user = found, {"user": daemon.pw_uid, "group": daemon.pw_gid, "extra_groups": []}
    serve = "import sys; sys.argv[1:] = ['serve', '--port', '0']; from app.cli import main; main(prog_name='loopback')"
    path = os.pathsep.join(map(str, (REPOSITORY, site_packages())))
    done = subprocess.run(
        [python, "-S", "-c", serve],
        env={"PYTHONPATH": path, "LOOPBACK_DATA_DIR": str(own_folder)},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **as_user,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert "Traceback" not in done.stderr
    assert "cannot be written" in done.stderr
    assert "LOOPBACK_DATA_DIR" in done.stderr
