"""The same server inside the test's own process, on a real socket: for tests that must reach a constant or a part."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn

from app.main import Application, create_app
from app.rest.listener import listen
from app.rest.protocol import AcknowledgingProtocol
from app.settings import Settings
from tests.support.waiting import eventually


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self):
        """Signals are the test runner's."""
        yield


@contextlib.asynccontextmanager
async def serving_here(database_url: str, data_dir: Path) -> AsyncIterator[tuple[str, Application]]:
    """Its address, and the application."""
    listening = listen("127.0.0.1", 0)
    port: int = listening.getsockname()[1]
    settings = Settings(database_url=database_url, data_dir=data_dir, port=port)
    application = create_app(settings)
    config = uvicorn.Config(
        application.asgi,
        http=AcknowledgingProtocol,
        ws="websockets-sansio",
        lifespan="on",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=3,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))

    async def started() -> bool:
        assert not task.done() or task.result() is None
        return server.started

    await eventually(started, 20, "the server in this process")
    try:
        yield f"http://127.0.0.1:{port}", application
    finally:
        await application.drain()
        server.should_exit = True
        await task
        listening.close()
