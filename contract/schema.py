"""JSON schemas of the contract's messages, as the contract means them.

Pydantic's own output says `null` where a field may be absent and leaves a tag with a default optional. Here optional is absent,
never null, and a tag is required.
"""

from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

Schema = dict[str, Any]


class ContractSchema(GenerateJsonSchema):
    """Pydantic's generator with the contract's view of absent fields and tags."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_is_required(
        self, field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField, total: bool
    ) -> bool:
        inner: Any = field["schema"]
        if inner["type"] == "default" and inner["schema"]["type"] == "literal":
            return True
        return super().field_is_required(field, total)

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        return {"type": "string", "enum": [str(value) for value in schema["expected"]]}


def schemas_of(messages: dict[str, Any], ref_template: str) -> dict[str, Schema]:
    """The schema of each named message, and of each that those name, by name."""
    inputs: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (name, "validation", TypeAdapter(message)) for name, message in messages.items()
    ]
    _, document = TypeAdapter.json_schemas(inputs, schema_generator=ContractSchema, ref_template=ref_template)
    definitions: dict[str, Schema] = document["$defs"]
    return {name: _tidy(definitions[name]) for name in sorted(definitions)}


def schema_of(message: Any) -> Schema:
    """One message's schema, standing alone: what it names is under `$defs`, and the root is the object itself."""
    schema = TypeAdapter(message).json_schema(schema_generator=ContractSchema)
    return _tidy(schema)


def is_model(message: Any) -> bool:
    """Whether a message is an object with named fields, not a union or bytes."""
    return isinstance(message, type) and issubclass(message, BaseModel)


def _tidy(schema: Schema) -> Schema:
    """Without pydantic's titles, with descriptions on one line."""
    tidy: Schema = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue
        if key == "description":
            tidy[key] = " ".join(str(value).split())
        elif key in ("properties", "$defs"):
            tidy[key] = {name: _tidy(inner) for name, inner in value.items()}
        elif isinstance(value, dict):
            tidy[key] = _tidy(value)  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, list):
            tidy[key] = [_tidy(each) if isinstance(each, dict) else each for each in value]  # pyright: ignore
        else:
            tidy[key] = value
    return tidy
