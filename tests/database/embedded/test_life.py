"""How long the embedded Postgres lives, and what it keeps."""

import os
import random
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from app.database.embedded import EmbeddedPostgres
from tests.support.embedded import Holder, Person, gone, server_in, servers_of, wait_until

WRITE = "create table if not exists kept (n int); insert into kept select count(*) from kept"
COUNT = "select count(*) from kept"


def test_what_was_written_is_there_after_a_restart(person: Person) -> None:
    for times in (1, 2):
        holder = person.hold()
        person.query(holder.url, WRITE)
        assert person.query(holder.url, COUNT) == str(times)
        holder.stop()
        assert gone(holder.server)


def test_five_simultaneous_starters_share_one_server_cold_and_warm(person: Person) -> None:
    for _ in range(2):
        holders = [Holder(process) for process in [person.start("--throwaway") for _ in range(5)]]
        assert len({holder.server.pid for holder in holders}) == 1
        assert len(servers_of(person.root)) == 1
        for holder in holders:
            holder.stop()
        assert gone(holders[0].server)


def test_it_is_gone_within_a_second_of_its_last_holder_being_killed(person: Person) -> None:
    first, last = person.hold("--throwaway"), person.hold("--throwaway")
    first.kill()
    assert person.query(last.url, "select 1") == "1"
    last.kill()
    wait_until(lambda: gone(last.server), 1)


def test_rows_are_intact_when_everything_is_killed(person: Person) -> None:
    holder = person.hold()
    person.query(holder.url, WRITE)
    family = [holder.process, *psutil.Process(holder.process.pid).children(recursive=True)]
    assert holder.server in family
    for member in family:
        with suppress(psutil.NoSuchProcess):
            member.kill()
    holder.process.communicate()
    again = person.hold()
    assert person.query(again.url, COUNT) == "1"
    again.stop()


def test_a_starter_killed_at_any_moment_leaves_nothing_running(ourselves: Person) -> None:
    for attempt in range(8):
        process = ourselves.start("--throwaway")
        with suppress(subprocess.TimeoutExpired):
            process.wait(random.Random(attempt).uniform(0.05, 0.5))
        process.kill()
        process.communicate()
        wait_until(lambda: not servers_of(ourselves.root))
    holder = ourselves.hold("--throwaway")
    assert ourselves.query(holder.url, "select 1") == "1"


def test_a_holder_that_starts_again_revives_a_server_that_was_killed(ourselves: Person) -> None:
    with EmbeddedPostgres(ourselves.root, durable=False) as ours:
        other = ourselves.hold("--throwaway")
        other.server.kill()
        wait_until(lambda: gone(other.server))
        assert ours.start() == other.url
        assert ourselves.query(other.url, "select 1") == "1"
        ours.stop()
        assert ourselves.query(other.url, "select 1") == "1"  # who held the old one holds the new one
        other.kill()
        wait_until(lambda: not servers_of(ourselves.root), 1)


def test_a_server_whose_keeper_was_killed_is_replaced(ourselves: Person) -> None:
    holder = ourselves.hold("--throwaway")
    shells = [process for process in psutil.Process(holder.process.pid).children(recursive=True) if process.name() == "sh"]
    assert len(shells) == 2
    for shell in shells:
        shell.kill()
    holder.kill()
    assert not gone(holder.server)
    again = ourselves.hold("--throwaway")
    assert [server.pid for server in servers_of(ourselves.root)] == [again.server.pid]
    assert again.server.pid != holder.server.pid
    again.stop()


def test_the_last_to_leave_waits_until_it_has_stopped(ourselves: Person) -> None:
    ours, others = EmbeddedPostgres(ourselves.root, durable=False), EmbeddedPostgres(ourselves.root, durable=False)
    ours.start()
    others.start()
    server = server_in(ours.socket)
    ours.stop()
    assert not gone(server)
    others.stop()
    assert not (ourselves.root / "data18" / "postmaster.pid").exists()
    ours.stop()  # a second time does nothing


def test_ctrl_c_reaches_the_process_and_not_the_server(ourselves: Person) -> None:
    holder = ourselves.hold("--throwaway", "--deaf")
    os.killpg(holder.process.pid, signal.SIGINT)
    assert ourselves.query(holder.url, "select 1") == "1"
    holder.stop()


def test_a_starter_that_goes_on_to_run_programs_does_not_lend_them_its_hold(ourselves: Person) -> None:
    with EmbeddedPostgres(ourselves.root, durable=False) as ours:
        server = server_in(ours.socket)
        child = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, close_fds=False)
    wait_until(lambda: gone(server), 1)
    child.communicate()


@pytest.mark.parametrize("name", ["a" * 120, "spaces é 100%", "commas,too"])
def test_the_data_may_lie_at_any_path(ourselves: Person, name: str) -> None:
    root = ourselves.folder / name / "postgres"
    holder = ourselves.hold("--throwaway", root=root)
    assert ourselves.query(holder.url, "show data_directory") == str(root / "data18")
    assert len(os.fsencode(holder.socket / ".s.PGSQL.5432.lock")) <= 100
    holder.stop()
    if not holder.socket.is_relative_to(ourselves.folder):
        holder.socket.rmdir()


def test_the_log_starts_afresh_when_it_has_grown(ourselves: Person) -> None:
    log = ourselves.root / "postgres.log"
    ourselves.hold("--throwaway").stop()
    with log.open("ab") as file:
        file.truncate(10_000_001)
    ourselves.hold("--throwaway").stop()
    assert log.stat().st_size < 100_000
    assert Path(f"{log}.1").stat().st_size == 10_000_001
