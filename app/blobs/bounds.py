"""How large an image is and how many frames it has, by its structure. Nothing is decoded.

Each format has a walker: it yields a `Part` for the canvas and for each frame as it comes to them, and raises `Broken`,
`IndexError` or `struct.error` where the bytes end or make no sense. What was seen until then still counts.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.blobs.walking import Broken, Part
from app.blobs.walking.gif import walk_gif
from app.blobs.walking.jpeg import walk_jpeg
from app.blobs.walking.png import walk_png
from app.blobs.walking.webp import walk_webp

FRAMES_COUNTED = 1000
"""The walk ends here: `frames` then means "at least"."""

_WALKERS: dict[str, Callable[[bytes], Iterator[Part]]] = {
    "image/png": walk_png,
    "image/jpeg": walk_jpeg,
    "image/gif": walk_gif,
    "image/webp": walk_webp,
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What showing an image would take."""

    width: int
    height: int
    """Of the canvas or the frame with the most pixels: a frame may claim more than its canvas."""

    frames: int

    whole: bool
    """Whether its structure is sound up to its end."""

    @property
    def pixels(self) -> int:
        return self.width * self.height


def bounds_of(data: bytes, media_type: str) -> Bounds | None:
    """The bounds of an image of this type, or None where the bytes do not even tell its size.

    Takes time in proportion to the bytes, and never raises, whatever they are.
    """
    largest = Part(0, 0, 0)
    frames = 0
    whole = True
    try:
        for part in _WALKERS[media_type](data):
            if part.width * part.height > largest.width * largest.height:
                largest = part
            frames = max(frames, part.frames)
            if frames >= FRAMES_COUNTED:
                break
    except (Broken, IndexError, struct.error):
        whole = False
    if not largest.width * largest.height:
        return None
    return Bounds(largest.width, largest.height, frames, whole and frames > 0)
