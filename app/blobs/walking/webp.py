"""WebP: RIFF chunks. One bitstream (`VP8 ` or `VP8L`), or `VP8X` with a canvas and either one bitstream or frames (`ANMF`)."""

import struct
from collections.abc import Iterator

from app.blobs.walking import STEPS, Broken, Part

_CHUNKS = 12  # after RIFF, its size, WEBP
_FRAME_HEADER = 16


def walk_webp(data: bytes) -> Iterator[Part]:
    (size,) = struct.unpack_from("<I", data, 4)
    frames = 0
    for kind, at, end in _chunks(data, _CHUNKS, 8 + size):
        if kind == b"VP8X":
            yield Part(*_sizes(data, at + 4), 0)
        elif kind == b"ANMF":
            frames += 1
            yield Part(*_sizes(data, at + 6), frames)
            for inner, inner_at, _ in _chunks(data, at + _FRAME_HEADER, end):
                if inner in _BITSTREAMS:
                    yield Part(*_BITSTREAMS[inner](data, inner_at), frames)
                    break
        elif kind in _BITSTREAMS:
            yield Part(*_BITSTREAMS[kind](data, at), 1)


def _chunks(data: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Each chunk's name, and where its payload starts and ends."""
    for _ in range(STEPS):
        if at >= end:
            return
        kind, size = struct.unpack_from("<4sI", data, at)
        at += 8
        yield kind, at, at + size
        at += size + size % 2
        if at > len(data) + 1:  # the last byte of padding is often left out
            raise Broken
    raise Broken


def _sizes(data: bytes, at: int) -> tuple[int, int]:
    """Width and height, each in three bytes, less one."""
    return int.from_bytes(_three(data, at), "little") + 1, int.from_bytes(_three(data, at + 3), "little") + 1


def _three(data: bytes, at: int) -> bytes:
    return struct.unpack_from("3s", data, at)[0]


def _lossy(data: bytes, at: int) -> tuple[int, int]:
    start, width, height = struct.unpack_from("<3x3sHH", data, at)
    if start != b"\x9d\x01\x2a":
        raise Broken
    return width & 0x3FFF, height & 0x3FFF  # the two high bits only scale


def _lossless(data: bytes, at: int) -> tuple[int, int]:
    signature, bits = struct.unpack_from("<BI", data, at)
    if signature != 0x2F:
        raise Broken
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


_BITSTREAMS = {b"VP8 ": _lossy, b"VP8L": _lossless}
