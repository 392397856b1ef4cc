"""Binds a handler to an operation of the contract: what comes in is checked against it, what goes out is its message."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.core.refusal import Refusal
from app.rest.bodies import check_media_type, has_lone_surrogate, parse_json, read_body
from app.rest.faults import refusal_of
from app.rest.problem import json_response
from contract.base import Message
from contract.limits import BODY_BYTES
from contract.operations import BASE, Operation
from contract.problems import Code
from contract.upgrades import CURRENT, UnknownRevision, is_newer

C = TypeVar("C")

Enter = Callable[[Request], Awaitable[C]]
"""Recognises the caller, or refuses."""


@dataclass(frozen=True)
class Call(Generic[C]):
    """One request, checked: the caller, the parameters of the path, the query and the body."""

    caller: C
    path: dict[str, str]
    query: Any
    body: Any
    request: Request


Handler = Callable[[Call[C]], Awaitable[Message | str | Response]]


def bind(operation: Operation, handler: Handler[C], enter: Enter[C]) -> Route:
    """A route that serves the operation. A handler gives the operation's message, or its JSON, or a whole response."""
    takes = TypeAdapter[Any](operation.takes) if operation.takes not in (None, bytes) else None

    async def endpoint(request: Request) -> Response:
        check_revision(request)
        caller = await enter(request)
        _check_path(request)
        query = _query(operation, request)
        body = await _body(request, takes) if takes else None
        given = await handler(Call(caller, dict(request.path_params), query, body, request))
        if isinstance(given, Response):
            return given
        text = given if isinstance(given, str) else given.to_json()
        return json_response(text, operation.status, {"Cache-Control": "no-store"})

    return Route(BASE + operation.path, endpoint, methods=[operation.method], name=operation.name)


def check_revision(request: Request) -> None:
    """A client that writes a newer revision than this server is told to reload: 409."""
    named = request.headers.get("loopback-revision")
    if named is None:
        return
    try:
        newer = is_newer(named)
    except UnknownRevision:
        raise Refusal(Code.REVISION_INVALID, f"Loopback-Revision is {named[:40]!r}: this server writes {CURRENT}") from None
    if newer:
        raise Refusal(Code.RELOAD, f"this server writes revision {CURRENT}, older than the client's {named}: reload the page")


def _check_path(request: Request) -> None:
    for name, value in request.path_params.items():
        if "\x00" in value:
            raise Refusal(Code.REQUEST_INVALID, f"{name}: U+0000 is in no name here: leave it out")


def _query(operation: Operation, request: Request) -> Any:
    if operation.query is None:
        return None
    try:
        return operation.query.model_validate(dict(request.query_params))
    except ValidationError as error:
        raise refusal_of(error) from None


async def _body(request: Request, takes: TypeAdapter[Any]) -> Any:
    check_media_type(request)
    body = await read_body(request, BODY_BYTES)
    values = parse_json(body)
    try:
        return takes.validate_python(values) if has_lone_surrogate(body, values) else takes.validate_json(body, strict=True)
    except ValidationError as error:
        raise refusal_of(error) from None
