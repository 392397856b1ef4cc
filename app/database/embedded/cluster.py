"""The data of the embedded Postgres: its folder, its settings, and who may connect."""

import shutil
import tempfile
from pathlib import Path

from app.database.embedded.account import Account
from app.database.embedded.binaries import MAJOR
from app.database.embedded.problem import EmbeddedPostgresError

ROLE = "loopback"
"""The one role, and the name of the ident map."""

HALF = ".half"
"""What a folder is called until its making is finished."""

PORT = 5432
"""Only a part of the socket's name: nothing listens on the network."""

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "cluster_name": ROLE,
    "max_connections": "60",
    "shared_buffers": "64MB",
    # No replication: less to write, less to keep.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "min_wal_size": "32MB",
    "max_wal_size": "256MB",
    # Short statements only. No worker processes, so /dev/shm may be as small as containers make it.
    "io_method": "sync",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "autovacuum_naptime": "1min",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
}

THROWAWAY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""For data that need not outlive the machine: tests."""


def prepare(root: Path, binaries: Path, account: Account, *, durable: bool) -> Path:
    """The data folder, made when there is none. Returns its path."""
    data = root / f"data{MAJOR}"
    if not data.exists():
        _refuse_other_majors(root)
        _initialise(data, binaries, account, durable=durable)
    elif not account.owns(data):
        raise EmbeddedPostgresError(
            f"{data} belongs to another user: run Loopback as its owner, or `chown -R {account.name}` it"
        )
    elif (found := (data / "PG_VERSION").read_text().strip()) != str(MAJOR):
        raise _other_major(data, found)
    _allow_one_user(data, account)
    return data


def arguments(data: Path, socket: Path, *, durable: bool) -> list[str]:
    """What `postgres` is started with."""
    settings = SETTINGS | ({} if durable else THROWAWAY) | {"unix_socket_directories": str(socket)}
    return ["-D", str(data), *(word for name, value in settings.items() for word in ("-c", f"{name}={value}"))]


def _refuse_other_majors(root: Path) -> None:
    for other in sorted(root.glob("data*")):
        version = other / "PG_VERSION"
        if other.suffix != HALF and version.exists():
            raise _other_major(other, version.read_text().strip())


def _other_major(data: Path, found: str) -> EmbeddedPostgresError:
    return EmbeddedPostgresError(
        f"{data} was written by PostgreSQL {found} and this is PostgreSQL {MAJOR}: dump it with the version that wrote it "
        "and restore it into a new folder, or point LOOPBACK_DATA_DIR elsewhere to start empty"
    )


def _initialise(data: Path, binaries: Path, account: Account, *, durable: bool) -> None:
    for abandoned in data.parent.glob(f"*{HALF}"):
        shutil.rmtree(abandoned, ignore_errors=True)
    # Under a new name each time: what a starter that was killed has begun may still be at it.
    half = Path(tempfile.mkdtemp(prefix=f"{data.name}-", suffix=HALF, dir=data.parent))
    account.give(half)
    made = account.run(
        *(binaries / "initdb", "-D", half, "-U", ROLE, "-E", "UTF8", "--no-instructions"),
        *("--auth-local=peer", "--auth-host=reject"),
        # One sort order on every machine: the system's collations change under an index.
        *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        *(() if durable else ("--no-sync",)),
    )
    if made.returncode != 0:
        raise EmbeddedPostgresError(
            f"initdb failed in {half}: make room or choose another LOOPBACK_DATA_DIR. It said:\n{made.stderr.strip()}"
        )
    # In one step, so that an initdb that was killed leaves nothing half-made.
    half.rename(data)


def _allow_one_user(data: Path, account: Account) -> None:
    """Let the account's client in as the one role, known by its user id through the socket; everybody else is refused.

    Written at every start: the data may come from a machine where the user had another name.
    """
    client = account.client.replace('"', '""')
    for name, line in (
        ("pg_hba.conf", f"local all all peer map={ROLE}\n"),
        ("pg_ident.conf", f'{ROLE} "{client}" {ROLE}\n'),
    ):
        file = data / name
        file.unlink(missing_ok=True)
        file.write_text(line)
        file.chmod(0o600)
        account.give(file)
