"""What is refused before a handler is reached: unknown paths and wrong methods."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.core.refusal import Refusal
from app.rest.problem import problem_response
from contract.problems import Code


async def refused(request: Request, refusal: Exception) -> Response:
    """A refusal as a response."""
    assert isinstance(refusal, Refusal)
    return problem_response(refusal)


async def not_served(request: Request, error: Exception) -> Response:
    """404 and 405 of the router, as problems."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        message = f"{request.method} is not for this address; it takes {allowed}"
        return problem_response(Refusal(Code.METHOD_NOT_ALLOWED, message), {"Allow": allowed} if allowed else None)
    return problem_response(Refusal(Code.NOT_FOUND, "there is nothing at this address: /api/v1/docs lists what there is"))


async def failed(request: Request, error: Exception) -> Response:
    """A bug: 500, and no detail. The log has it."""
    return problem_response(Refusal(Code.INTERNAL, "something is wrong with the server; its log says what"))
