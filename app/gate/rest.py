"""`/inbox/api`: what the bundled page needs beside the contract. For signed-in browsers only."""

import json
import shlex
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.core.addresses import Addresses
from app.gate.door import Door, peer
from app.gate.service import SESSION_SECONDS, Gate
from app.rest.binding import check_revision
from app.rest.bodies import check_media_type, parse_json, read_body
from app.rest.faults import refusal_of
from app.rest.problem import json_response
from contract.upgrades import CURRENT

BASE = "/inbox/api"
LIMIT = 64 * 1024


class Redeem(BaseModel):
    """A sign-in link's code, on a press."""

    code: str = Field(min_length=1, max_length=200)


class GateRest:
    """The session, and how to connect an agent."""

    def __init__(self, gate: Gate, door: Door, addresses: Addresses, *, build: str, token: Callable[[], str | None]) -> None:
        self._gate = gate
        self._door = door
        self._addresses = addresses
        self._build = build
        self._token = token

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route(f"{BASE}/session", self._checked(self.redeem), methods=["POST"]),
            Route(f"{BASE}/session", self._checked(self.session), methods=["GET"]),
            Route(f"{BASE}/session", self._checked(self.sign_out), methods=["DELETE"]),
            Route(f"{BASE}/connections", self._checked(self.connections), methods=["GET"]),
        ]

    async def redeem(self, request: Request) -> Response:
        """Sign this browser in: 201 with the session's second half, and its cookie."""
        self._door.check_same_origin(request)
        check_media_type(request)
        try:
            code = Redeem.model_validate(parse_json(await read_body(request, LIMIT))).code
        except ValidationError as error:
            raise refusal_of(error) from None
        browser = request.headers.get("user-agent", "")
        session = await self._gate.redeem(code, browser=browser, origin=peer(request))
        body = {"half": session.half, "space": session.space, "actor": session.actor.to_dict()}
        response = _json(body, 201)
        response.set_cookie(
            self._door.cookie,
            session.cookie,
            max_age=SESSION_SECONDS,
            path=self._addresses.prefix or "/",
            secure=self._addresses.is_secure,
            httponly=True,
            samesite="strict",
        )
        return response

    async def session(self, request: Request) -> Response:
        """Who this browser is signed in as, and where."""
        caller = await self._door.enter_by_session(request)
        return _json(
            {
                "space": caller.space,
                "actor": caller.actor.to_dict(),
                "publicUrl": self._addresses.inbox(),
                "mcpUrl": self._addresses.mcp,
                "revision": CURRENT,
                "build": self._build,
            }
        )

    async def sign_out(self, request: Request) -> Response:
        """Sign this browser out."""
        caller = await self._door.enter_by_session(request)
        await self._gate.end_session(caller)
        response = Response(status_code=204)
        response.delete_cookie(self._door.cookie, path=self._addresses.prefix or "/")
        return response

    async def connections(self, request: Request) -> Response:
        """The line that connects each client, with a token that works where this server keeps one for its own machine."""
        await self._door.enter_by_session(request)
        lines = connection_lines(self._addresses.mcp, self._token() or "TOKEN")
        return _json({"lines": [{"client": client, "command": command} for client, command in lines]})

    def _checked(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            check_revision(request)
            return await handler(request)

        return endpoint


def connection_lines(mcp: str, token: str) -> list[tuple[str, str]]:
    """For each client, the command that connects it to this inbox."""
    return [
        (
            "Claude Code",
            f'claude mcp add --transport http --scope user loopback {shlex.quote(mcp)} --header "Authorization: Bearer {token}"',
        ),
        (
            "Codex",
            f"export LOOPBACK_TOKEN={shlex.quote(token)} && codex mcp add loopback --url {shlex.quote(mcp)} "
            "--bearer-token-env-var LOOPBACK_TOKEN",
        ),
        (
            "Gemini CLI",
            f'gemini mcp add --transport http --scope user loopback {shlex.quote(mcp)} --header "Authorization: Bearer {token}"',
        ),
    ]


def _json(body: dict[str, Any], status: int = 200) -> Response:
    return json_response(json.dumps(body, ensure_ascii=False), status, {"Cache-Control": "no-store"})
