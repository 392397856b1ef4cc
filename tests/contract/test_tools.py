"""The table of tools: what an agent is shown of each."""

import re

import pytest

from contract.asks import ToolReply
from contract.schema import schema_of
from contract.tools import TOOLS, Tool
from tests.contract.schemas import TOOLS as FROZEN

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
WAITING = {"ask_question", "request_review", "send_briefing", "answer_follow_up", "answer_briefing", "wait_for_reply"}


def test_there_are_nine_tools_of_which_seven_are_frozen():
    frozen = [tool.name for tool in TOOLS if tool.frozen]
    assert len({tool.name for tool in TOOLS}) == len(TOOLS) == 9
    assert [tool["name"] for tool in FROZEN] == frozen
    assert {tool.name for tool in TOOLS} - set(frozen) == {"wait_for_reply", "list_asks"}


@every_tool
def test_a_name_is_one_that_every_client_takes(tool: Tool):
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", tool.name)
    assert 0 < len(tool.title) <= 64


@every_tool
def test_a_description_is_short_enough_for_every_client(tool: Tool):
    assert len(tool.description.encode()) < 2048
    assert "\n" not in tool.description
    assert "  " not in tool.description


@every_tool
def test_a_description_leads_with_what_its_input_says_of_itself(tool: Tool):
    own = schema_of(tool.takes)["description"]
    assert own
    assert tool.description.startswith(f"{own} ")
    assert tool.description.endswith(tool.guide)


@every_tool
def test_an_agent_is_told_whether_the_call_waits(tool: Tool):
    assert tool.waits == (tool.name in WAITING)
    if tool.waits:
        assert tool.gives is ToolReply
        assert "wait" in tool.description
    else:
        assert "Returns at once." in tool.description


@every_tool
def test_a_tool_that_waits_says_what_to_do_when_it_must_end_first_and_never_to_ask_twice(tool: Tool):
    if tool.waits and tool.name != "wait_for_reply":
        for words in ("waiting: true", "wait_for_reply", "askId", "Never ask the same thing again"):
            assert words in tool.description


def test_what_opens_an_ask_waits_for_its_reply():
    assert {tool.name for tool in TOOLS if tool.opens} == {"ask_question", "request_review", "send_briefing"}
    assert all(tool.waits for tool in TOOLS if tool.opens)


def test_a_tool_that_another_is_pointed_to_exists():
    names = {tool.name for tool in TOOLS}
    for tool in TOOLS:
        assert set(re.findall(r"\b(?:ask|request|send|answer|get|wait|list)_[a-z_]+", tool.guide)) <= names


def test_an_agent_is_told_to_read_an_approval_as_the_persons_own():
    (review,) = [tool for tool in TOOLS if tool.name == "request_review"]
    assert "read an approval through wait_for_reply" in review.description
