"""`loopback migrate`."""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.postgres import ThrowawayPostgres
from tests.support.server import environment_for


def migrate(folder: Path, url: str, *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "app.cli", "migrate", *options],
        env=environment_for(folder, LOOPBACK_DATABASE_URL=url),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_an_empty_database_is_brought_up_to_date_and_a_second_time_changes_nothing(
    postgres: ThrowawayPostgres, tmp_path: Path
) -> None:
    with postgres.database("template0") as url:
        first, second = migrate(tmp_path, url), migrate(tmp_path, url, "--json")
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert json.loads(second.stdout)["revision"] in first.stdout


def test_a_database_that_is_not_there_is_said_without_its_password(tmp_path: Path) -> None:
    refused = migrate(tmp_path, "postgresql://loopback:hunter2@127.0.0.1:1/loopback")
    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: the database cannot be used")
    assert "LOOPBACK_DATABASE_URL" in refused.stderr
    assert "hunter2" not in refused.stderr
