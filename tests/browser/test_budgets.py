"""What the page weighs before anything is seen, as it goes over the wire."""

import re

import httpx
import pytest

from tests.support.house import House

KILOBYTE = 1000


async def sizes(house: House, kind: str) -> dict[str, int]:
    """The files that the shell names, compressed."""
    async with httpx.AsyncClient(base_url=house.url) as http:
        shell = (await http.get("/")).text
        found: dict[str, int] = {}
        for path in re.findall(rf'"(/assets/[^"]+\.{kind})"', shell):
            async with http.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
                assert answer.status_code == 200
                found[path] = sum([len(piece) async for piece in answer.aiter_raw()])
    return found


@pytest.mark.parametrize(("kind", "kilobytes"), [("js", 27), ("css", 6)])
async def test_what_is_loaded_at_once_stays_small(house: House, kind: str, kilobytes: int, record_property):
    found = await sizes(house, kind)
    record_property("bytes", sum(found.values()))
    assert found
    assert sum(found.values()) <= kilobytes * KILOBYTE, found
