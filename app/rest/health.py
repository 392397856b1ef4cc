"""Whether the server is alive, whether it is ready, and the figures of its process."""

import ipaddress
import os
import resource
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.rest.problem import json_response

Check = Callable[[], Awaitable[bool]]
Figures = Callable[[], Mapping[str, float]]


class Health:
    """`/healthz`, `/readyz` and `/metrics`."""

    def __init__(self, checks: Mapping[str, Check], figures: Figures, enter: Callable[[Request], Awaitable[object]]) -> None:
        self._checks = checks
        self._figures = figures
        self._enter = enter
        self._started = time.time()

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/healthz", self.alive, methods=["GET"]),
            Route("/readyz", self.ready, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def alive(self, request: Request) -> Response:
        """200 as long as the process answers."""
        return json_response('{"status":"alive"}')

    async def ready(self, request: Request) -> Response:
        """200 when everything that a request needs is there; else 503, naming what is not."""
        missing = [name for name, check in self._checks.items() if not await _holds(check)]
        if missing:
            listed = ",".join(f'"{name}"' for name in missing)
            return json_response(f'{{"status":"not ready","missing":[{listed}]}}', 503)
        return json_response('{"status":"ready"}')

    async def metrics(self, request: Request) -> Response:
        """Prometheus' text. To other machines only with a credential."""
        if not _is_near(request):
            await self._enter(request)
        usage = resource.getrusage(resource.RUSAGE_SELF)
        figures = {
            "process_start_time_seconds": self._started,
            "process_cpu_seconds_total": usage.ru_utime + usage.ru_stime,
            "process_resident_memory_bytes": _resident(),
            "process_open_fds": _open_fds(),
            **self._figures(),
        }
        return PlainTextResponse("".join(f"{name} {value}\n" for name, value in figures.items()))


async def _holds(check: Check) -> bool:
    try:
        return await check()
    except Exception:
        return False


def _is_near(request: Request) -> bool:
    forwarded = any(name in request.headers for name in ("forwarded", "x-forwarded-for"))
    try:
        return not forwarded and request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _open_fds() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 0


def _resident() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
