"""From a request's headers to its caller: a bearer that is sent decides alone, whatever cookie stands beside it."""

from starlette.requests import HTTPConnection

from app.core.addresses import Addresses
from app.core.refusal import Refusal
from app.gate.caller import Caller, Right
from app.gate.service import Gate
from contract.problems import Code

SESSION_HEADER = "loopback-session"

SAFE = frozenset({"GET", "HEAD"})


class Door:
    """Recognises whoever stands before it."""

    def __init__(self, gate: Gate, addresses: Addresses) -> None:
        self._gate = gate
        self._addresses = addresses

    @property
    def cookie(self) -> str:
        """The cookie's name. Cookies ignore ports, so it is this instance's own."""
        return f"loopback_{self._gate.instance}"

    async def enter(self, request: HTTPConnection) -> Caller:
        """The caller of a request: a token, or a session with both its halves."""
        bearer = _bearer(request)
        if bearer is not None:
            return await self._gate.recognise_token(bearer, peer(request))
        cookie, half = request.cookies.get(self.cookie), request.headers.get(SESSION_HEADER)
        if not cookie or not half:
            raise Refusal(
                Code.UNAUTHORIZED,
                "no credentials: send Authorization: Bearer TOKEN, or sign this browser in (`loopback sign-in`)",
            )
        caller = await self._gate.recognise_session(cookie, half, peer(request))
        if request.scope.get("method", "GET") not in SAFE:
            self._check_write(request)
        return caller

    async def enter_for_image(self, request: HTTPConnection) -> Caller:
        """As `enter`, but a session's cookie alone is enough: an image element sends no headers."""
        cookie = request.cookies.get(self.cookie)
        if _bearer(request) is None and cookie and not request.headers.get(SESSION_HEADER):
            if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                raise Refusal(Code.FORBIDDEN, "images are shown to this inbox's own pages only")
            return await self._gate.recognise_session(cookie, None, peer(request))
        return await self.enter(request)

    async def enter_by_session(self, request: HTTPConnection) -> Caller:
        """Only a signed-in browser."""
        caller = await self.enter(request)
        caller.must(Right.SESSION)
        return caller

    async def enter_to_ask(self, request: HTTPConnection) -> Caller:
        """Only a token that may ask; a browser's session is none."""
        if _bearer(request) is None and not request.headers.get(SESSION_HEADER):
            raise Refusal(Code.UNAUTHORIZED, "agents send Authorization: Bearer TOKEN: make one with `loopback token create`")
        caller = await self.enter(request)
        caller.must(Right.ASK)
        return caller

    async def check_credential(self, credential: str) -> None:
        """Refuse what was issued to a credential that has ended since."""
        if await self._gate.ended([credential]):
            raise Refusal(Code.UNAUTHORIZED, "the credential that this was issued to has ended: sign in, or send another token")

    def check_origin(self, request: HTTPConnection) -> None:
        """Refuse a page of another origin, and `null`. A client that is no browser sends no Origin."""
        origin = request.headers.get("origin")
        if origin is not None and not self._addresses.is_same_origin(origin, request.headers.get("host", "")):
            raise Refusal(Code.FORBIDDEN, f"a page of {origin[:100]!r} is not this inbox")

    def check_same_origin(self, request: HTTPConnection) -> None:
        """Refuse what a browser did not send from one of our own pages."""
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        if site is None and origin is None:
            raise Refusal(Code.FORBIDDEN, "this is for the inbox's own pages: a browser says where a request comes from")
        if site is not None and site != "same-origin":
            raise Refusal(Code.FORBIDDEN, "this came from another site's page")
        self.check_origin(request)

    def _check_write(self, request: HTTPConnection) -> None:
        if "loopback-revision" not in request.headers:
            raise Refusal(Code.FORBIDDEN, "a browser's writes name the revision they are of: send Loopback-Revision")
        self.check_same_origin(request)


def peer(request: HTTPConnection) -> str:
    """The peer's address."""
    return request.client.host if request.client else ""


def _bearer(request: HTTPConnection) -> str | None:
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Refusal(Code.UNAUTHORIZED, "send Authorization: Bearer TOKEN")
    return secret.strip()
