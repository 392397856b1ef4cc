"""What can be done with asks. One use-case is one transaction and one announcement."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncConnection

from app.asks.rules import answers, images, opening, sizes, turns
from app.asks.store import following, reading, replies, writing
from app.asks.store.rows import StoredAsk
from app.core.refusal import Refusal
from app.database.database import Database
from app.gate.caller import Caller, Right
from contract.agents import BriefingAnswerInput, BriefingInput, FollowUpInput, QuestionInput, ReviewInput
from contract.asks import Ask, AskStatus
from contract.base import format_moment
from contract.limits import IDEMPOTENCY_SECONDS, JOIN_SECONDS, PAGE, RECENT
from contract.people import Reply
from contract.problems import Code
from contract.tools import ListedAsk, ListedAsks

AskInput = QuestionInput | ReviewInput | BriefingInput
AnswerInput = FollowUpInput | BriefingAnswerInput

TITLE_LENGTH = 200
LISTED = 50


class Images(Protocol):
    """What asks need to know of uploads."""

    async def stored(self, conn: AsyncConnection, space: str, ids: tuple[str, ...]) -> set[str]: ...


@dataclass(frozen=True)
class Followed:
    """An ask that a call follows, and the entry of its thread from which on a reply ends the wait."""

    space: str
    ask_id: str
    follower: str
    cursor: int
    given_before: bool = False
    """The reply was there before this call."""


class Asks:
    """Open, answer, reply, read, snapshot, page."""

    def __init__(self, database: Database, images: Images, *, replica: str, new_id: Callable[[], str]) -> None:
        self._database = database
        self._images = images
        self._replica = replica
        self._new_id = new_id

    # --- agents -------------------------------------------------------------------------------------------------------------

    async def open(self, caller: Caller, tool: str, input: AskInput, *, client: str | None) -> Followed:
        """Put an ask before the person and follow it; the same call again follows the ask that it opened.

        Refused with 422 `request.invalid` naming every field at fault, or 413 `too_large`.
        """
        caller.must(Right.ASK)
        opening.check_input(input)
        call = _digest(tool, caller.actor.id, input.to_json())
        async with self._database.begin() as conn:
            taken = await writing.take(conn, caller.space)
            earlier = await replies.latest_call(conn, caller.space, call, caller.actor.id)
            if earlier and await _joinable(conn, earlier, taken.at):
                return await self._join(conn, taken, earlier)
            await self._check_references(conn, caller.space, input)
            ask = opening.open_ask(input, id=self._new_id(), raised_by=caller.actor, client=client, at=taken.at)
            follower = self._new_id()
            await writing.open_ask(
                conn,
                taken,
                ask,
                title=_title(input),
                call=call,
                by=_by(caller),
                follower=follower,
                replica=self._replica,
            )
        return Followed(caller.space, ask.id, follower, 0)

    async def answer(self, caller: Caller, input: AnswerInput) -> Followed:
        """Answer what the person asked back, and follow the ask on.

        The answers given last, sent again, add nothing as long as no reply after them has reached the agent.
        """
        caller.must(Right.ASK)
        sizes.check_size(input)
        async with self._database.begin() as conn:
            taken = await writing.take(conn, caller.space)
            stored = await self._own(conn, caller, input.ask_id)
            ask = stored.message()
            if answers.repeats_last_answers(ask, input) and not await _is_delivered(conn, ask):
                return await self._join(conn, taken, stored)
            answered = answers.answer(ask, input, at=taken.at)
            images.check_images(input, await self._images.stored(conn, caller.space, images.image_upload_ids(input)))
            follower = self._new_id()
            await writing.save_answer(conn, taken, answered, by=_by(caller), follower=follower, replica=self._replica)
        return Followed(caller.space, ask.id, follower, len(answered.thread))

    async def follow(self, caller: Caller, ask_id: str) -> Followed:
        """Follow an ask that the caller's actor raised, from its latest reply on."""
        caller.must(Right.ASK)
        async with self._database.begin() as conn:
            taken = await writing.take(conn, caller.space)
            return await self._join(conn, taken, await self._own(conn, caller, ask_id))

    async def raised(self, caller: Caller, *, project: str | None, status: AskStatus | None) -> ListedAsks:
        """The asks that the caller's actor raised, newest first, at most fifty."""
        caller.must(Right.ASK)
        async with self._database.read() as conn:
            rows = await replies.raised(conn, caller.space, caller.actor.id, project=project, status=status, most=LISTED)
        return ListedAsks(
            asks=tuple(
                ListedAsk(
                    ask_id=row["id"],
                    kind=row["kind"],
                    title=row["title"],
                    project=row["project"],
                    status=row["status"],
                    outcome=row["outcome"],
                    delivered=row["outcome"] is None or row["delivered_at"] is not None,
                    created_at=row["created_at"],
                )
                for row in rows
            )
        )

    async def delivered(self, ask_id: str, entry: int) -> None:
        """Note that this reply has reached its agent."""
        async with self._database.begin() as conn:
            await replies.mark_delivered(conn, ask_id, entry)

    # --- people -------------------------------------------------------------------------------------------------------------

    async def reply(self, caller: Caller, ask_id: str, reply: Reply, *, key: str | None = None) -> str:
        """Reply to an ask; the ask as it then is, as JSON.

        The same reply again while the ask is where that reply left it, or with the same key within 24 hours, changes nothing
        and gives the ask. Refused with 404 `ask.not_found`, 409 `ask.closed` or `ask.agents_turn`, 422 `reply.invalid` or
        `idempotency.mismatch`.
        """
        caller.must(Right.REPLY)
        body = _digest(reply.to_json())
        async with self._database.begin() as conn:
            taken = await writing.take(conn, caller.space)
            stored = await reading.read(conn, caller.space, ask_id)
            if key is not None:
                known = await replies.body_of_key(conn, ask_id, caller.actor.id, key, IDEMPOTENCY_SECONDS)
                if known is not None and known != body:
                    raise Refusal(Code.IDEMPOTENCY_MISMATCH, "this Idempotency-Key was used for another reply: send a new key")
                if known is not None:
                    return await _unchanged(conn, stored)
            ask = stored.message()
            if turns.already_given(ask, reply, by=caller.actor):
                return await _unchanged(conn, stored)
            replied = turns.reply_to(ask, reply, by=caller.actor, at=taken.at)
            await writing.save_reply(
                conn,
                taken,
                replied,
                entry=len(ask.thread),
                outcome=reply.outcome,
                key=key,
                body=body,
                by=_by(caller),
            )
        return replied.to_json()

    async def read(self, caller: Caller, ask_id: str) -> str:
        """One ask, as JSON."""
        async with self._database.read() as conn:
            return (await reading.read(conn, caller.space, ask_id)).wire

    async def stored(self, space: str, ask_id: str) -> StoredAsk:
        """One ask as its row has it."""
        async with self._database.read() as conn:
            return await reading.read(conn, space, ask_id)

    async def version(self, space: str) -> int:
        """The space's version now."""
        async with self._database.read() as conn:
            return await reading.version(conn, space)

    async def snapshot(self, space: str) -> tuple[int, str, frozenset[str]]:
        """Every open ask and the fifty most recently closed: the version of the space that is shown, JSON, the asks' ids."""
        async with self._database.snapshot() as conn:
            version = await reading.version(conn, space)
            open_asks = await reading.every_open(conn, space)
            recent, _ = await reading.closed(conn, space, before=None, most=RECENT)
        body = f'{{"open":{_array(open_asks)},"recent":{_array(recent)}}}'
        return version, body, frozenset(ask.id for ask in (*open_asks, *recent))

    async def page(self, caller: Caller, *, before: datetime | None, limit: int | None) -> str:
        """A page of closed asks, newest first, as JSON."""
        async with self._database.read() as conn:
            items, next_before = await reading.closed(conn, caller.space, before=before, most=limit or PAGE)
        more = f',"nextBefore":"{format_moment(next_before)}"' if next_before else ""
        return f'{{"items":{_array(items)}{more}}}'

    # --- inside -------------------------------------------------------------------------------------------------------------

    async def _join(self, conn: AsyncConnection, taken: writing.Taken, stored: StoredAsk) -> Followed:
        """Follow an ask that is there already, from its latest reply on, if it has one that ends a wait."""
        ask = stored.message()
        latest = turns.latest_reply(ask)
        follower = self._new_id()
        if latest is None:
            await following.follow(conn, ask.id, follower, self._replica)
            if not ask.waiting:
                await following.settle(conn, taken, ask.id)
            return Followed(stored.space, ask.id, follower, len(ask.thread))
        return Followed(stored.space, ask.id, follower, latest[0], given_before=True)

    async def _own(self, conn: AsyncConnection, caller: Caller, ask_id: str) -> StoredAsk:
        """An ask that the caller's actor raised; another's is not found."""
        stored = await reading.find(conn, caller.space, ask_id)
        if stored is None or stored.raised_by != caller.actor.id:
            raise Refusal(Code.ASK_NOT_FOUND, f"there is no ask {ask_id[:80]!r} that you raised: list_asks names them")
        return stored

    async def _check_references(self, conn: AsyncConnection, space: str, input: AskInput) -> None:
        images.check_images(input, await self._images.stored(conn, space, images.image_upload_ids(input)))
        if isinstance(input, ReviewInput) and input.revises is not None:
            revised = await reading.find(conn, space, input.revises)
            opening.check_revises(revised.message() if revised else None, input.revises)


async def _joinable(conn: AsyncConnection, ask: StoredAsk, at: datetime) -> bool:
    """Whether the same call joins this ask: it is open, or its reply has not reached the agent within the day."""
    if ask.is_open:
        return True
    given = await replies.latest_reply(conn, ask.id)
    return given is not None and given.delivered_at is None and given.at > at - timedelta(seconds=JOIN_SECONDS)


async def _is_delivered(conn: AsyncConnection, ask: Ask) -> bool:
    """Whether the agent has the reply that came after its last answers."""
    if turns.latest_reply(ask) is None:
        return False
    given = await replies.latest_reply(conn, ask.id)
    return given is not None and given.delivered_at is not None


async def _unchanged(conn: AsyncConnection, stored: StoredAsk) -> str:
    await conn.rollback()
    return stored.wire


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\x00".join(parts).encode()).digest()


def _title(input: AskInput) -> str:
    words = input.question if isinstance(input, QuestionInput) else input.title
    line = " ".join(words.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"


def _by(caller: Caller) -> writing.By:
    return writing.By(caller.actor.id, caller.credential, caller.origin)


def _array(asks: list[StoredAsk]) -> str:
    return f"[{','.join(ask.wire for ask in asks)}]"
