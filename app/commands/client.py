"""The commands' side of the REST API."""

import json
from types import TracebackType
from typing import Any, Self

import httpx2

from app import __version__
from app.commands.failures import NotReached, SaidNo
from app.commands.reaching import is_near
from app.commands.words import visible
from contract.operations import BASE
from contract.upgrades import CURRENT

SECONDS = 30.0
CONNECT_SECONDS = 5.0
TRIES = 3
"""How often a request that may be repeated is sent when its connection is cut."""


def headers_of(token: str) -> dict[str, str]:
    """What every request of a command carries."""
    return {"Authorization": f"Bearer {token}", "Loopback-Revision": CURRENT, "User-Agent": f"loopback/{__version__}"}


class Client:
    """A server's REST API. What it refuses is raised as `SaidNo` in its own words."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._http = httpx2.Client(
            headers=headers_of(token),
            timeout=httpx2.Timeout(SECONDS, connect=CONNECT_SECONDS),
            trust_env=not is_near(url),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._http.close()

    def get(self, path: str, **query: Any) -> Any:
        """Read something."""
        return self._send("GET", path, params={name: value for name, value in query.items() if value is not None})

    def post(self, path: str, body: dict[str, Any], *, key: str) -> Any:
        """Do something, once: sent again with the same Idempotency-Key, it is the same."""
        return self._send("POST", path, json=body, headers={"Idempotency-Key": key})

    def _send(self, method: str, path: str, **what: Any) -> Any:
        for attempt in range(1, TRIES + 1):
            try:
                return self._read(self._http.request(method, f"{self._url}{BASE}{path}", **what))
            except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
                raise not_reached(self._url, error) from None
            except httpx2.TransportError as error:
                if attempt == TRIES:
                    raise not_reached(self._url, error) from None
        raise AssertionError("the last try returns or raises")

    def _read(self, response: httpx2.Response) -> Any:
        if "loopback-revision" not in response.headers:
            raise something_else(self._url)
        if response.is_success:
            return response.json()
        raise SaidNo(visible(message_of(response) or f"the server answered {response.status_code}"))


def message_of(response: httpx2.Response) -> str | None:
    """What a refusal says, be it a Problem or an error of MCP."""
    try:
        body: Any = json.loads(response.content)
        error = body.get("error", body)
        message = error.get("message")
    except (ValueError, AttributeError):
        return None
    return message if isinstance(message, str) else None


def not_reached(url: str, error: Exception) -> NotReached:
    """The server does not answer."""
    said = str(error) or type(error).__name__
    return NotReached(f"the server at {url} does not answer ({said}): is it running, and is LOOPBACK_URL right?")


def something_else(url: str) -> NotReached:
    """Somebody answers, but not a Loopback."""
    return NotReached(f"what answers at {url} is not a Loopback server: check LOOPBACK_URL")
