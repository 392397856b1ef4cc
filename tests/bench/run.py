"""`make bench`: the figures, each against its floor in the same run, written as ratios.

The result is printed and kept as JSON in `tests/bench/out/`. Absolute figures belong to the machine; the ratios are what counts.
"""

import asyncio
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from tests.bench import reply, wake
from tests.bench.place import place
from tests.bench.stats import interval, percentile

OUT = Path(__file__).parent / "out"


async def main() -> None:
    async with place() as there:
        print("reply throughput …", file=sys.stderr, flush=True)
        pairs = await reply.measure(there)
        print("reply → agent's call …", file=sys.stderr, flush=True)
        ours, floor = await wake.measure(there)
    ratio, low, high = interval([mine / theirs for mine, theirs in pairs])
    result: dict[str, Any] = {
        "machine": {"cpus": os.cpu_count(), "python": platform.python_version(), "kernel": platform.release()},
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "reply_throughput": {
            "ours_per_second": [round(mine) for mine, _ in pairs],
            "floor_per_second": [round(theirs) for _, theirs in pairs],
            "ratio": round(ratio, 3),
            "interval_90": [round(low, 3), round(high, 3)],
        },
        "reply_to_call_ms": {
            which: {"p50": round(percentile(values, 0.5), 2), "p99": round(percentile(values, 0.99), 2)}
            for which, values in (("ours", ours), ("listen_notify", floor))
        },
    }
    wakes = result["reply_to_call_ms"]
    wakes["ratio_p50"] = round(wakes["ours"]["p50"] / wakes["listen_notify"]["p50"], 2)
    wakes["ratio_p99"] = round(wakes["ours"]["p99"] / wakes["listen_notify"]["p99"], 2)
    OUT.mkdir(exist_ok=True)
    (OUT / "bench.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    asyncio.run(main())
