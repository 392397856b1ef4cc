"""The emitted schemas say what the contract means: optional is absent and never null, a tag is required."""

from collections import Counter

import pytest
from jsonschema import Draft202012Validator
from typing_extensions import TypeAliasType

from contract.base import Message
from contract.openapi import MESSAGES as NAMED
from contract.schema import is_model
from tests.contract.making import MESSAGES, optional, tagged
from tests.contract.schemas import COMPONENTS, EVENTS, OPENAPI, TOOLS, every, roots

TAGS = {"type", "outcome", "kind", "author"}
OBJECTS = [(where, schema) for where, schema in every() if schema.get("type") == "object"]
COMPONENT_MESSAGES = sorted(set(MESSAGES) & set(COMPONENTS))


def test_there_are_schemas_to_look_at():
    assert len(COMPONENTS) == 52
    assert len(TOOLS) == 7
    assert len(every()) > 500


def test_no_schema_knows_null():
    for where, schema in every():
        assert schema.get("type") != "null", where
        assert not isinstance(schema.get("type"), list), where
        assert None not in schema.get("enum", []), where
        assert "nullable" not in schema, where
        assert "default" not in schema, where


def test_no_schema_has_a_title_a_const_or_an_any_of():
    for where, schema in every():
        assert not {"title", "const", "anyOf", "allOf"} & set(schema), where


def test_every_schema_says_its_type():
    for where, schema in every():
        assert {"type", "$ref", "oneOf"} & set(schema), where


def test_every_enum_is_of_strings():
    for where, schema in every():
        if "enum" in schema:
            assert schema["type"] == "string", where
            assert all(isinstance(value, str) for value in schema["enum"]), where


def test_every_tag_is_required():
    for where, schema in OBJECTS:
        for name, inner in schema["properties"].items():
            if name in TAGS and "enum" in inner:
                assert name in schema["required"], f"{where}.{name}"


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_what_may_be_left_out_is_exactly_what_has_none_for_a_default(name: str):
    message = MESSAGES[name]
    for each in message.model_fields.values():
        assert each.is_required() or optional(each) or tagged(each), each
        assert each.is_required() or tagged(each) or each.default is None, each
    schema = COMPONENTS.get(name)
    if schema is not None:
        needed = {field.alias for field in message.model_fields.values() if not optional(field)}
        assert set(schema.get("required", [])) == needed
        assert list(schema["properties"]) == [field.alias for field in message.model_fields.values()]


def test_what_is_required_is_a_property():
    for where, schema in OBJECTS:
        assert set(schema.get("required", [])) <= set(schema["properties"]), where


def test_an_object_takes_fields_that_it_does_not_know():
    for where, schema in OBJECTS:
        assert "additionalProperties" not in schema, where


def test_a_union_names_its_tag_and_which_message_each_value_means():
    for where, schema in every():
        if "oneOf" not in schema:
            continue
        mapping = schema["discriminator"]["mapping"]
        assert schema["discriminator"]["propertyName"] in TAGS, where
        assert set(mapping.values()) == {each["$ref"] for each in schema["oneOf"]}, where


def test_every_reference_leads_somewhere():
    for where, root in roots():
        found: list[object] = [root]
        while found:
            each = found.pop()
            if isinstance(each, list):
                found += each
            elif isinstance(each, dict):
                found += each.values()
                if isinstance(reference := each.get("$ref"), str):
                    place, _, name = reference.rpartition("/")
                    assert name in {"#/components/schemas": COMPONENTS, "#/$defs": root.get("$defs", {})}[place], where


def test_every_schema_is_a_json_schema():
    for _, schema in roots():
        Draft202012Validator.check_schema(schema)


def test_a_tool_takes_and_gives_an_object():
    for tool in TOOLS:
        assert tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object"
        assert set(tool) == {"name", "inputSchema", "outputSchema"}


def test_a_name_has_one_meaning_in_every_file():
    meant: dict[str, set[str]] = {}
    for _, root in roots():
        for name, schema in root.get("$defs", {}).items():
            meant.setdefault(name, set()).add(str(schema).replace("#/$defs/", "#/components/schemas/"))
    assert meant
    for name, schemas in meant.items():
        assert schemas == {str(COMPONENTS[name])}, name


def test_the_frames_of_the_socket_are_in_both_files():
    assert EVENTS["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert EVENTS["description"] == COMPONENTS["ServerEvent"]["description"]


def test_every_named_message_is_a_schema_and_no_other_is_without_a_use():
    used = Counter(str(OPENAPI).split("'#/components/schemas/")[1:])
    referred = {each.partition("'")[0] for each in used}
    assert set(NAMED) <= set(COMPONENTS)
    assert set(COMPONENTS) == set(NAMED) | referred


def test_a_model_is_told_from_a_union_and_from_bytes():
    assert is_model(MESSAGES["Approved"])
    assert is_model(Message)
    assert not is_model(NAMED["Reply"])
    assert not is_model(bytes)
    assert isinstance(NAMED["Reply"], TypeAliasType)


def test_times_and_sizes_say_their_format():
    formats = {(where.rpartition(".")[2], schema["type"], schema["format"]) for where, schema in every() if "format" in schema}
    named = {("expiresAt", "string", "date-time"), ("closedAt", "string", "date-time"), ("maxBytes", "integer", "int32")}
    assert named <= formats
    assert {form for _, _, form in formats} == {"date-time", "int32", "binary"}
