"""GIF: blocks. The data of an image, as of an extension, is a chain of sub-blocks of up to 255 bytes; an empty one ends it."""

import struct
from collections.abc import Iterator

from app.blobs.walking import STEPS, Broken, Part

_IMAGE, _EXTENSION, _TRAILER = 0x2C, 0x21, 0x3B


def walk_gif(data: bytes) -> Iterator[Part]:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    yield Part(width, height, 0)
    at = 13 + _table(flags)
    frames = 0
    steps = STEPS
    while at < len(data):  # a missing trailer is common, and harmless
        kind = data[at]
        if kind == _TRAILER:
            return
        if kind == _IMAGE:
            frames += 1
            width, height, flags = struct.unpack_from("<HHB", data, at + 5)
            yield Part(width, height, frames)
            at += 11 + _table(flags)
        elif kind == _EXTENSION:
            at += 2
        elif frames:
            return  # as browsers do with anything unknown after a frame: what came before is shown
        else:
            raise Broken
        at, steps = _after_sub_blocks(data, at, steps)


def _table(flags: int) -> int:
    """Bytes of the colour table that these flags announce."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _after_sub_blocks(data: bytes, at: int, steps: int) -> tuple[int, int]:
    for left in range(steps - 1, 0, -1):
        size = data[at]
        at += 1 + size
        if not size:
            return at, left
    raise Broken
