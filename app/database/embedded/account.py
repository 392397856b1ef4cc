"""Which user of the operating system runs the server, and what that user can do."""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.database.embedded.problem import EmbeddedPostgresError

ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}
"""All that Postgres' programs see of the environment: a stray PGPORT or PGDATA must not reach them."""


@dataclass(frozen=True)
class Account:
    """The user that runs the server, and the one that connects to it."""

    uid: int
    gid: int
    name: str
    client: str
    switched: bool
    """Whether the server runs as somebody else than this process: Postgres refuses root."""

    def run(self, *argv: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a program to its end as this user. One that the user may not execute ends with 126."""
        command = [str(argument) for argument in argv]
        try:
            return subprocess.run(  # noqa: S603
                command, capture_output=True, text=True, errors="replace", **self.options()
            )
        except OSError as error:
            return subprocess.CompletedProcess(command, 126, "", str(error))

    def start(self, argv: Sequence[str], **streams: int) -> subprocess.Popen[Any]:
        """Start a program as this user, in a session of its own so that Ctrl-C does not reach it."""
        return subprocess.Popen(  # noqa: S603
            argv, start_new_session=True, **streams, **self.options()
        )

    def options(self) -> dict[str, Any]:
        """How a process of this user starts."""
        common: dict[str, Any] = {"cwd": "/", "env": ENVIRONMENT, "umask": 0o077}
        return common | ({"user": self.uid, "group": self.gid, "extra_groups": []} if self.switched else {})

    def enters(self, folder: Path) -> bool:
        """Whether this user can pass through the folder and everything above it."""
        return self.run("/bin/sh", "-c", 'cd "$1"', "sh", folder).returncode == 0

    def owns(self, path: Path) -> bool:
        """Whether the path is this user's own, and not a link to something else."""
        return path.lstat().st_uid == self.uid and not path.is_symlink()

    def give(self, path: Path) -> None:
        """Make the path this user's own."""
        if self.switched:
            os.chown(path, self.uid, self.gid)


def server_account() -> Account:
    """Ourselves, or `nobody` when we are root."""
    uid = os.geteuid()
    try:
        client = pwd.getpwuid(uid).pw_name
    except KeyError:
        raise EmbeddedPostgresError(
            f"user {uid} has no entry in /etc/passwd, and the embedded Postgres cannot run without one: "
            "run as a user that has one, or set LOOPBACK_DATABASE_URL to a Postgres 18"
        ) from None
    if uid != 0:
        return Account(uid, os.getegid(), client, client, switched=False)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedPostgresError(
            "Postgres refuses to run as root and there is no user `nobody`: "
            "run Loopback as another user, or set LOOPBACK_DATABASE_URL to a Postgres 18"
        ) from None
    return Account(nobody.pw_uid, nobody.pw_gid, nobody.pw_name, client, switched=True)
