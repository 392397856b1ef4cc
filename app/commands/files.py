"""Small files that only their owner may read."""

import os
import tempfile
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write the file in one step, with mode 0600: nobody reads half of it, and nobody else reads any. Raises OSError."""
    handle, half = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "w") as file:
            file.write(text)
        os.replace(half, path)
    except BaseException:
        os.unlink(half)
        raise
