"""How long a call may wait before the client would cut it off itself."""

import math

CAPS: tuple[tuple[str, float | None], ...] = (
    ("claude-code", None),
    ("codex-mcp-client", 240.0),
    ("gemini-cli-mcp-client", 540.0),
    ("Visual Studio Code", 240.0),
)
"""By the beginning of the client's name. None: no limit, its clock restarts with each progress."""

UNKNOWN = 50.0
SHORTEST = 1.0


def longest_wait(client: str | None, override: str | None) -> float | None:
    """Seconds, or None for no limit. What the client's configuration says (`Loopback-Max-Wait`) comes first."""
    if override is not None:
        try:
            seconds = float(override)
        except ValueError:
            seconds = math.nan
        if math.isfinite(seconds):
            return max(seconds, SHORTEST)
    for name, cap in CAPS:
        if client is not None and client.lower().startswith(name.lower()):
            return cap
    return UNKNOWN
