"""`loopback serve`: the server."""

import errno
import logging
import signal
import socket
from pathlib import Path

import click

from app.commands.options import data_dir_option, read_settings
from app.settings import Settings

log = logging.getLogger(__name__)


@click.command(epilog="Example: loopback serve --port 8787 --data-dir ~/inbox")
@click.option("--host", help="The address to listen on. [127.0.0.1]")
@click.option("--port", type=int, help="The port to listen on; 0 takes a free one. [8787]")
@data_dir_option
@click.option("--welcome", is_flag=True, help="Print a sign-in link and the lines that connect agents.")
def serve(host: str | None, port: int | None, data_dir: Path | None, welcome: bool) -> None:
    """Run the inbox. Prints `ready http://…` once it serves; Ctrl-C ends it."""
    signal.signal(signal.SIGTERM, _end)
    try:
        _run(read_settings(host=host, port=port, data_dir=data_dir), welcome=welcome)
    except KeyboardInterrupt:
        raise SystemExit(0) from None


def _run(settings: Settings, *, welcome: bool) -> None:
    from app.commands.home import addresses_of, database_of, make_data_dir
    from app.commands.server import run_server
    from app.core.logs import set_up_logs

    set_up_logs(settings.log_level, settings.log_format)
    addresses_of(settings)
    _warn_of_openness(settings)
    if settings.blobs == "file":
        make_data_dir(settings.data_dir)
    with _listen(settings) as listening:
        settings = settings.model_copy(update={"port": listening.getsockname()[1]})
        with database_of(settings) as ready:
            run_server(ready, listening, welcome=welcome)


def _listen(settings: Settings) -> socket.socket:
    from app.rest.listener import listen

    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(
                f"port {settings.port} is taken, perhaps by another Loopback: name another with --port or LOOPBACK_PORT"
            ) from None
        raise click.ClickException(
            f"cannot listen on {settings.host}:{settings.port} ({error.strerror or error}): "
            "see --host and --port, or LOOPBACK_HOST and LOOPBACK_PORT"
        ) from None


def _warn_of_openness(settings: Settings) -> None:
    if settings.host in ("127.0.0.1", "::1", "localhost") or settings.public_url:
        return
    log.warning(
        "listening on %s without LOOPBACK_PUBLIC_URL: other machines can reach this port, but only requests to this machine's own "
        "names are answered, and over plain http tokens can be read on the way. Set LOOPBACK_PUBLIC_URL to the https address "
        "people use.",
        settings.host,
    )


def _end(*_: object) -> None:
    """SIGTERM while the server is not serving yet, or no more. While it serves, uvicorn's handler stands in its place."""
    raise SystemExit(0)
