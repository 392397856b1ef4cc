"""Reply throughput: replies a second through our door, against a bare route with the same SQL."""

import asyncio
import subprocess
import sys

from tests.bench.asks import fill, requests
from tests.bench.load import saturate
from tests.bench.place import Place

PAIRS = 5
SECONDS = 3.0
WORKERS = 32
MOST_PER_SECOND = 3500


async def measure(place: Place) -> list[tuple[float, float]]:
    """(ours, floor) in replies a second, for each pair, in the order ABBA."""
    floor = subprocess.Popen([sys.executable, "-m", "tests.bench.floor", str(place.floor_port), place.dsn])
    try:
        await place.until_open(place.floor_port)
        pairs: list[tuple[float, float]] = []
        for pair in range(PAIRS):
            order = ("ours", "floor") if pair % 2 == 0 else ("floor", "ours")
            found = {which: await _run(place, which, pair) for which in order}
            pairs.append((found["ours"], found["floor"]))
        return pairs
    finally:
        floor.terminate()
        await asyncio.to_thread(floor.wait, 10)


async def _run(place: Place, which: str, pair: int) -> float:
    ids = await fill(place.dsn, int(SECONDS * MOST_PER_SECOND), tag=f"{which}-{pair}-")
    url, prefix, headers = (
        (place.url, "/api/v1", f"Authorization: Bearer {place.reply_token}\r\n")
        if which == "ours"
        else (f"http://127.0.0.1:{place.floor_port}", "", "")
    )
    done, took = await saturate(
        url, requests(ids, prefix), seconds=SECONDS, workers=WORKERS, headers=headers, check=lambda status: status == 200
    )
    return done / took
