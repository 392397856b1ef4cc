"""What is emitted means the same as the reference of revision 1, where that lies beside the repository."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPARE = ROOT.parent / "shared" / "contract" / "compare.py"
FROZEN = ROOT / "contract" / "revisions" / "1"


@pytest.mark.skipif(not COMPARE.exists(), reason=f"the reference is not beside the repository ({COMPARE})")
@pytest.mark.parametrize(
    "arguments", [[FROZEN / "openapi.json"], ["--tools", FROZEN / "tools.schema.json"]], ids=["api", "tools"]
)
def test_nothing_differs_from_the_reference(arguments: list[str]):
    run = subprocess.run([sys.executable, COMPARE, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert run.stdout.splitlines()[-1] == "0 differences", run.stdout + run.stderr
    assert run.returncode == 0
