"""Which server a command talks to, and with which token."""

from dataclasses import dataclass
from urllib.parse import urlsplit

import click

from app.commands.failures import NotReached
from app.commands.running import running_server
from app.core.addresses import LOCAL_NAMES
from app.settings import Settings


@dataclass(frozen=True)
class Target:
    """A server."""

    url: str
    """Without a slash at its end."""

    is_ours: bool
    """Whether it is the one that keeps its data in this machine's data folder."""


def find_server(settings: Settings) -> Target:
    """The server of LOOPBACK_URL, else the one that runs on this machine's data folder."""
    running = running_server(settings.data_dir)
    if settings.url:
        url = _base(settings.url)
        ours = running is not None and any(_same(url, each) for each in (running.url, running.public_url))
        return Target(running.url if running is not None and ours else url, ours)
    if running is None:
        raise NotReached(
            f"no server runs on {settings.data_dir}: start it with `loopback serve`, name its folder with --data-dir, "
            "or set LOOPBACK_URL to the address of another"
        )
    return Target(running.url, is_ours=True)


def asking_token(settings: Settings, target: Target) -> str:
    """The token of LOOPBACK_TOKEN, else this machine's own, which may ask and read."""
    if settings.token:
        return settings.token
    if not target.is_ours:
        raise missing_token(target, can="ask")
    from app.commands.home import local_token

    return local_token(settings)


def missing_token(target: Target, *, can: str) -> click.UsageError:
    """What to do where there is no token for a server elsewhere."""
    return click.UsageError(
        f"LOOPBACK_TOKEN is not set: make a token for {target.url} where that server runs, "
        f"with `loopback token create --label NAME --can {can}`"
    )


def is_near(url: str) -> bool:
    """Whether the address is this machine's own: no proxy stands between."""
    return urlsplit(url).hostname in LOCAL_NAMES


def _base(url: str) -> str:
    url = url.strip().rstrip("/").removesuffix("/mcp")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise click.UsageError("LOOPBACK_URL: it looks like http://127.0.0.1:8787 or https://inbox.example.com/path")
    return url


def _same(one: str, other: str) -> bool:
    return _place(one) == _place(other)


def _place(url: str) -> tuple[str, str, int, str]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, "127.0.0.1" if host in LOCAL_NAMES else host, port, parts.path.rstrip("/")
