"""Paging back through closed asks."""

import asyncio
from typing import Any

import httpx
import pytest

from app.core.clock import system_clock
from contract.base import format_moment
from contract.operations import LIST_ASKS
from tests.support.asking import ANSWERED, open_asks, question
from tests.support.house import House
from tests.support.raw import bearer
from tests.support.wire import done

ASKS = 120


@pytest.fixture(scope="module")
def closed(house: House) -> list[dict[str, Any]]:
    """120 asks that were closed at once, as their replies gave them, the latest first."""

    async def close_all() -> list[dict[str, Any]]:
        asks = await open_asks(house, [question() for _ in range(ASKS)])
        async with httpx.AsyncClient(base_url=f"{house.url}/api/v1", headers=bearer(house.reply_token), timeout=60) as http:
            answers = await asyncio.gather(*(http.post(f"/asks/{ask['id']}/reply", json=ANSWERED) for ask in asks))
        assert {answer.status_code for answer in answers} == {200}
        return sorted((answer.json() for answer in answers), key=lambda ask: ask["closedAt"], reverse=True)

    return asyncio.run(close_all())


async def pages(http: httpx.AsyncClient, limit: int | None) -> list[list[dict[str, Any]]]:
    found: list[list[dict[str, Any]]] = []
    query: dict[str, Any] = {} if limit is None else {"limit": limit}
    while True:
        page = done(await http.get("/asks", params=query), LIST_ASKS)
        found.append(page["items"])
        if "nextBefore" not in page:
            return found
        query["before"] = page["nextBefore"]


async def test_asks_closed_at_once_have_moments_of_their_own(closed: list[dict[str, Any]]) -> None:
    moments = [ask["closedAt"] for ask in closed]
    assert len(set(moments)) == ASKS
    assert all(len(moment) == len("2026-12-01T09:30:00.000Z") and moment.endswith("Z") for moment in moments)


@pytest.mark.parametrize("limit", [None, 1, 7, 40, 50, 60, 99, 100])
async def test_pages_neither_skip_nor_repeat(http: httpx.AsyncClient, closed: list[dict[str, Any]], limit: int | None) -> None:
    found = await pages(http, limit)
    assert [ask for page in found for ask in page] == closed
    size = limit or 50
    assert [len(page) for page in found[:-1]] == [size] * (len(found) - 1)
    assert len(found[-1]) == (ASKS % size or size)


async def test_a_page_that_begins_where_another_time_zone_says_is_the_same(
    http: httpx.AsyncClient, closed: list[dict[str, Any]]
) -> None:
    before = closed[9]["closedAt"].replace("Z", "+00:00")
    page = done(await http.get("/asks", params={"before": before, "limit": 5}), LIST_ASKS)
    assert page["items"] == closed[10:15]


async def test_what_closes_meanwhile_does_not_move_later_pages(
    house: House, http: httpx.AsyncClient, closed: list[dict[str, Any]]
) -> None:
    first = done(await http.get("/asks", params={"limit": 10}), LIST_ASKS)
    await house.rows("update spaces set last_closed_at = last_closed_at + interval '1 second'")
    (ask,) = await open_asks(house, [question()])
    late = (await http.post(f"/asks/{ask['id']}/reply", json=ANSWERED)).json()
    assert late["closedAt"] > closed[0]["closedAt"]
    second = done(await http.get("/asks", params={"limit": 10, "before": first["nextBefore"]}), LIST_ASKS)
    assert second["items"] == closed[10:20]
    await house.rows("delete from replies where ask_id = $1", ask["id"])
    await house.rows("delete from asks where id = $1", ask["id"])


async def test_the_next_close_is_later_than_the_last_even_when_the_clock_was_set_back(
    house: House, http: httpx.AsyncClient, closed: list[dict[str, Any]]
) -> None:
    await house.rows("update spaces set last_closed_at = clock_timestamp() + interval '1 hour'")
    (last,) = await house.rows("select last_closed_at from spaces where id = 'local'")
    (ask,) = await open_asks(house, [question()])
    late = (await http.post(f"/asks/{ask['id']}/reply", json=ANSWERED)).json()
    assert late["closedAt"] > format_moment(last[0]) > format_moment(system_clock())
    assert (await http.get("/asks", params={"limit": 1})).json()["items"] == [late]
