"""What the contract tells agents and callers of each message and field: nothing of it may get lost."""

import pytest

from contract.operations import OPERATIONS
from tests.contract.schemas import COMPONENTS, OPENAPI, TOOLS, Schema, roots

# A message, and those of its fields that need a word too.
ASK_FIELDS = "waiting client raisedBy thread"
DESCRIBED = {
    "AskKind": "",
    "AskStatus": "",
    "ImageType": "",
    "MarkdownBlock": "",
    "CodeBlock": "language",
    "DiffBlock": "",
    "ImageBlock": "",
    "Block": "",
    "Choice": "",
    "BriefingPoint": "title detail content",
    "BriefingSection": "",
    "QuestionInput": "question options multiple context project",
    "ReviewInput": "content summary revises project",
    "BriefingInput": "summary sections project",
    "PointAnswer": "point answer content points",
    "BriefingAnswerInput": "",
    "FollowUpInput": "answer content",
    "UploadRequest": "",
    "UploadTicket": "uploadUrl command",
    "InboxRequest": "askId",
    "InboxLink": "",
    "Answered": "",
    "Approved": "",
    "ChangesRequested": "",
    "FollowUp": "",
    "Dismissed": "",
    "PointReply": "text resolved",
    "Responded": "",
    "Reply": "",
    "QuestionPrompt": "",
    "ReviewPrompt": "",
    "Point": "id title detail content",
    "BriefingPromptSection": "",
    "BriefingPrompt": "",
    "Actor": "id name",
    "HumanEntry": "by",
    "AgentEntry": "point points",
    "Entry": "",
    "QuestionAsk": ASK_FIELDS,
    "ReviewAsk": f"revises {ASK_FIELDS}",
    "BriefingAsk": ASK_FIELDS,
    "Ask": "",
    "ToolReply": "",
    "Snapshot": "",
    "AskPage": "nextBefore",
    "EventTicket": "",
    "Whoami": "",
    "UploadReceipt": "",
    "SnapshotEvent": "",
    "AskEvent": "",
    "ServerEvent": "",
    "Problem": "code",
}

# What a description has to hold, since somebody acts on it.
TOLD = {
    "QuestionInput": "256 KiB; their own words",
    "QuestionInput.question": "markdown",
    "QuestionInput.options": "two; six; buttons",
    "QuestionInput.multiple": "more than one",
    "QuestionInput.context": "markdown; background",
    "QuestionInput.project": "root; repository; git rev-parse --show-toplevel; working directory; inbox",
    "ReviewInput": "256 KiB; the part that matters; several reviews",
    "ReviewInput.content": "order",
    "ReviewInput.summary": "changed",
    "ReviewInput.revises": "id; changes were requested",
    "ReviewInput.project": "root; repository; git rev-parse --show-toplevel; working directory; inbox",
    "BriefingInput": "findings; resolved; numbered; straight through; fifty; 256 KiB; answer on every point",
    "BriefingInput.summary": "markdown",
    "BriefingInput.sections": "headings",
    "BriefingInput.project": "root; repository; git rev-parse --show-toplevel; working directory; inbox",
    "BriefingPoint.title": "one line; folded",
    "BriefingPoint.detail": "markdown; opens",
    "BriefingPoint.content": "code; diff; image",
    "BriefingAnswerInput": "every point; unresolved; other open point; 256 KiB",
    "PointAnswer.point": "`3`; `3.1`",
    "PointAnswer.answer": "markdown",
    "PointAnswer.points": "`3.1`; `3.2`; three levels; reply on",
    "FollowUpInput": "asked back; 256 KiB",
    "FollowUpInput.answer": "markdown",
    "CodeBlock.language": "`ts`; `python`",
    "ImageBlock": "upload ticket",
    "MarkdownBlock": "GitHub",
    "DiffBlock": "unified; `git diff`",
    "UploadTicket": "once; expires",
    "UploadTicket.uploadUrl": "`PUT`; `Content-Type`; credentials",
    "UploadTicket.command": "`FILE`; path",
    "InboxRequest.askId": "without it",
    "Answered": "choices; words",
    "FollowUp": "stays open; agent has answered",
    "PointReply.resolved": "beneath",
    "Responded": "not resolved; closes; every point",
    "Reply": "`follow_up`; `responded`; closes the ask",
    "Point.id": "`3`; `3.1`",
    "BriefingPrompt": "sub-points; later",
    "Actor.id": "stable; gate",
    "QuestionAsk.waiting": "background task",
    "QuestionAsk.client": "`claude-code 2.1.0`",
    "QuestionAsk.raisedBy": "credential",
    "QuestionAsk.thread": "oldest first",
    "ReviewAsk.revises": "revises",
    "Snapshot": "open; newest first; closed",
    "AskPage.nextBefore": "`before`; last",
    "EventTicket": "`loopback.ticket.<ticket>`; `loopback.v1`; once; minute; browsers; log",
    "SnapshotEvent": "first frame",
    "AskEvent": "opened; new turn; close; follow",
    "Problem.code": "stable; programs; `ask.closed`",
    "whoami": "space",
    "issueEventTicket": "once; `/api/v1/events`",
    "readSnapshot": "open; fifty",
    "listAsks": "newest first",
    "replyToAsk": "409; closed; agent's turn; briefing may be dismissed; 422; `answered`; choice or text; among those offered; "
    "several; `approved`; `changes_requested`; `responded`; at most once; every point; leaves the agent a point; `follow_up`",
    "readFile": "image",
    "storeUpload": "credential; once; fifteen minutes; content type; `maxBytes`",
    "Loopback": "SnapshotEvent; AskEvent; /api/v1/events; Loopback-Revision; Loopback-Build; 409; reload; newer; rollback",
}


