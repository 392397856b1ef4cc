"""What agents send, and what the tools that do not wait give back."""

from typing import Annotated

from pydantic import Field

from contract.base import Int32, Message, Moment, Text
from contract.content import Block, BriefingPoint, BriefingSection, Choice, ImageType

Project = Annotated[
    Text,
    Field(
        min_length=1,
        description=(
            "The project you are working in: the folder name at the root of its repository (what "
            "`git rev-parse --show-toplevel` ends in), or the name of the working directory when there is no repository. "
            "One inbox serves all of a person's projects, and this tells them which one is asking."
        ),
    ),
]


class QuestionInput(Message):
    """A question for the person, with choices if you like; an answer in their own words is always possible.

    The whole of it may be at most 256 KiB.
    """

    question: Text = Field(min_length=1)
    """What you want to know, as markdown."""

    options: tuple[Choice, ...] | None = Field(default=None, min_length=2, max_length=6)
    """Two to six choices; the person sees them as buttons."""

    multiple: bool | None = None
    """True when the person may pick more than one of the choices."""

    context: Text | None = None
    """The background they need in order to answer, as markdown."""

    project: Project


class ReviewInput(Message):
    """Work that the person should approve or comment on.

    The whole of it may be at most 256 KiB: show the part that matters, or make several reviews of it.
    """

    title: Text = Field(min_length=1, max_length=200)

    content: tuple[Block, ...] = Field(min_length=1)
    """What is to be reviewed, in the order it should be read."""

    summary: Text | None = None
    """What has changed, or where to look."""

    revises: Text | None = None
    """After changes were requested: the id of the review that this one revises."""

    project: Project


class BriefingInput(Message):
    """Something explained point by point, so that the person can reply on each: findings, options, steps, changes.

    They may write on any point or mark it resolved; you answer on every point they wrote on, until all are resolved. The
    points are numbered for you, straight through all sections, fifty at most. The whole of it may be at most 256 KiB.
    """

    title: Text = Field(min_length=1, max_length=200)

    summary: Text | None = None
    """In markdown: what is being explained, and why."""

    sections: tuple[BriefingSection, ...] = Field(min_length=1)
    """The points, in lists that may have headings."""

    project: Project


class PointAnswer(Message):
    """What you answer on one point of a briefing."""

    point: Text = Field(min_length=1)
    """The id of the point, `3` or `3.1` for example."""

    answer: Text = Field(min_length=1)
    """Your answer, as markdown."""

    content: tuple[Block, ...] | None = None
    """Anything new to look at with the answer."""

    points: tuple[BriefingPoint, ...] | None = None
    """Sub-points that this point breaks into. They are numbered beneath it (`3.1`, `3.2`, …) and the person can reply on
    each of them in turn. Points are at most three levels deep."""


class BriefingAnswerInput(Message):
    """Your answers on a briefing, one for each point.

    Every point that the person wrote on and left unresolved needs one; any other open point that you have more to say on
    may have one. The whole of it may be at most 256 KiB.
    """

    ask_id: Text = Field(min_length=1)
    answers: tuple[PointAnswer, ...] = Field(min_length=1)


class FollowUpInput(Message):
    """Your answer to what the person asked back. With its content it may be at most 256 KiB."""

    ask_id: Text = Field(min_length=1)

    answer: Text = Field(min_length=1)
    """Your answer, as markdown."""

    content: tuple[Block, ...] | None = None
    """Anything new to look at with the answer."""


class UploadRequest(Message):
    """A request for a place to upload an image to."""

    content_type: ImageType


class UploadTicket(Message):
    """A place to upload one image to, once, until it expires."""

    upload_id: str

    upload_url: str
    """`PUT` the image here, with its `Content-Type`. No credentials are needed."""

    expires_at: Moment
    max_bytes: Int32

    command: str
    """A command that does the upload as it stands once `FILE` is replaced with the path of the image."""


class InboxRequest(Message):
    """Asks for the address of the person's inbox."""

    ask_id: Text | None = None
    """An ask that the address should open. Without it, the address is the inbox itself."""


class InboxLink(Message):
    """Where the person reads and answers all that agents ask."""

    url: str
