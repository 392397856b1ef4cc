"""The contract as an OpenAPI document, written by us from the table of operations."""

from typing import Any

from contract import agents, asks, content, events, people, problems
from contract.operations import BASE, IMAGE_TYPES, OPERATIONS, Operation
from contract.schema import Schema, schemas_of
from contract.upgrades import CURRENT

REF = "#/components/schemas/{model}"

MESSAGES: dict[str, Any] = {
    name: getattr(module, name)
    for module, names in (
        (content, ("ImageType", "Block")),
        (agents, ("QuestionInput", "ReviewInput", "BriefingInput", "BriefingAnswerInput", "FollowUpInput")),
        (agents, ("UploadRequest", "UploadTicket", "InboxRequest", "InboxLink")),
        (people, ("Reply",)),
        (asks, ("AskKind", "AskStatus", "Ask", "ToolReply", "Snapshot", "AskPage")),
        (events, ("EventTicket", "Whoami", "UploadReceipt", "ServerEvent")),
        (problems, ("Problem",)),
    )
    for name in names
}

DESCRIPTION = (
    "Loopback puts what an agent needs from a person before them, and hands their reply back. Agents ask over MCP; people "
    "answer through this API, mostly from the web inbox. Live updates come over the WebSocket `/api/v1/events`, which sends "
    "one `SnapshotEvent` and then `AskEvent`s.\n\n"
    "Every response says which code gave it: `Loopback-Revision` is the revision of this contract that the server writes, "
    "`Loopback-Build` is when the build it comes from was made. A client that names the revision it writes in the "
    "request's `Loopback-Revision` can see from these that the server is newer than itself; when the client is the newer of "
    "the two, as after a rollback, it is refused with 409 and the code `reload`.\n\n"
    "Any operation may besides answer 400, 403, 404, 405, 408, 409 `reload`, 413, 415, 421, 422, 429, 500 and 503 with a "
    "`Problem`; what an operation lists is what belongs to it."
)

WHY = {
    401: "The credentials are missing or no longer good.",
    404: "There is no such thing in this space.",
    409: "Not now: the problem's code says why.",
    410: "The ticket was used, or has expired.",
    413: "Too large.",
    422: "It does not fit: the message names what, and what would.",
}

REVISION_HEADER: Schema = {
    "name": "Loopback-Revision",
    "in": "header",
    "required": False,
    "description": "The revision of this contract that the client writes.",
    "schema": {"type": "string", "enum": [CURRENT]},
}

_HEADERS = {
    "Loopback-Revision": {"$ref": "#/components/headers/Loopback-Revision"},
    "Loopback-Build": {"$ref": "#/components/headers/Loopback-Build"},
}


def openapi() -> Schema:
    """The whole document, the same every time."""
    paths: dict[str, dict[str, Schema]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Loopback", "version": CURRENT, "description": DESCRIPTION},
        "servers": [{"url": BASE, "description": "Loopback API"}],
        "paths": paths,
        "components": {
            "schemas": schemas_of(MESSAGES, REF),
            "headers": {
                "Loopback-Revision": {
                    "description": "The revision of this contract that the server writes.",
                    "schema": {"type": "string"},
                },
                "Loopback-Build": {
                    "description": "When the build that answered was made.",
                    "schema": {"type": "string", "format": "date-time"},
                },
            },
            "securitySchemes": {"BearerAuth": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation) -> Schema:
    described: Schema = {
        "operationId": operation.name,
        "description": operation.summary,
        "security": [{}] if operation.open else [{"BearerAuth": []}],
        "parameters": [*_parameters(operation), REVISION_HEADER],
    }
    if operation.takes is bytes:
        described["requestBody"] = {
            "required": True,
            "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
        }
    elif operation.takes is not None:
        described["requestBody"] = {"required": True, "content": _content(operation.takes)}
    described["responses"] = {
        str(operation.status): {"description": "Done.", "headers": _HEADERS, "content": _content(operation.gives)},
        **{
            str(status): {"description": WHY[status], "headers": _HEADERS, "content": _content(problems.Problem)}
            for status in operation.refuses
        },
    }
    return described


def _parameters(operation: Operation) -> list[Schema]:
    found: list[Schema] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in operation.params
    ]
    if operation.query is not None:
        schema = schemas_of({"Query": operation.query}, REF)[operation.query.__name__]
        for name, each in schema["properties"].items():
            bare = {key: value for key, value in each.items() if key != "description"}
            described = {"description": each["description"]} if "description" in each else {}
            found.append({"name": name, "in": "query", "required": False, **described, "schema": bare})
    return found


def _content(message: Any) -> Schema:
    if message is bytes:
        return {media: {"schema": {"type": "string", "format": "binary"}} for media in IMAGE_TYPES}
    name = getattr(message, "__name__", str(message))
    return {"application/json": {"schema": {"$ref": REF.format(model=name)}}}
