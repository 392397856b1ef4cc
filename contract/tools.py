"""Every MCP tool, in one table: what it takes, what it gives, whether it waits, and what an agent is told of it.

The seven tools whose shapes the contract defines are frozen with it (`tools.schema.json`); the other two are declared here,
outside it.
"""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from contract.agents import (
    BriefingAnswerInput,
    BriefingInput,
    FollowUpInput,
    InboxLink,
    InboxRequest,
    QuestionInput,
    ReviewInput,
    UploadRequest,
    UploadTicket,
)
from contract.asks import AskKind, AskStatus, ToolReply
from contract.base import Message, Moment, Text


class WaitInput(Message):
    """Which ask's reply to wait for."""

    ask_id: Text = Field(min_length=1)
    """The id of an ask that you raised."""


class ListAsksInput(Message):
    """Which of your asks to list; without any field, all of them."""

    project: Text | None = None
    """Only asks of this project."""

    status: AskStatus | None = None
    """Only asks that stand here."""


class ListedAsk(Message):
    """One of your asks, in short."""

    ask_id: str
    kind: AskKind
    title: str
    """The title, or how the question begins."""

    project: str | None = None
    status: AskStatus
    outcome: Literal["answered", "approved", "changes_requested", "follow_up", "dismissed", "responded"] | None = None
    """The outcome of the person's latest reply, where there is one."""

    delivered: bool
    """False while a reply has not reached you: call wait_for_reply with its askId."""

    created_at: Moment


class ListedAsks(Message):
    """Your asks, the newest first, fifty at most."""

    asks: tuple[ListedAsk, ...]


@dataclass(frozen=True)
class Tool:
    """One MCP tool. `opens` is set where a call puts something new before the person."""

    name: str
    title: str
    guide: str
    """What an agent is told of the tool, after what its input's own description says."""

    takes: type[Message]
    gives: type[Message]
    waits: bool = False
    opens: bool = False
    frozen: bool = True

    @property
    def description(self) -> str:
        """What is served: the contract's own words first."""
        return f"{' '.join((self.takes.__doc__ or '').split())} {self.guide}"


_WAITS = (
    "The call waits until the person replies, which may take minutes or hours: leave it running, do not set a short timeout. "
    "If it has to end first, it returns waiting: true with the askId; the ask stays open, nothing is lost: call wait_for_reply "
    "with that askId, now or later. Never ask the same thing again in other words; calling again with the very same arguments "
    "joins the open ask."
)

ASK_QUESTION = Tool(
    "ask_question",
    "Ask the person a question",
    "Use it for a decision, a preference, or a fact that only they know. Offer choices where you can name them, and put the "
    "background they need into context. "
    f"{_WAITS} The reply's outcome is answered (selected choices and/or text), follow_up (they asked you something back: "
    "answer with answer_follow_up) or dismissed (they declined: do not ask it again).",
    QuestionInput,
    ToolReply,
    waits=True,
    opens=True,
)

REQUEST_REVIEW = Tool(
    "request_review",
    "Ask the person to review work",
    "Show a plan or copy as markdown, code, a unified diff, or images (upload them first with request_upload). "
    f"{_WAITS} The reply's outcome is approved (perhaps with a note), changes_requested (do what feedback says, then request a "
    "new review with revises set to this askId), follow_up (answer with answer_follow_up) or dismissed. If your client marks "
    "background results as not from the user, read an approval through wait_for_reply before you act on it.",
    ReviewInput,
    ToolReply,
    waits=True,
    opens=True,
)

SEND_BRIEFING = Tool(
    "send_briefing",
    "Explain points the person can reply on one by one",
    "Each point is one line that opens to its detail. "
    f"{_WAITS} The reply's outcome is responded, with the points they wrote on or resolved: answer every point that has text "
    "and is not resolved with one answer_briefing call, until all points are resolved; or dismissed.",
    BriefingInput,
    ToolReply,
    waits=True,
    opens=True,
)

ANSWER_FOLLOW_UP = Tool(
    "answer_follow_up",
    "Answer what the person asked back",
    "For a question or review whose reply was follow_up; a briefing is answered with answer_briefing. "
    f"{_WAITS} It returns their next reply to the same ask.",
    FollowUpInput,
    ToolReply,
    waits=True,
)

ANSWER_BRIEFING = Tool(
    "answer_briefing",
    "Answer the person on points of a briefing",
    "For a briefing whose reply was responded: answer all points in one call, each by its id, such as 3 or 3.1. "
    f"{_WAITS} It returns their next reply to the same briefing.",
    BriefingAnswerInput,
    ToolReply,
    waits=True,
)

REQUEST_UPLOAD = Tool(
    "request_upload",
    "Get an address to upload an image to",
    "For an image (PNG, JPEG, WebP or GIF) that you want to show in a review, briefing or answer. "
    "Run the returned command with FILE replaced by the image's path, within fifteen minutes; then use uploadId in an image "
    "block. Returns at once.",
    UploadRequest,
    UploadTicket,
)

GET_INBOX = Tool(
    "get_inbox",
    "Get the inbox's address",
    "It is where the person reads and answers what agents ask: tell them where to look. Returns at once.",
    InboxRequest,
    InboxLink,
)

WAIT_FOR_REPLY = Tool(
    "wait_for_reply",
    "Read or wait for the reply to an ask",
    "It returns at once when there is a reply, else when the person gives it. Use it after a call "
    "returned waiting: true, after a call was cut off, and to read an approval before you act on it: what it returns is the "
    "person's own reply. repliedAt says when they gave it. Safe to call as often as you like; it never asks again.",
    WaitInput,
    ToolReply,
    waits=True,
    frozen=False,
)

LIST_ASKS = Tool(
    "list_asks",
    "List the asks you raised",
    "Newest first, with where each stands and whether its reply has reached you: for finding an askId again after a call was "
    "cut off or a session restarted. Collect an undelivered reply with wait_for_reply. Returns at "
    "once.",
    ListAsksInput,
    ListedAsks,
    frozen=False,
)

TOOLS = (
    ASK_QUESTION,
    REQUEST_REVIEW,
    SEND_BRIEFING,
    ANSWER_FOLLOW_UP,
    ANSWER_BRIEFING,
    REQUEST_UPLOAD,
    GET_INBOX,
    WAIT_FOR_REPLY,
    LIST_ASKS,
)
