"""The frozen examples: whatever revision wrote them, this code reads them."""

from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from contract.asks import Ask
from contract.emit import REVISIONS
from contract.events import ServerEvent
from contract.examples import EXAMPLES
from contract.openapi import MESSAGES as NAMED
from contract.people import Reply
from contract.schema import is_model, schema_of
from contract.tools import TOOLS
from contract.upgrades import upgrade
from tests.contract.making import MESSAGES, within
from tests.contract.schemas import COMPONENTS, component, nodes, read
from tests.contract.schemas import TOOLS as FROZEN_TOOLS

PATHS = sorted(REVISIONS.glob("*/examples/*.json"))
every_example = pytest.mark.parametrize("path", PATHS, ids=[f"r{path.parts[-3]} {path.stem}" for path in PATHS])


WALKED_AS = {each.__name__: alias.__name__ for alias in (Ask, Reply) for each in get_args(get_args(alias.__value__)[0])}
"""An ask is stored, and a reply sent, without saying which of its union it is: its steps are those of the union."""


def upgraded(path: Path) -> dict[str, Any]:
    return upgrade(WALKED_AS.get(path.stem, path.stem), path.parts[-3], read(path))


@every_example
def test_an_example_of_any_revision_upgrades_and_is_read(path: Path):
    message = MESSAGES[path.stem].model_validate(upgraded(path))
    assert message.to_dict() == upgraded(path)
    assert MESSAGES[path.stem].model_validate_json(message.to_json()) == message


@every_example
def test_an_upgraded_example_is_what_the_current_schemas_say(path: Path):
    Draft202012Validator(schema_of(MESSAGES[path.stem])).validate(upgraded(path))
    Draft202012Validator(component(path.stem)).validate(upgraded(path))


@every_example
def test_an_example_is_what_the_schemas_of_its_own_revision_say(path: Path):
    own = read(path.parents[1] / "openapi.json")
    Draft202012Validator(component(path.stem, own)).validate(read(path))


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.frozen], ids=lambda tool: tool.name)
def test_the_examples_of_a_tool_are_what_its_frozen_schemas_say(tool: Any):
    (frozen,) = [each for each in FROZEN_TOOLS if each["name"] == tool.name]
    Draft202012Validator(frozen["inputSchema"]).validate(EXAMPLES[tool.takes.__name__].to_dict())
    Draft202012Validator(frozen["outputSchema"]).validate(EXAMPLES[tool.gives.__name__].to_dict())


def test_every_message_of_the_contract_has_an_example():
    unions = [each for alias in (Reply, Ask, ServerEvent) for each in get_args(get_args(alias.__value__)[0])]
    named = {message.__name__ for message in NAMED.values() if is_model(message)} | {each.__name__ for each in unions}
    assert set(EXAMPLES) == named


def shown(name: str, value: Any) -> set[str]:
    """The fields that an example fills, in the messages inside it too, as `message.field`; an ask's kind does not count."""
    schema = COMPONENTS[name]
    if "oneOf" in schema:
        discriminator = schema["discriminator"]
        return shown(_named(discriminator["mapping"][value[discriminator["propertyName"]]]), value)
    found: set[str] = set()
    for field, inner in value.items() if isinstance(value, dict) else ():
        found.add(f"{_family(name)}.{field}")
        for _, node in nodes("", schema["properties"][field]):
            if "$ref" in node:
                for each in inner if isinstance(inner, list) else [inner]:
                    found |= shown(_named(node["$ref"]), each)
    return found


def _named(reference: str) -> str:
    return reference.rpartition("/")[2]


def _family(name: str) -> str:
    return "Ask" if name in ("QuestionAsk", "ReviewAsk", "BriefingAsk") else name


def test_the_examples_show_every_field_of_what_is_stored():
    """An upgrade step is tried on no more than the examples hold."""
    held = {each.__name__ for ask in get_args(get_args(Ask.__value__)[0]) for each in within(ask)}
    fields = {f"{_family(name)}.{field}" for name in held for field in COMPONENTS[name]["properties"]}
    assert len(fields) > 50
    assert fields - set().union(*(shown(path.stem, read(path)) for path in PATHS)) == set()
