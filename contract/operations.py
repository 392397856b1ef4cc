"""Every REST operation, in one table: what it takes, what it gives, how it may refuse."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from contract.asks import Ask, AskPage, Snapshot
from contract.base import Int32, Message, Moment
from contract.content import ImageType
from contract.events import EventTicket, UploadReceipt, Whoami
from contract.limits import PAGE_MOST
from contract.people import Reply

BASE = "/api/v1"
EVENTS = "/events"

IMAGE_TYPES: tuple[ImageType, ...] = ("image/png", "image/jpeg", "image/webp", "image/gif")


class AskQuery(Message):
    """Which closed asks a page holds."""

    before: Moment | None = None
    """Only asks that were closed before this moment."""

    limit: Int32 | None = Field(default=None, ge=1, le=PAGE_MOST)


@dataclass(frozen=True)
class Operation:
    """One operation of the contract. `gives` and `takes` are messages, or `bytes` for an image."""

    name: str
    method: Literal["GET", "POST", "PUT"]
    path: str
    summary: str
    gives: Any
    status: int = 200
    refuses: tuple[int, ...] = ()
    query: type[Message] | None = None
    takes: Any = None
    open: bool = False

    @property
    def params(self) -> tuple[str, ...]:
        """The names in the path, in order."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))


WHOAMI = Operation("whoami", "GET", "/whoami", "The space that the credentials open.", Whoami, refuses=(401,))

EVENT_TICKET = Operation(
    "issueEventTicket",
    "POST",
    "/events/tickets",
    "A pass, good once, onto the event socket at `/api/v1/events`.",
    EventTicket,
    status=201,
    refuses=(401,),
)

SNAPSHOT = Operation(
    "readSnapshot",
    "GET",
    "/snapshot",
    "Every open ask and the fifty that were closed most recently: what an inbox starts from.",
    Snapshot,
    refuses=(401,),
)

LIST_ASKS = Operation(
    "listAsks",
    "GET",
    "/asks",
    "Closed asks, the newest first, to page back through history.",
    AskPage,
    refuses=(401,),
    query=AskQuery,
)

READ_ASK = Operation("readAsk", "GET", "/asks/{id}", "One ask.", Ask, refuses=(401, 404))

REPLY = Operation(
    "replyToAsk",
    "POST",
    "/asks/{id}/reply",
    "Reply to an ask. 409 when the ask is closed or it is the agent's turn, though a briefing may be dismissed during the "
    "agent's turn. 422 when the reply does not fit: `answered` is for questions and needs a choice or text, its choices "
    "are among those offered, and are more than one only where several are allowed; `approved` and `changes_requested` are "
    "for reviews; `responded` is for briefings, names each of their points at most once, with words or as resolved, and "
    "either resolves every point or leaves the agent a point to answer. A briefing takes no `follow_up`.",
    Ask,
    refuses=(401, 404, 409, 422),
    takes=Reply,
)

READ_FILE = Operation("readFile", "GET", "/files/{uploadId}", "An image that was uploaded.", bytes, refuses=(401, 404))

STORE_UPLOAD = Operation(
    "storeUpload",
    "PUT",
    "/uploads/{spaceId}/{token}",
    "Store an image against an upload ticket. The address is the credential: it is good once, for fifteen minutes, for the "
    "content type that was declared and up to the ticket's `maxBytes`.",
    UploadReceipt,
    status=201,
    refuses=(404, 410, 413, 422),
    takes=bytes,
    open=True,
)

OPERATIONS = (WHOAMI, EVENT_TICKET, SNAPSHOT, LIST_ASKS, READ_ASK, REPLY, READ_FILE, STORE_UPLOAD)
