"""An ask as everybody sees it: its prompt, its thread, where it stands."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from contract.base import Message, Moment, Text
from contract.content import Block, BriefingPoint, Choice
from contract.people import Reply

AskKind = TypeAliasType(
    "AskKind",
    Annotated[
        Literal["question", "review", "briefing"],
        Field(
            description="What an agent wants: an answer to a question, a verdict on work it did, or the person's word on "
            "each point of something it explained."
        ),
    ],
)

AskStatus = TypeAliasType(
    "AskStatus",
    Annotated[
        Literal["awaiting_human", "awaiting_agent", "closed"],
        Field(description="Where an ask stands. An open ask is either the person's move or the agent's."),
    ],
)


class QuestionPrompt(Message):
    """A question, in the form the person sees."""

    question: str
    options: tuple[Choice, ...]
    multiple: bool
    context: str | None = None


class ReviewPrompt(Message):
    """A review, in the form the person sees."""

    title: str
    content: tuple[Block, ...]
    summary: str | None = None


class Point(BriefingPoint):
    """A point of a briefing in the form the person sees, with the id by which replies name it."""

    id: str
    """`3` is the third point of the briefing, `3.1` the first beneath it."""


class BriefingPromptSection(Message):
    """A list of a briefing's points, in the form the person sees."""

    title: str | None = None
    points: tuple[Point, ...]


class BriefingPrompt(Message):
    """A briefing, in the form the person sees; sub-points that the agent adds later are not in it."""

    title: str
    summary: str | None = None
    sections: tuple[BriefingPromptSection, ...]


class Actor(Message):
    """Somebody the deployment's gate knows: a person, or the agent that a person authorised."""

    id: str
    """Stable within the deployment; the gate gives it."""

    name: str | None = None
    """What to call them, where the gate knows it."""


class HumanEntry(Message):
    """A reply that the person gave."""

    author: Literal["human"] = "human"
    reply: Reply

    by: Actor | None = None
    """Whose reply it is, where the deployment knows."""

    at: Moment


class AgentEntry(Message):
    """An answer that the agent gave: to what was asked back, or on a point of a briefing."""

    author: Literal["agent"] = "agent"
    answer: Text
    content: tuple[Block, ...] | None = None

    point: str | None = None
    """The point of the briefing that this answers."""

    points: tuple[Point, ...] | None = None
    """The sub-points that the answer broke the point into, with their ids."""

    at: Moment


Entry = TypeAliasType(
    "Entry",
    Annotated[
        HumanEntry | AgentEntry,
        Field(discriminator="author", description="One turn of an ask's thread, after the ask was opened."),
    ],
)


class AskCommon(Message):
    """What an ask of any kind carries."""

    id: str
    status: AskStatus

    waiting: bool
    """True while an agent follows this ask: it holds a call open for it, or polls it as a background task."""

    project: str | None = None

    client: str | None = None
    """The MCP client that asked, `claude-code 2.1.0` for example."""

    raised_by: Actor | None = None
    """Whose agent asked: the person to whom its credential belongs, where the deployment knows."""

    thread: tuple[Entry, ...]
    """All turns since the ask was opened, the oldest first."""

    created_at: Moment
    updated_at: Moment
    closed_at: Moment | None = None


class QuestionAsk(AskCommon):
    """A question that an agent asked."""

    kind: Literal["question"] = "question"
    prompt: QuestionPrompt


class ReviewAsk(AskCommon):
    """Work that an agent put up for review."""

    kind: Literal["review"] = "review"
    prompt: ReviewPrompt

    revises: str | None = None
    """The id of the review that this one revises."""


class BriefingAsk(AskCommon):
    """Points that an agent explained, for the person to reply on one by one."""

    kind: Literal["briefing"] = "briefing"
    prompt: BriefingPrompt


Ask = TypeAliasType(
    "Ask",
    Annotated[
        QuestionAsk | ReviewAsk | BriefingAsk,
        Field(
            discriminator="kind",
            description="Something that an agent needs from a person: a short thread that a reply ends.",
        ),
    ],
)


class ToolReply(Message):
    """What a waiting MCP tool gives back: the reply that ended the wait."""

    ask_id: str
    reply: Reply


class Snapshot(Message):
    """Every open ask, the newest first, and those closed most recently."""

    open: tuple[Ask, ...]
    recent: tuple[Ask, ...]


class AskPage(Message):
    """A page of closed asks, the newest first."""

    items: tuple[Ask, ...]

    next_before: Moment | None = None
    """The `before` of the next page. Absent on the last one."""
