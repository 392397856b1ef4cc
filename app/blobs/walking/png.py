"""PNG: chunks, each with its length before and a checksum after it. APNG: a count in `acTL`, then an `fcTL` per frame."""

import struct
from collections.abc import Iterator

from app.blobs.walking import STEPS, Broken, Part

_FIRST = 8  # after the signature


def walk_png(data: bytes) -> Iterator[Part]:
    width, height = _canvas(data)
    yield Part(width, height, 0)
    at, frames = _FIRST, 0
    for _ in range(STEPS):
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise Broken
        if kind == b"IEND":
            return
        if kind == b"IDAT":
            yield Part(width, height, max(frames, 1))
        elif kind == b"acTL":
            (declared,) = struct.unpack_from(">I", data, at + 8)
            yield Part(width, height, declared)
        elif kind == b"fcTL":
            frames += 1
            yield Part(*struct.unpack_from(">II", data, at + 12), frames)
        at = end
    raise Broken


def _canvas(data: bytes) -> tuple[int, int]:
    length, kind, width, height = struct.unpack_from(">I4sII", data, _FIRST)
    if kind != b"IHDR" or length != 13:
        raise Broken
    return width, height
