"""The listening socket. Options set on it are inherited by each connection."""

import socket

USER_TIMEOUT_MS = 12_000
"""A peer that acknowledges nothing for so long is gone. Without it a client that stops reading is never dropped: with progress
every fifteen seconds, a client that vanishes is noticed within thirty."""

SEND_BUFFER = 128 * 1024
BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """A socket listening on the address. Port 0 takes a free one. Raises OSError where that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (
            ("TCP_USER_TIMEOUT", USER_TIMEOUT_MS),
            ("TCP_KEEPIDLE", 10),
            ("TCP_KEEPINTVL", 4),
            ("TCP_KEEPCNT", 3),
        ):
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    sock.setblocking(False)
    return sock
