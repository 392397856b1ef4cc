"""When this build was made."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from contract.base import format_moment


@cache
def build() -> str:
    """RFC 3339. The newest file of the application: the same for every process of one installation."""
    root = Path(__file__).resolve().parent.parent
    newest = max(path.stat().st_mtime for path in root.rglob("*") if path.suffix in (".py", ".html", ".js", ".css"))
    return format_moment(datetime.fromtimestamp(newest, UTC))
