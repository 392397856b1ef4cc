"""The emitted files as tests look at them: every schema in them, by where it stands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from contract.emit import REVISIONS
from contract.upgrades import CURRENT

Schema = dict[str, Any]

FOLDER = REVISIONS / CURRENT


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


OPENAPI: Schema = read(FOLDER / "openapi.json")
EVENTS: Schema = read(FOLDER / "events.schema.json")
TOOLS: list[Schema] = read(FOLDER / "tools.schema.json")["tools"]
COMPONENTS: dict[str, Schema] = OPENAPI["components"]["schemas"]


def roots() -> Iterator[tuple[str, Schema]]:
    """Each schema of the current revision's files that stands by itself."""
    yield from ((f"openapi.json {name}", schema) for name, schema in COMPONENTS.items())
    for path, item in OPENAPI["paths"].items():
        for method, operation in item.items():
            for parameter in operation["parameters"]:
                yield f"openapi.json {method} {path} {parameter['name']}", parameter["schema"]
            for status, answer in operation["responses"].items():
                for media, body in answer["content"].items():
                    yield f"openapi.json {method} {path} {status} {media}", body["schema"]
    yield "events.schema.json", EVENTS
    for tool in TOOLS:
        yield f"tools.schema.json {tool['name']} takes", tool["inputSchema"]
        yield f"tools.schema.json {tool['name']} gives", tool["outputSchema"]


def nodes(where: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    """A schema and each that is inside it; a property that is called `title` is a property, not a title."""
    yield where, schema
    for key in ("properties", "$defs"):
        for name, inner in schema.get(key, {}).items():
            yield from nodes(f"{where}.{name}", inner)
    for key in ("items", "additionalProperties", "not"):
        if isinstance(schema.get(key), dict):
            yield from nodes(f"{where}[]", schema[key])
    for key in ("oneOf", "anyOf", "allOf"):
        for number, inner in enumerate(cast("list[Schema]", schema.get(key, []))):
            yield from nodes(f"{where}/{key}/{number}", inner)


def every() -> list[tuple[str, Schema]]:
    """Each schema of each file, those inside others included."""
    return [found for where, schema in roots() for found in nodes(where, schema)]


def component(name: str, openapi: Schema = OPENAPI) -> Schema:
    """One schema of an OpenAPI document, as something to validate with."""
    return {"$ref": f"#/components/schemas/{name}", "components": openapi["components"]}
