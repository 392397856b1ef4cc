"""`loopback serve`: the server."""

import asyncio
import errno
import logging
import signal
import socket
from pathlib import Path
from types import FrameType

import click
import uvicorn
import uvloop
from typing_extensions import override

from app.commands.home import database_of, make_data_dir, read_local_token, write_local_token
from app.core.logs import set_up_logs
from app.core.refusal import Refusal
from app.database.migrate import MigrationError, migrate
from app.gate.rest import connection_lines
from app.main import Application, create_app
from app.rest.listener import listen
from app.rest.protocol import AcknowledgingProtocol
from app.settings import Settings

log = logging.getLogger(__name__)

DRAIN_SECONDS = 2.5
GRACEFUL_SECONDS = 5


class Server(uvicorn.Server):
    """uvicorn, told to stop: first what is held ends well-formed, then the server does. A second signal ends it at once."""

    def __init__(self, config: uvicorn.Config, application: Application, *, welcome: bool, settings: Settings) -> None:
        super().__init__(config)
        self._application = application
        self._welcome = welcome
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._draining: asyncio.Task[None] | None = None

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._draining is not None:
            self.should_exit = self.force_exit = True
            return
        self._loop.call_soon_threadsafe(self._begin_to_drain)

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            await self._greet()

    def _begin_to_drain(self) -> None:
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            await asyncio.wait_for(self._application.drain(), DRAIN_SECONDS)
        except Exception as failure:
            log.warning("not everything ended in time: %s", type(failure).__name__)
        self.should_exit = True

    async def _greet(self) -> None:
        addresses = self._application.addresses
        lines = [f"ready {addresses.origin}{addresses.prefix}"]
        if self._welcome:
            code = await self._application.gate.sign_in_link()
            lines.append(f"Sign in: {addresses.sign_in(code)}")
            token = await self._local_token()
            lines += [command for _, command in connection_lines(addresses.mcp, token)]
        click.echo("\n".join(lines))

    async def _local_token(self) -> str:
        """The token of this machine's agents: the one that is kept, or a new one where that is no longer good."""
        gate = self._application.gate
        kept = read_local_token(self._settings)
        if kept is not None:
            try:
                await gate.recognise_token(kept, "cli")
            except Refusal:
                kept = None
        if kept is None:
            made = await gate.create_token(
                label="this machine", can_ask=True, can_reply=False, space="local", actor="local", by="cli", origin="cli"
            )
            kept = made.secret
            write_local_token(self._settings, kept)
        return kept


async def _serve(settings: Settings, listening: socket.socket, *, welcome: bool) -> None:
    assert settings.database_url is not None
    await migrate(settings.database_direct_url or settings.database_url)
    application = create_app(settings)
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
    await server.serve(sockets=[listening])
    if not server.started:
        raise click.ClickException("the server could not start: the log above says why")


def _listen(settings: Settings) -> socket.socket:
    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(
                f"port {settings.port} is taken, perhaps by another Loopback: name another with --port or LOOPBACK_PORT"
            ) from None
        raise click.ClickException(f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}") from None


@click.command(epilog="Example: loopback serve --port 8787 --data-dir ~/inbox")
@click.option("--host", help="The address to listen on. [127.0.0.1]")
@click.option("--port", type=int, help="The port to listen on; 0 takes a free one. [8787]")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Where the embedded database and the images are kept.")
@click.option("--welcome", is_flag=True, help="Print a sign-in link and the lines that connect agents.")
def serve(host: str | None, port: int | None, data_dir: Path | None, welcome: bool) -> None:
    """Run the inbox. Prints `ready http://…` once it serves; Ctrl-C ends it."""
    given = {"host": host, "port": port, "data_dir": data_dir}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})  # pyright: ignore
    set_up_logs(settings.log_level, settings.log_format)
    _warn_of_openness(settings)
    make_data_dir(settings.data_dir)
    listening = _listen(settings)
    settings = settings.model_copy(update={"port": listening.getsockname()[1]})
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(SystemExit(0)))
    try:
        with database_of(settings) as ready:
            uvloop.run(_serve(ready, listening, welcome=welcome))
    except (MigrationError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit(0) from None
    finally:
        listening.close()


def _warn_of_openness(settings: Settings) -> None:
    if settings.host in ("127.0.0.1", "::1", "localhost") or settings.public_url:
        return
    log.warning(
        "listening on %s without LOOPBACK_PUBLIC_URL: other machines can reach this port, but only requests to this machine's own "
        "names are answered, and over plain http tokens can be read on the way. Set LOOPBACK_PUBLIC_URL to the https address "
        "people use.",
        settings.host,
    )
