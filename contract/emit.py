"""Writes the contract's files: the same bytes every time, compared with what is frozen.

python -m contract.emit            write revisions/<current>/ and freeze it in lock.json
python -m contract.emit --check    say what differs, and exit 1 if anything does
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from contract import events
from contract.examples import EXAMPLES
from contract.openapi import openapi
from contract.schema import Schema, schema_of
from contract.tools import TOOLS
from contract.upgrades import CURRENT

REVISIONS = Path(__file__).parent / "revisions"
LOCK = REVISIONS / "lock.json"


def files() -> dict[str, bytes]:
    """Every file of the current revision, by its path under `revisions/`."""
    emitted = {
        "openapi.json": _json(openapi()),
        "events.schema.json": _json(_draft(schema_of(events.ServerEvent))),
        "tools.schema.json": _json({"tools": [_tool(tool.name, tool.takes, tool.gives) for tool in TOOLS if tool.frozen]}),
        **{f"examples/{name}.json": _json(example.to_dict()) for name, example in EXAMPLES.items()},
    }
    return {f"{CURRENT}/{path}": body for path, body in sorted(emitted.items())}


def differences() -> list[str]:
    """What is not as it was frozen: changed, missing or unlocked files of any revision, and what is emitted differently now."""
    lock: dict[str, str] = json.loads(LOCK.read_text()) if LOCK.exists() else {}
    on_disk = {str(path.relative_to(REVISIONS)) for path in REVISIONS.rglob("*.json")} - {LOCK.name}
    found = [f"{path}: not in {LOCK.name}" for path in sorted(on_disk - set(lock))]
    for path, digest in sorted(lock.items()):
        if path not in on_disk:
            found.append(f"{path}: frozen, but missing")
        elif _sha256((REVISIONS / path).read_bytes()) != digest:
            found.append(f"{path}: edited after it was frozen")
    emitted = files()
    for path, body in emitted.items():
        if lock.get(path) != _sha256(body):
            found.append(f"{path}: the contract no longer emits it unchanged; a change is a new revision")
    found += [f"{path}: frozen, but no longer emitted" for path in sorted(lock) if _is_current(path) and path not in emitted]
    return found


def freeze() -> None:
    """Write the current revision and lock it. Older revisions keep their digests."""
    lock: dict[str, str] = json.loads(LOCK.read_text()) if LOCK.exists() else {}
    lock = {path: digest for path, digest in lock.items() if not _is_current(path)}
    for stale in (REVISIONS / CURRENT).rglob("*.json"):
        stale.unlink()
    for path, body in files().items():
        (REVISIONS / path).parent.mkdir(parents=True, exist_ok=True)
        (REVISIONS / path).write_bytes(body)
        lock[path] = _sha256(body)
    LOCK.write_bytes(_json(dict(sorted(lock.items()))))


def _is_current(path: str) -> bool:
    return path.startswith(f"{CURRENT}/")


def _tool(name: str, takes: Any, gives: Any) -> Schema:
    return {"name": name, "inputSchema": schema_of(takes), "outputSchema": schema_of(gives)}


def _draft(schema: Schema) -> Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def main(arguments: list[str]) -> int:
    """The command line."""
    if arguments == ["--check"]:
        found = differences()
        sys.stdout.write("\n".join([*found, f"{len(found)} differences"]) + "\n")
        return 1 if found else 0
    if arguments:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    freeze()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
