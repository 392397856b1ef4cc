"""Uploads over REST: storing an image by its one-time address, and reading one."""

from starlette.responses import Response
from starlette.routing import Route

from app.core.refusal import Refusal
from app.gate.caller import Caller
from app.gate.door import peer
from app.rest.binding import Call, Enter, bind
from app.rest.bodies import read_body
from app.uploads.rules.images import check_declared, check_size
from app.uploads.service import Uploads
from contract.events import UploadReceipt
from contract.operations import READ_FILE, STORE_UPLOAD
from contract.problems import Code

FILE_HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Disposition": "inline",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}


class UploadsRest:
    """Routes."""

    def __init__(self, uploads: Uploads, enter_for_image: Enter[Caller]) -> None:
        self._uploads = uploads
        self._enter_for_image = enter_for_image

    def routes(self) -> list[Route]:
        """The operations."""
        return [bind(STORE_UPLOAD, self.store, _anyone), bind(READ_FILE, self.read, self._enter_for_image)]

    async def store(self, call: Call[None]) -> UploadReceipt:
        """An image, against its ticket. The address is the credential."""
        request = call.request
        ticket = await self._uploads.admit(call.path["spaceId"], call.path["token"])
        check_declared(request.headers.get("content-type"), ticket.content_type)
        if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise Refusal(Code.UNSUPPORTED_MEDIA_TYPE, "send the image as it is, without Content-Encoding")
        data = await read_body(request, ticket.max_bytes, check=check_size)
        return await self._uploads.store(ticket, data, peer(request))

    async def read(self, call: Call[Caller]) -> Response:
        """An image, as it was stored."""
        content_type, data = await self._uploads.read(call.caller, call.path["uploadId"])
        return Response(data, headers=FILE_HEADERS, media_type=content_type)


async def _anyone(request: object) -> None:
    return None
