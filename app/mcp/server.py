"""Binds coroutines to the contract's tools, and serves them with the official SDK: both protocol eras from one endpoint."""

import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from app.core.refusal import Refusal
from app.mcp.arguments import read_arguments
from app.mcp.line import SCOPE_KEY, Line
from app.mcp.schemas import Schema, input_schema, output_schema
from app.mcp.sessions import Sessions
from app.mcp.wire import BODY_BYTES, Enter, Wire
from contract.base import Message
from contract.problems import Code
from contract.tools import TOOLS, Tool

log = logging.getLogger(__name__)

INSTRUCTIONS = (
    "Loopback puts your questions, reviews and briefings before a person, in their inbox, and hands you their reply. Ask here whenever you "
    "need a decision, a verdict on work, or facts that only they know, instead of guessing or stopping. A person may take minutes or hours: "
    "leave the call running. If a result says waiting: true, there is no reply yet; the ask stays open and nothing is lost: go on with "
    "other work or call wait_for_reply with its askId. Never ask the same thing twice in other words: the same call again joins the open "
    "ask. After a call was cut off or a session restarted, list_asks finds your asks. If your client runs calls in the background and marks "
    "their results as not from the user, call wait_for_reply with the askId before you act on an approval: what it returns is the person's "
    "own reply. A reply of dismissed means they declined: do not ask again. A follow_up is their question to you: answer with "
    "answer_follow_up; points of a briefing with answer_briefing. Show images by request_upload, then an image block."
)


@dataclass(frozen=True)
class ToolCall:
    """One call, checked: the caller, the input, and the client's end of the line."""

    caller: Any
    input: Any
    line: Line
    progress: Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class BoundTool:
    """A tool of the contract and what serves it. What it gives is a message, or its values."""

    tool: Tool
    serve: Callable[[ToolCall], Awaitable[Message | dict[str, Any]]]


class McpServer:
    """The MCP endpoint."""

    def __init__(self, tools: Sequence[BoundTool], *, enter: Enter, sessions: Sessions, version: str) -> None:
        self._tools = {bound.tool.name: bound for bound in tools}
        self._inputs: dict[str, Schema] = {name: input_schema(bound.tool) for name, bound in self._tools.items()}
        listed = [tool for tool in TOOLS if tool.name in self._tools]
        self._listed = types.ListToolsResult(tools=[_listed(tool, self._inputs[tool.name]) for tool in listed])
        server: Server[Any] = Server(
            "loopback",
            version=version,
            title="Loopback",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
            get_tool_input_schema=self._inputs.get,
        )
        self._manager = StreamableHTTPSessionManager(
            app=server, stateless=True, json_response=False, max_request_body_size=BODY_BYTES
        )
        self.wire = Wire(StreamableHTTPASGIApp(self._manager), enter=enter, sessions=sessions)

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Serve until the end of the block."""
        async with self._manager.run():
            yield
            await self.wire.settled()

    async def _list(self, ctx: ServerRequestContext[Any], params: Any) -> types.ListToolsResult:
        return self._listed

    async def _call(self, ctx: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        line: Line = ctx.request.scope[SCOPE_KEY]  # pyright: ignore[reportOptionalMemberAccess]
        bound = self._tools.get(params.name)
        if bound is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name!r}: tools/list names them")
        try:
            values = await self._serve(bound, line, params.arguments, ctx)
        except Refusal as refusal:
            return types.CallToolResult(content=[types.TextContent(type="text", text=refusal.message)], is_error=True)
        except Exception:
            log.exception("the tool %s failed", params.name)
            text = "Something is wrong with the inbox's server. Nothing that was asked is lost: make the same call again in a while."
            return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
        return _result(values)

    async def _serve(
        self, bound: BoundTool, line: Line, arguments: Mapping[str, Any] | None, ctx: ServerRequestContext[Any]
    ) -> dict[str, Any]:
        if line.fault is not None:
            raise Refusal(Code.REQUEST_INVALID, line.fault)
        input = read_arguments(bound.tool.takes, self._inputs[bound.tool.name], arguments)

        async def progress(waited: float) -> None:
            await line.commit()
            await ctx.session.report_progress(round(waited, 1), None, _said(waited))

        given = await bound.serve(ToolCall(line.caller, input, line, progress))
        return given.to_dict() if isinstance(given, Message) else given


def _result(values: dict[str, Any]) -> types.CallToolResult:
    """The same in `content` and in `structuredContent`: some clients show the model only the one, some only the other."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=values)


def _said(waited: float) -> str:
    minutes = int(waited // 60)
    since = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min" if minutes else f"{int(waited)} s"
    return f"Waiting for the person, {since}"


def _listed(tool: Tool, schema: Schema) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema,
        output_schema=output_schema(tool),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=not (tool.opens or tool.name.startswith("answer_") or tool.name == "request_upload"),
            destructive_hint=False,
            idempotent_hint=tool.name != "request_upload",
            open_world_hint=True,
        ),
    )
