"""What can be done with uploads: issue a ticket, store against it, read, sweep."""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncConnection

from app.blobs.store import BlobMissing, BlobStore
from app.core.addresses import Addresses
from app.core.clock import Clock
from app.core.ids import fingerprint, new_secret
from app.core.refusal import Refusal
from app.database.audit import note
from app.database.database import Database
from app.gate.caller import Caller, Right
from app.uploads import store
from app.uploads.rules.command import upload_command
from app.uploads.rules.images import check_image
from app.uploads.rules.tickets import Ticket, admit, used
from contract.agents import UploadTicket
from contract.content import ImageType
from contract.events import UploadReceipt
from contract.limits import UPLOAD_TICKET_SECONDS
from contract.problems import Code

log = logging.getLogger(__name__)

ORPHAN_AGE = timedelta(hours=1)
SWEPT_AT_ONCE = 500


class Uploads:
    """Images that agents show. The bytes are in a blob store, what is known of them in Postgres."""

    def __init__(
        self,
        database: Database,
        blobs: BlobStore,
        addresses: Addresses,
        *,
        max_bytes: int,
        new_id: Callable[[], str],
        clock: Clock,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._addresses = addresses
        self._max_bytes = max_bytes
        self._new_id = new_id
        self._clock = clock

    async def issue(self, caller: Caller, content_type: ImageType) -> UploadTicket:
        """A ticket for one image."""
        caller.must(Right.ASK)
        id, secret = self._new_id(), new_secret()
        values = {
            "id": id,
            "space": caller.space,
            "actor": caller.actor.id,
            "secret": fingerprint(secret),
            "content_type": content_type,
            "max_bytes": self._max_bytes,
            "seconds": UPLOAD_TICKET_SECONDS,
        }
        async with self._database.read() as conn:
            expires_at = await store.issue(conn, values)
        url = self._addresses.upload(caller.space, secret)
        command = upload_command(url, content_type)
        return UploadTicket(upload_id=id, upload_url=url, expires_at=expires_at, max_bytes=self._max_bytes, command=command)

    async def admit(self, space: str, secret: str) -> Ticket:
        """The ticket, if it may be used now: else 404 `upload.not_found`, 410 `upload.used` or `upload.expired`."""
        async with self._database.read() as conn:
            found = await store.ticket(conn, space, fingerprint(secret))
        return admit(*(found or (None, self._clock())))

    async def store(self, ticket: Ticket, data: bytes, origin: str) -> UploadReceipt:
        """Store the image and use the ticket up. A refusal leaves the ticket good; of two at once one gets 410."""
        await asyncio.to_thread(check_image, data, ticket.content_type)
        key = self._new_id()
        await self._blobs.put(key, data, ticket.content_type)
        async with self._database.begin() as conn:
            digest = hashlib.sha256(data).digest()
            claimed = await store.claim(conn, ticket.id, key=key, size=len(data), sha256=digest)
            if claimed:
                await note(
                    conn,
                    "upload.stored",
                    space=ticket.space,
                    actor=ticket.actor,
                    credential=None,
                    origin=origin,
                    subject=ticket.id,
                )
        if not claimed:
            await self._blobs.delete(key)
            raise used()
        return UploadReceipt(upload_id=ticket.id, content_type=ticket.content_type, size=len(data))

    async def read(self, caller: Caller, upload_id: str) -> tuple[ImageType, bytes]:
        """A stored image of the caller's space, with the type it was stored as."""
        async with self._database.read() as conn:
            row = await store.stored(conn, caller.space, upload_id)
        if row is None:
            raise Refusal(Code.FILE_NOT_FOUND, f"there is no image {upload_id[:80]!r} in this inbox")
        try:
            return row["content_type"], await self._blobs.get(row["object_key"])
        except BlobMissing:
            log.error("the bytes of upload %s are missing in the blob store", upload_id)
            raise Refusal(Code.FILE_NOT_FOUND, "the bytes of this image are missing in the server's store") from None

    async def stored(self, conn: AsyncConnection, space: str, ids: tuple[str, ...]) -> set[str]:
        """Those of the ids that are stored uploads of the space."""
        return await store.which_stored(conn, space, list(ids)) if ids else set()

    async def sweep(self) -> None:
        """Remove expired tickets, and bytes older than an hour that no row names."""
        async with self._database.read() as conn:
            await store.drop_expired(conn)
        batch: list[str] = []
        async for key in self._blobs.keys(self._clock() - ORPHAN_AGE):
            batch.append(key)
            if len(batch) >= SWEPT_AT_ONCE:
                await self._drop_orphans(batch)
                batch = []
        await self._drop_orphans(batch)

    async def _drop_orphans(self, keys: list[str]) -> None:
        if not keys:
            return
        async with self._database.read() as conn:
            known = await store.known_keys(conn, keys)
        for key in keys:
            if key not in known:
                await self._blobs.delete(key)
