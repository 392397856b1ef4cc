"""Session ids that need no memory: each carries the client's name and version and the protocol's, signed.

A session kept here would be gone after a restart, and some clients never come back from that. The nonce lets one session end without
ending the others of the same client.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

REMEMBERED = 10_000


@dataclass(frozen=True)
class Session:
    """What an id says."""

    client: str | None
    protocol: str | None
    nonce: str


class Sessions:
    """Signs ids, and reads them back."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key
        self._ended: OrderedDict[str, None] = OrderedDict()

    def sign(self, client: str | None, protocol: str | None) -> str:
        """A new session's id."""
        said = json.dumps([client, protocol, secrets.token_hex(8)], separators=(",", ":"))
        payload = base64.urlsafe_b64encode(said.encode()).decode().rstrip("=")
        return f"{payload}.{self._signature(payload)}"

    def read(self, id: str) -> Session | None:
        """What the id says; None where we did not sign it, or it has ended."""
        payload, _, signature = id.partition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(payload).encode()):
            return None
        client, protocol, nonce = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return None if nonce in self._ended else Session(client, protocol, nonce)

    def end(self, session: Session) -> None:
        """End one session."""
        self._ended[session.nonce] = None
        while len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)

    def _signature(self, payload: str) -> str:
        return hmac.new(self._key(), payload.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
