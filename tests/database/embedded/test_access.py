"""Who gets in: the user whose inbox it is, through a socket, and nobody else."""

import os
import stat
import subprocess

import pytest

from app.database.embedded.binaries import find_binaries
from tests.support.embedded import Person


def test_nothing_listens_on_the_network(person: Person) -> None:
    holder = person.hold("--throwaway")
    assert person.query(holder.url, "show listen_addresses") == ""
    assert not holder.server.net_connections("inet")


def test_it_knows_its_user_by_the_socket_and_trusts_nobody(person: Person) -> None:
    holder = person.hold("--throwaway")
    rules = person.query(holder.url, "select type, auth_method, options from pg_hba_file_rules")
    assert rules == "local|peer|{map=loopback}"
    assert person.query(holder.url, "select current_user") == "loopback"


def test_only_its_user_can_reach_the_socket_and_the_data(person: Person) -> None:
    holder = person.hold("--throwaway")
    for path in (holder.socket, person.root / "data18", holder.socket / ".s.PGSQL.5432"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        assert path.stat().st_uid == holder.server.uids().effective


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can reach another user's socket")
def test_another_user_who_reaches_the_socket_is_refused(somebody: Person) -> None:
    holder = somebody.hold("--throwaway")
    psql = subprocess.run([find_binaries() / "psql", "-Xd", holder.url, "-c", "select 1"], capture_output=True, text=True)
    assert "Peer authentication failed" in psql.stderr


@pytest.mark.parametrize(
    ("throwaway", "settings"),
    [(False, "on|on|on"), (True, "off|off|off")],
)
def test_commits_are_on_disk_unless_the_data_are_throwaway(ourselves: Person, throwaway: bool, settings: str) -> None:
    holder = ourselves.hold(*(["--throwaway"] if throwaway else []))
    query = "select " + ", ".join(f"current_setting('{name}')" for name in ("fsync", "synchronous_commit", "full_page_writes"))
    assert ourselves.query(holder.url, query) == settings


def test_text_sorts_alike_on_every_machine(ourselves: Person) -> None:
    holder = ourselves.hold("--throwaway")
    query = "select datlocprovider, datlocale, pg_encoding_to_char(encoding) from pg_database where datname = 'postgres'"
    assert ourselves.query(holder.url, query) == "b|C.UTF-8|UTF8"
