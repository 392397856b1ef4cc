"""Agents as they really call: the official MCP client, in either era."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, TextContent

ERAS = ("legacy", "2026-07-28")

CLAUDE = Implementation(name="claude-code", version="2.1.0")
"""A client without a limit of its own, so that calls wait as long as they need to."""


@contextlib.asynccontextmanager
async def agent(
    url: str,
    token: str,
    *,
    era: str = "2026-07-28",
    client_info: Implementation = CLAUDE,
    headers: dict[str, str] | None = None,
) -> AsyncIterator[Client]:
    """A connected agent."""
    sent = {"Authorization": f"Bearer {token}", **(headers or {})}
    async with httpx2.AsyncClient(headers=sent, timeout=httpx2.Timeout(30, read=300)) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport, mode=era, client_info=client_info) as client:  # pyright: ignore[reportArgumentType]
            yield client


def values_of(result: CallToolResult) -> dict[str, Any]:
    """What the tool gave, which stands in both places alike."""
    text = result.content[0]
    assert isinstance(text, TextContent)
    assert not result.is_error, text.text
    assert json.loads(text.text) == result.structured_content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def error_of(result: CallToolResult) -> str:
    """What a refused tool said."""
    text = result.content[0]
    assert result.is_error
    assert isinstance(text, TextContent)
    return text.text
