"""uvicorn's HTTP protocol, with one thing more: the app can ask whether the peer has acknowledged the last byte.

A `send` returns once bytes are buffered here: to it, a laptop that sleeps looks like success. Behind a proxy this is the proxy's
word.
"""

import asyncio
import fcntl
import struct
import sys
import termios
from typing import Any

from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

ACKNOWLEDGED = "acknowledged"
"""In `scope["extensions"]`: `async (seconds) -> bool`, to be awaited after the response's last byte was sent."""

_TIOCOUTQ = getattr(termios, "TIOCOUTQ", None) if sys.platform == "linux" else None


class AcknowledgingProtocol(HttpToolsProtocol):
    """Puts `acknowledged` into the scope's extensions."""

    _left_at_eof: int | None = None

    @override
    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        scope: dict[str, Any] | None = getattr(self, "scope", None)
        if scope is not None:
            scope.setdefault("extensions", {})[ACKNOWLEDGED] = self.acknowledged

    @override
    def eof_received(self) -> None:
        # A peer that has closed its side acknowledges nothing later: neither what is outstanding now nor what is still to be sent.
        unanswered = self.cycle and not self.cycle.response_complete
        self._left_at_eof = None if unanswered else self._outstanding()
        super().eof_received()

    async def acknowledged(self, seconds: float) -> bool:
        """Whether the peer's kernel took every byte within so many seconds."""
        clock = asyncio.get_running_loop().time
        end, pause = clock() + seconds, 0.001
        while True:
            if self.transport.is_closing():
                return self._left_at_eof == 0
            if self._outstanding() == 0:
                return True
            if clock() > end:
                return False
            await asyncio.sleep(pause)
            pause = min(pause * 2, 0.25)

    def _outstanding(self) -> int:
        """Bytes buffered here, and bytes sent that the peer has not acknowledged."""
        buffered = self.transport.get_write_buffer_size()
        sock = self.transport.get_extra_info("socket")
        if _TIOCOUTQ is None or sock is None or sock.fileno() < 0:
            return buffered
        return buffered + struct.unpack("i", fcntl.ioctl(sock.fileno(), _TIOCOUTQ, b"\0" * 4))[0]
