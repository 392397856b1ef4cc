"""The event socket: its tickets and its frames; and who the caller is."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from contract.asks import Actor, Ask, Snapshot
from contract.base import Int32, Message, Moment
from contract.content import ImageType


class EventTicket(Message):
    """A pass onto the event socket, for clients that cannot set headers there, as browsers cannot.

    Offer it as the subprotocol `loopback.ticket.<ticket>`, beside `loopback.v1`. It opens the socket once, within a minute:
    a copy found in a log is worth nothing.
    """

    ticket: str
    expires_at: Moment


class Whoami(Message):
    """The caller, and the space they are in."""

    space: str
    actor: Actor


class UploadReceipt(Message):
    """An upload that is stored."""

    upload_id: str
    content_type: ImageType
    size: Int32


class SnapshotEvent(Message):
    """The first frame on the event socket: the state to start from."""

    type: Literal["snapshot"] = "snapshot"
    snapshot: Snapshot


class AskEvent(Message):
    """An ask was opened or has changed: a new turn, its close, or an agent that began or stopped to follow it."""

    type: Literal["ask.opened", "ask.updated"]
    ask: Ask


ServerEvent = TypeAliasType(
    "ServerEvent",
    Annotated[
        SnapshotEvent | AskEvent,
        Field(discriminator="type", description="One frame that the event socket sends."),
    ],
)
