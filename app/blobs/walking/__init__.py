"""Walks through the structure of each image format, from piece to piece, for the sizes that its header and frames claim."""

from typing import NamedTuple


class Part(NamedTuple):
    """A canvas or a frame."""

    width: int
    height: int
    frames: int
    """Frames up to and including this one; 0 for a canvas."""


class Broken(Exception):
    """The bytes make no sense from here on."""


STEPS = 500_000
"""Pieces walked over at most. A real image of 10 MiB has some tens of thousands; a hostile one may have millions."""
