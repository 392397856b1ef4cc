"""What is refused before a handler is reached: unknown paths and wrong methods. And what a bug leaves in the log."""

import traceback
from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from app.core.refusal import Refusal
from app.rest.problem import problem_response
from contract.problems import Code


async def refused(request: Request, refusal: Exception) -> Response:
    """A refusal as a response."""
    assert isinstance(refusal, Refusal)
    return problem_response(refusal)


def not_served(page: Callable[[Request], Response | None]) -> Callable[[Request, Exception], Awaitable[Response]]:
    """404 and 405 of the router: a page where `page` has one for this request, else a problem."""

    async def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return (page(request) if error.status_code == 404 else None) or _problem(request, error)

    return answer


def _problem(request: Request, error: HTTPException) -> Response:
    if error.status_code == 405:
        allowed = ", ".join(sorted(_methods_of(request)))
        message = f"{request.method} is not for this address; it takes {allowed}"
        return problem_response(Refusal(Code.METHOD_NOT_ALLOWED, message), {"Allow": allowed})
    return problem_response(Refusal(Code.NOT_FOUND, "there is nothing at this address: /api/v1/docs lists what there is"))


async def failed(request: Request, error: Exception) -> Response:
    """A bug: 500, and no detail. The log has it."""
    return problem_response(Refusal(Code.INTERNAL, "something is wrong with the server; its log says what"))


def where_of(error: BaseException) -> str:
    """What was raised and where, for the log: without the error's own words, which may quote what agents and people wrote."""
    parts: list[str] = []
    each: BaseException | None = error
    while each is not None:
        frames = "".join(traceback.format_tb(each.__traceback__))
        parts.append(f"{type(each).__module__}.{type(each).__qualname__}\n{frames}")
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    return "because of ".join(parts)


def _methods_of(request: Request) -> set[str]:
    """What the address takes. Several routes may share one, each for a method of its own."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    return {method for route in routes if route.matches(request.scope)[0] is not Match.NONE for method in route.methods or ()}
