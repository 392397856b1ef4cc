"""The inbox's types are those that the contract's document gives."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
GENERATED = "src/contract.ts"


@pytest.mark.skipif(
    not (WEB / "node_modules" / "openapi-typescript").exists(),
    reason="NOT CHECKED: whether web/src/contract.ts fits the contract. `make install` gets openapi-typescript",
)
def test_the_types_of_the_inbox_are_generated_from_the_current_document(tmp_path: Path):
    script = json.loads((WEB / "package.json").read_text())["scripts"]["contract"]
    assert GENERATED in script
    command = [str(tmp_path / "contract.ts") if each == GENERATED else each for each in shlex.split(script)]
    run = subprocess.run(
        [sys.executable, "build.py", "npm", "exec", "--no", "--", *command],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    fresh = (tmp_path / "contract.ts").read_text() == (WEB / GENERATED).read_text()
    assert fresh, f"web/{GENERATED} is not what the contract gives: run `make contract`"
