"""`make dev`: the server, started again after each change to a Python file."""

import subprocess
import sys
import time
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
WATCHED = ("app", "contract", "migrations")


def _stamp() -> float:
    return max(path.stat().st_mtime for folder in WATCHED for path in (ROOT / folder).rglob("*.py"))


def main() -> None:
    """Run until Ctrl-C."""
    while True:
        stamp = _stamp()
        process = subprocess.Popen([sys.executable, "-m", "app.cli", "serve", "--welcome"])
        try:
            while _stamp() == stamp and process.poll() is None:
                time.sleep(0.5)
            if process.poll() is not None:
                click.echo("the server has ended; a change starts it again")
                while _stamp() == stamp:
                    time.sleep(0.5)
        except KeyboardInterrupt:
            return
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
