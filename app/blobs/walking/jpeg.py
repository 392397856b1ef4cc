"""JPEG: segments, each after a marker; the size stands in the frame header (SOF), before the first scan (SOS)."""

import re
import struct
from collections.abc import Iterator

from app.blobs.walking import STEPS, Broken, Part

_MARKER = re.compile(rb"\xff++(.)", re.DOTALL)  # a marker may be padded with any number of FF
_ALONE = {0x01, *range(0xD0, 0xD8)}  # no length follows these
_START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # baseline, progressive, lossless, …; not DHT, JPG, DAC
_START_OF_SCAN = 0xDA
_START, _END = 0xD8, 0xD9


def walk_jpeg(data: bytes) -> Iterator[Part]:
    at = 2  # after SOI
    for _ in range(STEPS):
        marker = _MARKER.match(data, at)
        if marker is None:
            raise Broken
        kind, at = marker[1][0], marker.end()
        if kind in _ALONE:
            continue
        if kind in {0x00, _START, _END}:
            raise Broken
        (length,) = struct.unpack_from(">H", data, at)
        if length < 2:
            raise Broken
        if kind in _START_OF_FRAME:
            height, width = struct.unpack_from(">xHH", data, at + 2)
            yield Part(width, height, 1)
        at += length
        if kind == _START_OF_SCAN:
            # Everything from here on is compressed: all that can be told is whether it comes to an end.
            if data.find(b"\xff\xd9", at) < 0:
                raise Broken
            return
    raise Broken
