"""From what a model sent as arguments to the tool's input.

Lenient where models and clients are known to slip: an array or object sent as a JSON string is read, null is absent, what the tool does
not know is ignored. Everything else is an error that names every field at fault.
"""

import json
from collections.abc import Mapping
from typing import Any, cast

from pydantic import ValidationError

from app.core.refusal import Refusal
from app.rest.faults import words_of
from contract.base import Message
from contract.problems import Code

Schema = dict[str, Any]


def read_arguments(takes: type[Message], schema: Schema, arguments: Mapping[str, Any] | None) -> Message:
    """The input, or a refusal with every fault in it."""
    values = _unpacked(dict(arguments or {}), schema)
    try:
        return takes.model_validate(values)
    except ValidationError as error:
        raise Refusal(Code.REQUEST_INVALID, words_of(error)) from None


def _unpacked(value: Any, schema: Schema) -> Any:
    """The value with every string read that stands where the schema wants an array or an object."""
    kind = schema.get("type")
    if kind in ("array", "object") and isinstance(value, str):
        value = _read(value, list if kind == "array" else dict)
    if kind == "array" and isinstance(value, list):
        return [_unpacked(each, schema.get("items", {})) for each in cast("list[Any]", value)]
    if kind == "object" and isinstance(value, dict):
        properties: dict[str, Schema] = schema.get("properties", {})
        return {
            name: _unpacked(each, properties[name])
            for name, each in cast("dict[str, Any]", value).items()
            if name in properties
        }
    return value


def _read(text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, kind) else text
