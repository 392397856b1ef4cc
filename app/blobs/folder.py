"""Image bytes in a folder: the store of an inbox that has one server."""

import logging
import os
import secrets
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from app.blobs.store import BlobMissing, BlobUnavailable, is_key, require_key
from app.blobs.threads import Threads

log = logging.getLogger(__name__)

_UNFINISHED = ".part"
_FAN = 2  # an id ends in random digits: the last two make 256 folders, evenly filled


class FolderBlobs:
    """A `BlobStore` in `root`, which is made, open to this user only, if it is not there.

    A file appears whole or not at all: it is written and fsynced under another name, then linked to its own.
    """

    def __init__(self, root: Path, *, patience: float = 30) -> None:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._root = root
        self._threads = Threads(8, patience)

    async def put(self, key: str, data: bytes, content_type: str) -> None:
        path = self._path(key)
        with self._explained("store an image"):
            await self._threads.run(_write, path, data)

    async def get(self, key: str) -> bytes:
        path = self._path(key)
        with self._explained("read an image"):
            try:
                return await self._threads.run(path.read_bytes)
            except FileNotFoundError:
                if await self._threads.run(self._root.is_dir):
                    raise BlobMissing(key) from None
                raise  # the folder itself is gone, as when a volume is not mounted: that says nothing about the image

    async def delete(self, key: str) -> None:
        path = self._path(key)
        with self._explained("delete an image"):
            await self._threads.run(path.unlink, missing_ok=True)

    async def keys(self, older_than: datetime) -> AsyncIterator[str]:
        """As the port says; what a crash left unfinished before that moment is removed on the way."""
        moment = older_than.timestamp()
        with self._explained("list the images"):
            folders = await self._threads.run(_folders, self._root)
        for folder in folders:
            with self._explained("list the images"):
                keys = await self._threads.run(_older, folder, moment)
            for key in keys:
                yield key

    async def check(self) -> None:
        with self._explained("store an image"):
            await self._threads.run(_probe, self._root)

    async def close(self) -> None:
        self._threads.close()

    def _path(self, key: str) -> Path:
        return self._root / require_key(key)[-_FAN:] / key

    @contextmanager
    def _explained(self, what: str) -> Generator[None]:
        try:
            yield
        except FileExistsError:
            raise  # a key used twice: a bug, not the disk's fault
        except OSError as error:
            reason = error.strerror or "it does not answer"
            log.error("Could not %s in %s: %s", what, self._root, reason)
            raise BlobUnavailable(
                f"The server could not {what}: {reason}. Try again; if it stays so, look at the server's data folder."
            ) from error


def _write(path: Path, data: bytes) -> None:
    _make(path.parent)
    unfinished = path.parent / f".{path.name}.{secrets.token_hex(4)}{_UNFINISHED}"
    try:
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(unfinished, path)  # unlike a rename, refuses to replace
    finally:
        unfinished.unlink(missing_ok=True)
    _sync(path.parent)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    _sync(folder.parent)


def _sync(folder: Path) -> None:
    """Make the folder's own entries, new names among them, survive a crash."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _folders(root: Path) -> list[Path]:
    with os.scandir(root) as entries:
        return [Path(entry.path) for entry in entries if len(entry.name) == _FAN and entry.is_dir(follow_symlinks=False)]


def _older(folder: Path, moment: float) -> list[str]:
    keys: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.stat(follow_symlinks=False).st_mtime >= moment:
                    continue
            except FileNotFoundError:
                continue
            if is_key(entry.name):
                keys.append(entry.name)
            elif entry.name.endswith(_UNFINISHED):
                Path(entry.path).unlink(missing_ok=True)
    return keys


def _probe(root: Path) -> None:
    probe = root / f".{secrets.token_hex(4)}{_UNFINISHED}"
    try:
        probe.write_bytes(b"could be stored")
    finally:
        probe.unlink(missing_ok=True)
