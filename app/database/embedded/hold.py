"""Holding the server: a FIFO that every user of it keeps open for writing, and its keeper reads.

End of file means to the keeper that the last holder has gone, however it went: the kernel counts, so nothing can leak.
A FIFO without a reader means to a holder that the server has gone.
"""

import errno
import fcntl
import os
import select
import termios
from contextlib import suppress
from pathlib import Path
from typing import Self


class Hold:
    """One process's part in keeping the server alive."""

    def __init__(self, fifo: int, crowd: int) -> None:
        self._fifo = fifo
        self._crowd = crowd

    @classmethod
    def join(cls, root: Path) -> Self | None:
        """Hold the server that is there. None when there is none."""
        try:
            fifo = os.open(root / "holders", os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno in (errno.ENXIO, errno.ENOENT):
                return None
            raise
        return cls._joined(fifo, root)

    @classmethod
    def first(cls, root: Path) -> tuple[Self, int]:
        """Hold a server before it starts. Returns the end that its keeper reads, too.

        Those who hold a server that died keep their places: the FIFO stays the same.
        """
        path = root / "holders"
        with suppress(FileExistsError):
            os.mkfifo(path, 0o600)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            hold = cls._joined(os.open(path, os.O_WRONLY | os.O_NONBLOCK), root)
        except BaseException:
            os.close(reader)
            raise
        os.set_blocking(reader, True)
        return hold, reader

    @classmethod
    def _joined(cls, fifo: int, root: Path) -> Self:
        crowd = os.open(root / "holders.lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(crowd, fcntl.LOCK_SH)
        with suppress(BrokenPipeError):
            os.write(fifo, b"\n")
        return cls(fifo, crowd)

    @property
    def kept(self) -> bool:
        """Whether the server's keeper is still there."""
        poll = select.poll()
        poll.register(self._fifo, 0)
        return not poll.poll(0)  # only an error or a hang-up is ever reported

    @property
    def noticed(self) -> bool:
        """Whether the keeper has read what we wrote on joining, and so cannot have seen the end before we came."""
        unread = bytearray(4)
        try:
            fcntl.ioctl(self._fifo, termios.FIONREAD, unread)
        except OSError:
            return True  # a system that does not tell
        return not any(unread)

    def release(self) -> bool:
        """Let go. Whether we were the last."""
        os.close(self._fifo)
        try:
            fcntl.flock(self._crowd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(self._crowd)
        return True
