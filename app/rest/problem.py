"""A refusal on the wire."""

from starlette.responses import Response

from app.core.refusal import Refusal
from contract.problems import STATUS, Code, Problem


def json_response(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A response whose body is JSON already."""
    return Response(body, status_code=status, headers=headers, media_type="application/json")


def problem_response(refusal: Refusal, headers: dict[str, str] | None = None) -> Response:
    """The status that belongs to the refusal's code, with a `Problem` as the body."""
    more = {"WWW-Authenticate": "Bearer"} if refusal.code is Code.UNAUTHORIZED else {}
    body = Problem(code=refusal.code, message=refusal.message).to_json()
    return json_response(body, STATUS[refusal.code], {"Cache-Control": "no-store", **more, **(headers or {})})
