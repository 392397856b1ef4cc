"""The ASGI wrapper around the SDK's transport: who calls, in which session, and whether they are still there.

The SDK alone does not notice a client of the handshake era that hangs up, answers half a character with a parse error, and forgets every
session when it restarts.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from typing import Any, cast
from urllib.parse import parse_qs

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.core.refusal import Refusal
from app.mcp.caps import longest_wait
from app.mcp.line import SCOPE_KEY, Line
from app.mcp.sessions import Session, Sessions
from app.rest.bodies import read_body
from app.rest.problem import json_response
from contract.limits import INPUT_BYTES

log = logging.getLogger(__name__)

BODY_BYTES = 4 * 1024 * 1024
SESSION_HEADER = "mcp-session-id"
VERSION_HEADER = "mcp-protocol-version"
CLIENT_META = "io.modelcontextprotocol/clientInfo"
HALF_A_CHARACTER = "a lone surrogate is half of a character: send the whole character, or leave it out"
FAULTS = 20

Enter = Callable[[HTTPConnection], Awaitable[Any]]


class Wire:
    """Serves `/mcp`, with and without the slash."""

    def __init__(self, app: ASGIApp, *, enter: Enter, sessions: Sessions) -> None:
        self._app = app
        self._enter = enter
        self._sessions = sessions
        self._settling: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        caller = await self._enter(request)
        named = request.headers.get(SESSION_HEADER)
        session = self._sessions.read(named) if named is not None else None
        if named is not None and session is None:
            await _error(404, -32600, "this session has ended: initialize a new one")(scope, receive, send)
            return
        if request.method == "DELETE" and session is not None:
            self._sessions.end(session)
            await Response(status_code=204)(scope, receive, send)
            return
        if request.method != "POST":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        try:
            body = await read_body(request, BODY_BYTES)
            message: Any = json.loads(body)
            halves = list(islice(_half_characters(message), FAULTS))
        except Refusal as refusal:
            words = f"{refusal.message}; the input of one call is at most {INPUT_BYTES:,} bytes: split it"
            await _error(refusal.status, -32600, words)(scope, receive, send)
            return
        except (ValueError, RecursionError):
            await _error(400, -32700, "the body is not JSON that can be read")(scope, receive, send)
            return
        fault = "; ".join(f"{path}: {HALF_A_CHARACTER}" for path in halves) or None
        if fault is not None:
            body = json.dumps(_scrubbed(message)).encode()
        await self._serve(scope, receive, send, request, caller, session, body, message, fault)

    async def _serve(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        request: Request,
        caller: Any,
        session: Session | None,
        body: bytes,
        message: Any,
        fault: str | None,
    ) -> None:
        params = _object(_object(message).get("params"))
        client = _client_of(_object(_object(params.get("_meta")).get(CLIENT_META)) or _object(params.get("clientInfo")))
        client = client or (session.client if session else None)
        override = request.headers.get("loopback-max-wait") or _query(scope, "max_wait")
        line = Line(
            send,
            caller=caller,
            client=client,
            longest=longest_wait(client, override),
            extensions=scope.get("extensions", {}),
            fault=fault,
        )
        if _object(message).get("method") == "initialize":
            line.new_session = self._sessions.sign(client, _spoken(params.get("protocolVersion")))
        inner = _inner_scope(scope, session, line)
        try:
            await self._app(inner, _replay(body, receive, line), line.send)
        finally:
            line.hang_up()
        self._settle(line)

    def _settle(self, line: Line) -> None:
        task = asyncio.create_task(_logged(line))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)

    async def settled(self) -> None:
        """Wait until every answer's fate is known: a few seconds at most."""
        await asyncio.gather(*self._settling, return_exceptions=True)


def _inner_scope(scope: Scope, session: Session | None, line: Line) -> Scope:
    """The request as the SDK sees it: stateless, its version known where the client leaves it out."""
    inner: dict[str, Any] = {**scope, "path": "/", "raw_path": b"/", "root_path": "", SCOPE_KEY: line}
    headers = MutableHeaders(raw=[pair for pair in scope["headers"] if pair[0] != SESSION_HEADER.encode()])
    if session and session.protocol and VERSION_HEADER not in headers:
        headers[VERSION_HEADER] = session.protocol
    for name in (VERSION_HEADER, "mcp-method", "mcp-name"):
        values = headers.getlist(name)
        if len(values) == 1:
            headers[name] = values[0].strip()
    inner["headers"] = headers.raw
    return inner


def _replay(body: bytes, receive: Receive, line: Line) -> Receive:
    """The body that was read, then whatever comes; a hang-up is noticed on the way."""
    replayed = False

    async def replay() -> Message:
        nonlocal replayed
        if not replayed:
            replayed = True
            return {"type": "http.request", "body": body, "more_body": False}
        message = await receive()
        if message["type"] == "http.disconnect":
            line.hang_up()
        return message

    return replay


def _client_of(info: dict[str, Any]) -> str | None:
    """`claude-code 2.1.0`, of what the client says of itself: one line, printable."""
    words = " ".join(str(info.get(key, "")) for key in ("name", "version") if isinstance(info.get(key), str))
    printable = "".join(each if each.isprintable() else " " for each in words.encode("utf-8", "replace").decode())
    return " ".join(printable.split())[:100] or None


def _half_characters(value: Any, path: str = "") -> Iterator[str]:
    """Every place in the arguments (or anywhere else) that holds a lone surrogate."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            yield path or "the message"
    elif isinstance(value, dict):
        for key, each in cast("dict[str, Any]", value).items():
            inner = "" if path == "" and key in ("params", "arguments") else f"{path}.{key}".lstrip(".")
            yield from _half_characters(key, inner)
            yield from _half_characters(each, inner)
    elif isinstance(value, list):
        for index, each in enumerate(cast("list[Any]", value)):
            yield from _half_characters(each, f"{path}[{index}]")


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_scrubbed(key): _scrubbed(each) for key, each in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_scrubbed(each) for each in cast("list[Any]", value)]
    return value


def _error(status: int, code: int, message: str) -> Response:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return json_response(json.dumps(body), status)


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _spoken(requested: Any) -> str:
    """The version that the client will speak: the one it asked for, or else the latest that the SDK offers it instead."""
    return requested if requested in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION


def _query(scope: Scope, name: str) -> str | None:
    values = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(name)
    return values[-1] if values else None


async def _logged(line: Line) -> None:
    try:
        await line.settle()
    except Exception as failure:
        log.warning("a delivery could not be noted; the reply will be given again: %s", type(failure).__name__)
