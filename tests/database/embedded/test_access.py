"""Who gets in: the user whose inbox it is, through a socket, and nobody else."""

import os
import stat
import subprocess
from collections.abc import Iterator

import pytest

from app.database.embedded.binaries import find_binaries
from tests.database.embedded.conftest import USERS, acting
from tests.support.embedded import Holder, Person


@pytest.fixture(scope="module", params=USERS)
def held(request: pytest.FixtureRequest) -> Iterator[tuple[Person, Holder]]:
    """A running server and whose it is; nothing here changes it."""
    with acting(request.param) as person:
        yield person, person.hold("--throwaway")


def test_it_does_not_run_as_root(held: tuple[Person, Holder]) -> None:
    _, holder = held
    assert holder.server.uids().effective != 0


def test_nothing_listens_on_the_network(held: tuple[Person, Holder]) -> None:
    person, holder = held
    assert person.query(holder.url, "show listen_addresses") == ""
    assert not holder.server.net_connections("inet")


def test_it_knows_its_user_by_the_socket_and_trusts_nobody(held: tuple[Person, Holder]) -> None:
    person, holder = held
    rules = person.query(holder.url, "select type, auth_method, options from pg_hba_file_rules")
    assert rules == "local|peer|{map=loopback}"
    assert person.query(holder.url, "select current_user") == "loopback"


def test_only_its_user_can_reach_the_socket_and_the_data(held: tuple[Person, Holder]) -> None:
    person, holder = held
    for path in (holder.socket, person.root / "data18", holder.socket / ".s.PGSQL.5432"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        assert path.stat().st_uid == holder.server.uids().effective


def test_text_sorts_alike_on_every_machine(held: tuple[Person, Holder]) -> None:
    person, holder = held
    query = "select datlocprovider, datlocale, pg_encoding_to_char(encoding) from pg_database where datname = 'postgres'"
    assert person.query(holder.url, query) == "b|C.UTF-8|UTF8"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can reach another user's socket")
def test_another_user_who_reaches_the_socket_is_refused(held: tuple[Person, Holder]) -> None:
    person, holder = held
    psql = [find_binaries() / "psql", "-Xd", holder.url, "-c", "select 1"]
    others = {"user": "nobody", "extra_groups": []} if person.is_root else {}
    done = subprocess.run(psql, capture_output=True, text=True, cwd="/", **others)
    assert "Peer authentication failed" in done.stderr


@pytest.mark.parametrize(
    ("throwaway", "settings"),
    [(False, "on|on|on"), (True, "off|off|off")],
)
def test_commits_are_on_disk_unless_the_data_are_throwaway(ourselves: Person, throwaway: bool, settings: str) -> None:
    holder = ourselves.hold(*(["--throwaway"] if throwaway else []))
    query = "select " + ", ".join(f"current_setting('{name}')" for name in ("fsync", "synchronous_commit", "full_page_writes"))
    assert ourselves.query(holder.url, query) == settings
