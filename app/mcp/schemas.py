"""The schemas that `tools/list` serves: the contract's meaning in the flat form that every client accepts.

Clients choke on `$ref`, `oneOf`, `anyOf`, `const` and null in different ways. Here everything is inlined, and a choice of shapes is one
object with the tag as an enum, each field saying which of the shapes it is for. Whatever the contract takes, these take.
"""

from typing import Any, cast

from contract.base import Message
from contract.schema import schema_of
from contract.tools import Tool

Schema = dict[str, Any]

WAITING_FIELDS: Schema = {
    "waiting": {
        "type": "boolean",
        "description": "true: there is no reply yet, and the call had to end. The ask stays open; do what next says.",
    },
    "next": {"type": "string", "description": "What to do now."},
    "repliedAt": {"type": "string", "description": "When the person gave this reply."},
    "withdrawn": {"type": "boolean", "description": "true: the ask was withdrawn by its agent; there is no reply."},
}

FORBIDDEN = frozenset({"$ref", "$defs", "oneOf", "anyOf", "allOf", "const", "discriminator"})


def input_schema(tool: Tool) -> Schema:
    """What a tool takes."""
    return flat(tool.takes)


def output_schema(tool: Tool) -> Schema:
    """What a tool gives. A tool that waits may have to end before the reply: only `askId` is sure."""
    schema = flat(tool.gives)
    if not tool.waits:
        return schema
    return {**schema, "properties": {**schema["properties"], **WAITING_FIELDS}, "required": ["askId"]}


def flat(message: type[Message]) -> Schema:
    """A message's schema without references and alternatives."""
    schema = schema_of(message)
    definitions: dict[str, Schema] = schema.pop("$defs", {})
    return _flatten(schema, definitions)


def _flatten(schema: Schema, definitions: dict[str, Schema]) -> Schema:
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return {**_flatten(definitions[name], definitions), **beside}
    if "oneOf" in schema:
        tag = str(schema["discriminator"]["propertyName"])
        merged = _merge([_flatten(each, definitions) for each in schema["oneOf"]], tag)
        return {**merged, "description": schema["description"]} if "description" in schema else merged
    flattened = dict(schema)
    if "properties" in schema:
        flattened["properties"] = {
            name: _flatten(inner, definitions) for name, inner in cast("dict[str, Schema]", schema["properties"]).items()
        }
    if "items" in schema:
        flattened["items"] = _flatten(schema["items"], definitions)
    return flattened


def _merge(alternatives: list[Schema], tag: str) -> Schema:
    """One object that is any of the alternatives."""
    tags: list[str] = []
    uses: dict[str, list[str]] = {}
    properties: dict[str, Schema] = {}
    for alternative in alternatives:
        name = str(alternative["properties"][tag]["enum"][0])
        tags.append(name)
        for field, schema in alternative["properties"].items():
            uses.setdefault(field, []).append(name)
            properties.setdefault(field, schema)
    required = {field for field in properties if all(field in alternative.get("required", ()) for alternative in alternatives)}
    described = {
        field: schema if len(uses[field]) == len(tags) else _with_use(schema, tag, uses[field])
        for field, schema in properties.items()
        if field != tag
    }
    return {
        "type": "object",
        "properties": {tag: {"type": "string", "enum": tags}, **described},
        "required": [field for field in (tag, *described) if field in required],
    }


def _with_use(schema: Schema, tag: str, names: list[str]) -> Schema:
    said = f"With {tag} {' or '.join(names)}."
    return {**schema, "description": f"{said} {schema['description']}" if "description" in schema else said}
