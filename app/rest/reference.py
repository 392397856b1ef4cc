"""The contract as served, and its reference page: both open, both made of the contract's own words."""

import base64
import hashlib
import json
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.rest.problem import json_response
from contract.openapi import openapi
from contract.operations import BASE

_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem}"
    "code,pre{font-family:ui-monospace,monospace;font-size:.9em}dt{margin-top:.7rem}h2{margin-top:2.5rem}"
    "section{border-top:1px solid #8884;padding:.5rem 0}.method{font-weight:700}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Reference:
    """`openapi.json` and `docs`."""

    def __init__(self) -> None:
        document = openapi()
        self._json = json.dumps(document, ensure_ascii=False, indent=1)
        self._page = _page(document)

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route(f"{BASE}/openapi.json", self.document, methods=["GET"], name="openapi"),
            Route(f"{BASE}/docs", self.docs, methods=["GET"], name="docs"),
        ]

    async def document(self, request: Request) -> Response:
        """The contract as an OpenAPI document."""
        return json_response(self._json)

    async def docs(self, request: Request) -> Response:
        """The reference page."""
        return Response(self._page, headers={"Content-Security-Policy": _POLICY}, media_type="text/html")


def _page(document: dict[str, Any]) -> str:
    info = document["info"]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>{escape(info['title'])} API, revision {escape(info['version'])}</title><style>{_STYLE}</style>",
        f"<h1>{escape(info['title'])} API, revision {escape(info['version'])}</h1>",
        *(f"<p>{_prose(paragraph)}</p>" for paragraph in info["description"].split("\n\n")),
        "<p><a href=openapi.json>openapi.json</a></p><h2>Operations</h2>",
    ]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            answers = ", ".join(f"{status} {_names(response)}" for status, response in operation["responses"].items())
            parts.append(
                f"<section><h3><span class=method>{method.upper()}</span> <code>{escape(BASE + path)}</code></h3>"
                f"<p>{_prose(operation['description'])}</p><p>Takes {_names(operation.get('requestBody', {})) or 'no body'}. "
                f"Gives {answers}.</p></section>"
            )
    parts.append("<h2>Messages</h2>")
    parts += [_message(name, schema) for name, schema in document["components"]["schemas"].items()]
    return "".join(parts)


def _message(name: str, schema: dict[str, Any]) -> str:
    fields = "".join(
        f"<dt><code>{escape(field)}</code> {_type(inner)}{'' if field in schema.get('required', ()) else ', may be absent'}</dt>"
        f"<dd>{_prose(inner.get('description', ''))}</dd>"
        for field, inner in schema.get("properties", {}).items()
    )
    shape = f"<dl>{fields}</dl>" if fields else f"<p>{_type(schema)}</p>"
    return f"<section id={escape(name)}><h3>{escape(name)}</h3><p>{_prose(schema.get('description', ''))}</p>{shape}</section>"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[-1])
        return f"<a href='#{name}'>{name}</a>"
    if "oneOf" in schema:
        return " or ".join(_type(each) for each in schema["oneOf"])
    if "enum" in schema:
        return " | ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(schema.get("format") or schema.get("type", ""))


def _names(described: dict[str, Any]) -> str:
    content: dict[str, Any] = described.get("content", {})
    return ", ".join(
        _type(each["schema"]) if "$ref" in each["schema"] else f"<code>{escape(media)}</code>"
        for media, each in content.items()
    )


def _prose(text: str) -> str:
    """Text with its `code` marked."""
    return "".join(f"<code>{escape(part)}</code>" if index % 2 else escape(part) for index, part in enumerate(text.split("`")))
