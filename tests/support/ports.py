"""Ports for servers of the tests."""

import contextlib
import random
import socket


def free_port() -> int:
    """A port that nobody listens on now, below those that the system gives to connections: none of them can take it meanwhile."""
    for _ in range(200):
        port = random.randrange(15_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no free port between 15000 and 30000")
