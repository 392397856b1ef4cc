"""Where image bytes are kept: the port. A folder and a bucket implement it, and one suite of tests runs over both."""

import re
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Protocol

from app.core.refusal import Refusal
from contract.problems import Code

_KEY = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class BlobMissing(Exception):
    """There are no bytes under this key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"no bytes are stored under {key}")
        self.key = key


class BlobUnavailable(Refusal):
    """The store cannot be reached, or refuses us: 503 on the wire, and nothing was used up."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.UNAVAILABLE, message)


class BlobStore(Protocol):
    """Bytes under keys.

    A key is one of our ids, new for each attempt to store something, and written once. No method needs the store to
    arbitrate between writers. Each may raise `BlobUnavailable`.
    """

    async def put(self, key: str, data: bytes, content_type: str) -> None:
        """Store the bytes, whole. Once this returns they survive a crash.

        When it raises they may have been stored all the same; nothing names their key, and the sweep removes them.
        """
        ...

    async def get(self, key: str) -> bytes:
        """The bytes as they were put. Raises `BlobMissing` where there are none."""
        ...

    async def delete(self, key: str) -> None:
        """Remove the bytes; nothing happens where there are none."""
        ...

    def keys(self, older_than: datetime) -> AsyncIterator[str]:
        """Each key whose bytes were put before this moment: what a sweep compares with the rows."""
        ...

    async def check(self) -> None:
        """Return if bytes could be stored now."""
        ...

    async def close(self) -> None:
        """Let go of threads and connections."""
        ...


def is_key(name: str) -> bool:
    """Whether this is one of our ids, in the one way that we write them."""
    return _KEY.fullmatch(name) is not None


def require_key(name: str) -> str:
    """The key itself. A key is never made of what a user sent, so any other shape is a bug."""
    if not is_key(name):
        raise ValueError(f"not a blob's key: {name!r}")
    return name
