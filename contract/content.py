"""What is shown to the person: blocks of markdown, code, a diff or an image, and the points of a briefing."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from contract.base import Message, Text

ImageType = TypeAliasType(
    "ImageType",
    Annotated[
        Literal["image/png", "image/jpeg", "image/webp", "image/gif"],
        Field(description="The image formats an agent may upload to show with an ask."),
    ],
)


class MarkdownBlock(Message):
    """Prose, copy or a plan, written in GitHub-flavoured markdown."""

    type: Literal["markdown"] = "markdown"
    text: Text = Field(min_length=1)


class CodeBlock(Message):
    """Source code; the person sees it highlighted."""

    type: Literal["code"] = "code"
    code: Text = Field(min_length=1)

    language: Text | None = None
    """The language by a name highlighters know, `ts` or `python` for example."""

    filename: Text | None = None


class DiffBlock(Message):
    """A unified diff, in the form `git diff` prints."""

    type: Literal["diff"] = "diff"
    diff: Text = Field(min_length=1)
    filename: Text | None = None


class ImageBlock(Message):
    """An image that was uploaded before, with an upload ticket."""

    type: Literal["image"] = "image"
    upload_id: Text = Field(min_length=1)
    caption: Text | None = None


Block = TypeAliasType(
    "Block",
    Annotated[
        MarkdownBlock | CodeBlock | DiffBlock | ImageBlock,
        Field(discriminator="type", description="One piece of what the person is shown."),
    ],
)


class Choice(Message):
    """A choice that a question offers."""

    label: Text = Field(min_length=1, max_length=80)
    description: Text | None = None


class BriefingPoint(Message):
    """A point of a briefing: one line that the person sees folded, and what is beneath it once opened."""

    title: Text = Field(min_length=1, max_length=200)
    """The whole point in one line; this is what is seen while it is folded."""

    detail: Text | None = None
    """The explanation, as markdown, seen once the person opens the point."""

    content: tuple[Block, ...] | None = None
    """What there is to look at with it: code, a diff, an image."""


class BriefingSection(Message):
    """Points in a list, under a heading if there is one."""

    title: Text | None = None
    points: tuple[BriefingPoint, ...] = Field(min_length=1)
