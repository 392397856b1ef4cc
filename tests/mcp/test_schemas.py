"""What `tools/list` serves: nine tools, described briefly, in schemas that every client can read."""

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp_types import Tool as Listed

from app.mcp.arguments import read_arguments
from app.mcp.schemas import FORBIDDEN, input_schema, output_schema
from app.mcp.server import INSTRUCTIONS
from contract.asks import ToolReply
from contract.examples import EXAMPLES
from contract.tools import TOOLS, Tool
from tests.contract.making import full, messages
from tests.support.agents import ERAS, agent
from tests.support.house import House
from tests.support.raw import MODERN, initialize, message, post, result_in

every_era = pytest.mark.parametrize("era", ERAS)
every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)

SERVED = {
    "ask_question": True,
    "request_review": True,
    "send_briefing": True,
    "answer_follow_up": True,
    "answer_briefing": True,
    "request_upload": False,
    "get_inbox": False,
    "wait_for_reply": True,
    "list_asks": False,
}
"""Each tool and whether it waits."""


async def served(house: House, era: str) -> dict[str, Listed]:
    async with agent(house.url, house.token, era=era) as client:
        return {tool.name: tool for tool in (await client.list_tools()).tools}


@every_era
async def test_nine_tools_are_served_with_what_the_contract_says_of_them(house: House, era: str):
    tools = await served(house, era)
    assert tools.keys() == SERVED.keys() == {tool.name for tool in TOOLS}
    for tool in TOOLS:
        listed = tools[tool.name]
        assert listed.title == tool.title
        assert listed.description == tool.description
        assert len(tool.description.encode()) < 2048
        assert listed.input_schema == input_schema(tool)
        assert listed.output_schema == output_schema(tool)
        assert listed.annotations is not None
        assert listed.annotations.destructive_hint is False
        assert listed.annotations.read_only_hint is (tool.name in ("get_inbox", "wait_for_reply", "list_asks"))


@pytest.mark.parametrize("method", ["initialize", "server/discover"])
async def test_the_instructions_are_short_and_name_only_tools_that_exist(house: House, method: str):
    """Each era has its own way to read them."""
    if method == "initialize":
        answer = await initialize(house.url, house.token)
    else:
        headers, body = message(MODERN, "", {}, method=method)
        del headers["Mcp-Name"], body["params"]["name"], body["params"]["arguments"]
        answer = await post(house.url, house.token, headers, body)
    instructions = result_in(answer.text)["result"]["instructions"]
    assert instructions == INSTRUCTIONS
    assert len(instructions.encode()) < 2048
    for words in ("waiting: true", "wait_for_reply", "list_asks", "Never ask the same thing twice"):
        assert words in instructions
    named = set(re.findall(r"\b(?:ask|request|send|answer|get|wait|list)_[a-z_]+", instructions))
    assert named <= set(SERVED)


def words_in(schema: Any) -> set[str]:
    """Every keyword used in a schema; a property's name is none."""
    if isinstance(schema, list):
        return set().union(*map(words_in, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    found: set[str] = set()
    for word, inner in schema.items():
        found.add(word)
        values = inner.values() if word == "properties" else [inner]
        found |= set().union(*map(words_in, values)) if word not in ("enum", "required") else set()
    return found


def types_in(schema: Any) -> list[Any]:
    """The `type` of everything in a schema that has one."""
    if isinstance(schema, list):
        return [each for inner in schema for each in types_in(inner)]
    if not isinstance(schema, dict):
        return []
    own = [schema["type"]] if "type" in schema and not isinstance(schema["type"], dict) else []
    return own + [each for inner in schema.values() for each in types_in(inner)]


@every_tool
@pytest.mark.parametrize("schema_of", [input_schema, output_schema], ids=["input", "output"])
def test_a_served_schema_is_an_object_without_anything_that_clients_choke_on(tool: Tool, schema_of: Any):
    schema = schema_of(tool)
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert not words_in(schema) & {*FORBIDDEN, "null", "nullable"}
    assert {*FORBIDDEN} >= {"$ref", "$defs", "oneOf", "anyOf", "allOf", "const", "discriminator"}
    assert all(isinstance(each, str) and each != "null" for each in types_in(schema))
    assert "None" not in str(schema)
    assert schema.get("additionalProperties", True) is not False


@every_tool
def test_what_waits_may_give_only_the_asks_id_and_what_to_do(tool: Tool):
    schema = output_schema(tool)
    if tool.waits:
        assert tool.gives is ToolReply
        assert schema["required"] == ["askId"]
        assert set(schema["properties"]) == {"askId", "reply", "waiting", "next", "repliedAt", "withdrawn"}
        reply = schema["properties"]["reply"]["properties"]
        assert reply["outcome"]["enum"] == [
            "answered",
            "approved",
            "changes_requested",
            "follow_up",
            "dismissed",
            "responded",
        ]
        validator = Draft202012Validator(schema)
        validator.validate({"askId": "1", "waiting": True, "next": "Wait."})
        validator.validate({"askId": "1", "withdrawn": True, "next": "It was withdrawn."})
    else:
        assert "waiting" not in schema["properties"]


@pytest.mark.parametrize("name", ["Answered", "Approved", "ChangesRequested", "FollowUp", "Dismissed", "Responded"])
def test_every_reply_is_valid_by_the_served_output_schema(name: str):
    schema = output_schema(next(tool for tool in TOOLS if tool.waits))
    reply = EXAMPLES[name].to_dict()
    Draft202012Validator(schema).validate({"askId": "1", "reply": reply, "repliedAt": "2026-12-01T09:30:00.000Z"})


@every_tool
def test_every_field_says_which_kinds_it_is_for(tool: Tool):
    for schema in (input_schema(tool), output_schema(tool)):
        for block in blocks_in(schema):
            for field, inner in block["properties"].items():
                if field != "type":
                    assert "With type " in inner["description"], field


def blocks_in(schema: Any) -> list[dict[str, Any]]:
    if not isinstance(schema, dict):
        return []
    own = [schema] if "diff" in schema.get("properties", {}) else []
    return own + [each for inner in schema.values() for each in blocks_in(inner)]


@every_tool
def test_an_example_of_the_contract_is_valid_by_the_served_schema_and_is_read_as_it_is(tool: Tool):
    validator = Draft202012Validator(input_schema(tool))
    example = EXAMPLES.get(tool.takes.__name__)
    for given_input in [example.to_dict()] if example else []:
        validator.validate(given_input)
        assert read_arguments(tool.takes, input_schema(tool), given_input) == example
    validator.validate(full(tool.takes))
    assert read_arguments(tool.takes, input_schema(tool), full(tool.takes)).to_dict() == full(tool.takes)


@every_tool
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_is_valid_by_the_contract_is_valid_by_the_served_schema_and_is_read_as_it_is(tool: Tool, data: st.DataObject):
    sent = data.draw(messages(tool.takes))
    Draft202012Validator(input_schema(tool)).validate(sent.to_dict())
    assert read_arguments(tool.takes, input_schema(tool), sent.to_dict()) == sent
