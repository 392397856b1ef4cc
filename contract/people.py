"""What people send: the six replies."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from contract.base import Message, Text


class Answered(Message):
    """A question answered: with choices, with words, or with both."""

    outcome: Literal["answered"] = "answered"
    selected: tuple[Text, ...]
    text: Text | None = None


class Approved(Message):
    """A review approved, perhaps with a note."""

    outcome: Literal["approved"] = "approved"
    note: Text | None = None


class ChangesRequested(Message):
    """A review sent back, with what should change."""

    outcome: Literal["changes_requested"] = "changes_requested"
    feedback: Text = Field(min_length=1)


class FollowUp(Message):
    """A question asked back before the decision. The ask stays open until the agent has answered."""

    outcome: Literal["follow_up"] = "follow_up"
    question: Text = Field(min_length=1)


class Dismissed(Message):
    """Turned down without an answer."""

    outcome: Literal["dismissed"] = "dismissed"


class PointReply(Message):
    """What the person says on one point of a briefing: words, that it is resolved, or both."""

    point: Text = Field(min_length=1)

    text: Text | None = None
    """Their words: a question, an objection, a comment."""

    resolved: bool | None = None
    """True when they are done with the point and with all that lies beneath it."""


class Responded(Message):
    """Replies on points of a briefing.

    The agent answers each point that has words and is not resolved; the briefing closes when every point is resolved.
    """

    outcome: Literal["responded"] = "responded"
    points: tuple[PointReply, ...] = Field(min_length=1)


Reply = TypeAliasType(
    "Reply",
    Annotated[
        Answered | Approved | ChangesRequested | FollowUp | Dismissed | Responded,
        Field(
            discriminator="outcome",
            description="What a person replies. After a `follow_up`, and after a `responded` that leaves a point "
            "unresolved, it is the agent's move; every other reply closes the ask.",
        ),
    ],
)
