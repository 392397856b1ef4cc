"""Uploads as an MCP tool."""

from app.mcp.server import BoundTool, ToolCall
from app.uploads.service import Uploads
from contract.agents import UploadTicket
from contract.tools import REQUEST_UPLOAD


class UploadsTools:
    """The tool."""

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads

    def bound(self) -> list[BoundTool]:
        """The tool with what serves it."""
        return [BoundTool(REQUEST_UPLOAD, self.request_upload)]

    async def request_upload(self, call: ToolCall) -> UploadTicket:
        """A place to upload one image to."""
        return await self._uploads.issue(call.caller, call.input.content_type)
