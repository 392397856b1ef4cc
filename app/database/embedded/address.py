"""Where the server listens: a socket in a folder that one user can open, and nothing on the network."""

import hashlib
import os
import socket
import struct
from pathlib import Path
from urllib.parse import quote

from app.database.embedded.account import Account
from app.database.embedded.cluster import PORT, ROLE
from app.database.embedded.problem import EmbeddedPostgresError

PATH_BYTES = 100
"""A socket's path has at most 107 bytes on Linux, 103 on macOS."""

MAY_I_ENCRYPT = struct.pack("!ii", 8, 80877103)
"""The one question that a server answers to anybody, with no."""

ANSWER_SECONDS = 5


def socket_folder(root: Path) -> Path:
    """The folder of the socket: in the data's folder, or a short one under /tmp when that path is too long."""
    folder = root / "socket"
    fits = len(os.fsencode(folder / f".s.PGSQL.{PORT}.lock")) <= PATH_BYTES
    if fits and not set(str(folder)) & set(',"'):  # where several folders can be listed, these part them
        return folder
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:12]
    # Always /tmp: processes with another TMPDIR must come to the same place.
    return Path("/tmp") / f"{ROLE}-{os.geteuid()}-{name}"  # noqa: S108


def prepare_socket_folder(folder: Path, account: Account) -> None:
    """Make the folder the account's own."""
    try:
        folder.mkdir(mode=0o700)
        account.give(folder)
    except FileExistsError:
        # Under /tmp anybody may have made it.
        if not account.owns(folder):
            raise EmbeddedPostgresError(f"{folder} belongs to another user: remove it and start again") from None
        folder.chmod(0o700)


def url(folder: Path) -> str:
    """The server's address, as libpq and asyncpg read it."""
    return f"postgresql://{ROLE}@/postgres?host={quote(str(folder))}&port={PORT}"


def answers(folder: Path) -> bool:
    """Whether a server answers on the socket. That it can be connected to says less: a dying one's children keep it open."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.connect(str(folder / f".s.PGSQL.{PORT}"))
            connection.sendall(MAY_I_ENCRYPT)
            return connection.recv(1) == b"N"
    except OSError:
        return False
