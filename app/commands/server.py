"""The server's process: how it starts, greets and stops."""

import asyncio
import logging
import os
import socket
from contextlib import suppress
from types import FrameType

import click
import uvicorn
import uvloop
from typing_extensions import override

from app.commands.home import keep_local_token
from app.commands.running import Running, announce, withdraw
from app.gate.rest import connection_lines
from app.main import Application, create_app
from app.rest.protocol import AcknowledgingProtocol
from app.settings import Settings

log = logging.getLogger(__name__)

DRAIN_SECONDS = 2.5
GRACEFUL_SECONDS = 5
FORCED_SECONDS = 1.0


class Server(uvicorn.Server):
    """uvicorn, told to stop: first what is held ends well-formed, then the server does. A second signal ends it at once."""

    def __init__(self, config: uvicorn.Config, application: Application, *, welcome: bool, settings: Settings) -> None:
        super().__init__(config)
        self._application = application
        self._welcome = welcome
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._told_to_stop = False
        self._draining: asyncio.Task[None] | None = None

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._told_to_stop:
            self.should_exit = self.force_exit = True
            return
        self._told_to_stop = True
        self._loop.call_soon_threadsafe(self._begin_to_drain)

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self._told_to_stop:
            self._write_down_where()
            await self._greet()

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self.force_exit:  # then uvicorn leaves the application as it is
            with suppress(TimeoutError):
                await asyncio.wait_for(self.lifespan.shutdown(), FORCED_SECONDS)

    def _begin_to_drain(self) -> None:
        self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            if self.started:
                await asyncio.wait_for(self._application.drain(), DRAIN_SECONDS)
        except Exception as failure:
            log.warning("not everything ended in time: %s", type(failure).__name__)
        self.should_exit = True

    def _write_down_where(self) -> None:
        near = self._settings.model_copy(update={"public_url": None}).address()
        addresses = self._application.addresses
        try:
            announce(self._settings.data_dir, Running(near, f"{addresses.origin}{addresses.prefix}", os.getpid()))
        except OSError as error:
            log.warning("commands on this machine will not find the server: %s", error)

    async def _greet(self) -> None:
        addresses = self._application.addresses
        lines = [f"ready {addresses.origin}{addresses.prefix}"]
        if self._welcome:
            code = await self._application.gate.sign_in_link()
            lines.append(f"Sign in: {addresses.sign_in(code)}")
            token = await keep_local_token(self._application.gate, self._settings)
            lines += [command for _, command in connection_lines(addresses.mcp, token)]
        try:
            click.echo("\n".join(lines))
        except OSError as error:
            log.warning("nobody reads the standard output: %s", error.strerror)


def run_server(settings: Settings, listening: socket.socket, *, welcome: bool) -> None:
    """Serve until told to stop."""
    try:
        uvloop.run(_serve(settings, listening, welcome=welcome))
    finally:
        withdraw(settings.data_dir, os.getpid())


async def _serve(settings: Settings, listening: socket.socket, *, welcome: bool) -> None:
    try:
        application = create_app(settings)
    except ValueError as error:  # settings that do not go together
        raise click.UsageError(str(error)) from None
    config = uvicorn.Config(
        application.asgi,
        http=AcknowledgingProtocol,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
    )
    server = Server(config, application, welcome=welcome, settings=settings)
    try:
        await server.serve(sockets=[listening])
    except SystemExit:  # uvicorn's word for a start that failed
        raise click.ClickException("the server could not start: the log above says why") from None
