"""What every request passes, outermost first: the headers of every response, our own hosts only, the path's prefix."""

import logging
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.core.addresses import Addresses
from app.core.refusal import Refusal
from app.rest.errors import where_of
from app.rest.problem import problem_response
from contract.problems import Code
from contract.upgrades import CURRENT

log = logging.getLogger(__name__)

SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class OurHeaders:
    """Names the code that answered on every response and on the socket's handshake; anything raised becomes a Problem."""

    def __init__(self, app: ASGIApp, *, build: str) -> None:
        self._app = app
        self._named = {"Loopback-Revision": CURRENT, "Loopback-Build": build}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        started = finished = unrouted = False

        async def send_named(message: Message) -> None:
            nonlocal started, finished, unrouted
            if message["type"] == "websocket.close" and not started:
                # The router's word for a socket at an address that has none.
                unrouted = True
                return
            if message["type"] in ("http.response.start", "websocket.accept", "websocket.http.response.start"):
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in self._named.items():
                    headers[name] = value
                if message["type"] == "http.response.start":
                    for name, value in SECURITY_HEADERS.items():
                        headers.setdefault(name, value)
            elif message["type"] == "http.response.body":
                finished = not message.get("more_body", False)
            await send(message)

        try:
            await self._app(scope, receive, send_named)
            if unrouted:
                raise Refusal(Code.NOT_FOUND, "there is no socket at this address")
        except Refusal as refusal:
            await self._refuse(scope, receive, send_named, refusal, started)
        except Exception as error:
            log.error("unhandled, answering 500: %s", where_of(error))
            if not finished:
                refusal = Refusal(Code.INTERNAL, "something is wrong with the server; its log says what")
                await self._refuse(scope, receive, send_named, refusal, started)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, refusal: Refusal, started: bool) -> None:
        if started:
            raise ConnectionAbortedError("the response had begun") from None
        await problem_response(refusal)(scope, receive, send)


class OurHosts:
    """Answers only to our own names (421 `host.unknown`), and takes the public URL's path off where a proxy left it on."""

    def __init__(self, app: ASGIApp, *, addresses: Addresses) -> None:
        self._app = app
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            host = Headers(scope=scope).get("host", "")
            if not self._addresses.is_ours(host):
                raise Refusal(
                    Code.HOST_UNKNOWN,
                    f"this server does not answer to {host[:100]!r}: set LOOPBACK_PUBLIC_URL to the address it is reached by",
                )
            scope = self._without_prefix(scope)
        await self._app(scope, receive, send)

    def _without_prefix(self, scope: Scope) -> Scope:
        prefix = self._addresses.prefix
        path: str = scope["path"]
        if not prefix or not (path == prefix or path.startswith(prefix + "/")):
            return scope
        rest = path[len(prefix) :] or "/"
        changed: dict[str, Any] = {**scope, "path": rest, "raw_path": rest.encode()}
        return changed
