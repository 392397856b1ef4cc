"""Alive, ready, and the figures."""

import httpx

from contract.problems import Code
from tests.support.house import House
from tests.support.raw import bearer
from tests.support.wire import check_named, refused


async def test_alive_and_ready_are_open_and_named(nobody: httpx.AsyncClient) -> None:
    for path, status in (("/healthz", "alive"), ("/readyz", "ready")):
        answer = await nobody.get(path)
        assert (answer.status_code, answer.json()) == (200, {"status": status})
        check_named(answer.headers)


async def test_the_figures_are_prometheus_text(nobody: httpx.AsyncClient) -> None:
    answer = await nobody.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    figures = {name: float(value) for name, value in (line.split() for line in answer.text.splitlines())}
    assert figures["process_resident_memory_bytes"] > 10_000_000
    assert figures["process_open_fds"] > 5
    assert figures["loopback_bus_connected"] == 1
    assert {"loopback_held_calls", "loopback_sockets", "process_cpu_seconds_total"} <= figures.keys()


async def test_the_figures_are_for_this_machine_or_for_a_credential(house: House, nobody: httpx.AsyncClient) -> None:
    for header in ({"X-Forwarded-For": "203.0.113.9"}, {"Forwarded": "for=203.0.113.9"}, {"X-Forwarded-For": "127.0.0.1"}):
        refused(await nobody.get("/metrics", headers=header), Code.UNAUTHORIZED)
        assert (await nobody.get("/metrics", headers=header | bearer(house.token))).status_code == 200
