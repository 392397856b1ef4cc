"""Ids and secrets."""

import hashlib
import secrets
import time
import uuid


def new_id() -> str:
    """An id that sorts by creation: a UUID of version 7."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds << 80) | (0x7 << 76) | (secrets.randbits(12) << 64) | (0b10 << 62) | secrets.randbits(62)
    return str(uuid.UUID(int=value))


def new_secret() -> str:
    """A credential or ticket: 256 bits, safe in an address."""
    return secrets.token_urlsafe(32)


def fingerprint(secret: str) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