def described(schemas: dict[str, Schema]) -> dict[str, str]:
    """Every description there is, by message or `message.field`."""
    found: dict[str, str] = {}
    for name, schema in schemas.items():
        found[name] = schema.get("description", "")
        found |= {f"{name}.{field}": inner.get("description", "") for field, inner in schema.get("properties", {}).items()}
    return found


NEEDED = {place for name, fields in DESCRIBED.items() for place in (name, *(f"{name}.{field}" for field in fields.split()))}
API = described(COMPONENTS)
SPOKEN = {
    **API,
    **{each["operationId"]: each["description"] for item in OPENAPI["paths"].values() for each in item.values()},
    "Loopback": OPENAPI["info"]["description"],
}


def test_every_message_of_the_api_is_described():
    assert set(DESCRIBED) == set(COMPONENTS)


@pytest.mark.parametrize("place", sorted(NEEDED))
def test_what_needs_a_word_has_one(place: str):
    assert len(API[place].split()) >= 3


@pytest.mark.parametrize("place", sorted(TOLD))
def test_a_description_says_what_somebody_acts_on(place: str):
    words = SPOKEN[place].casefold()
    assert [each for each in TOLD[place].split("; ") if each.casefold() not in words] == []


def test_every_description_is_whole_sentences_on_one_line():
    for place, text in API.items():
        if text:
            assert text == " ".join(text.split()), place
            assert text[0].isupper() or text[0] == "`", place
            assert text.endswith("."), place


def test_every_operation_is_described_and_so_is_its_parameter():
    for operation in OPERATIONS:
        assert OPENAPI["paths"][operation.path][operation.method.lower()]["description"] == operation.summary
        assert operation.summary.endswith(".")
    parameters = {each["name"]: each for each in OPENAPI["paths"]["/asks"]["get"]["parameters"]}
    assert "closed before" in parameters["before"]["description"]


def test_the_tools_and_the_socket_say_the_same_as_the_api():
    inner = [(where, root["$defs"]) for where, root in roots() if "$defs" in root]
    assert len(inner) > 10
    for where, schemas in inner:
        for place, text in described(schemas).items():
            assert text == API[place], f"{where}: {place}"


def test_an_agent_is_told_the_same_of_what_a_tool_takes_and_gives():
    for tool in TOOLS:
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            (name,) = [each for each, known in COMPONENTS.items() if known["description"] == schema["description"]]
            assert described({name: schema}) == {place: text for place, text in API.items() if place.split(".")[0] == name}


def test_every_field_a_tool_takes_explains_itself_or_is_plain_from_its_name():
    plain = {"title", "askId", "answers", "contentType"}
    for tool in TOOLS:
        silent = {name for name, inner in tool["inputSchema"]["properties"].items() if "description" not in inner}
        assert silent <= plain, tool["name"]
