"""Logging: one line per event, as text or JSON, never with a secret or with what agents and people wrote."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal

from typing_extensions import override

QUIET = ("httpx", "httpx2", "httpcore", "mcp", "sse_starlette", "boto3", "botocore", "urllib3", "asyncio", "alembic", "uvicorn")
"""Other libraries' loggers print addresses and bodies below WARNING."""


class _Json(logging.Formatter):
    @override
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logs(level: str, form: Literal["text", "json"]) -> None:
    """Log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
