"""The contract's files: the same bytes every time, and frozen."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from contract import emit
from contract.upgrades import CURRENT, REVISIONS
from tests.contract.schemas import read

ROOT = Path(emit.__file__).parent.parent
OPENAPI = f"{CURRENT}/openapi.json"


@pytest.fixture
def revisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the frozen files, which the emitter takes for the real ones."""
    copy = tmp_path / "revisions"
    shutil.copytree(emit.REVISIONS, copy)
    monkeypatch.setattr(emit, "REVISIONS", copy)
    monkeypatch.setattr(emit, "LOCK", copy / "lock.json")
    assert emit.differences() == []
    return copy


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_emitting_twice_gives_the_same_bytes():
    assert emit.files() == emit.files()


def test_other_processes_with_other_hash_seeds_emit_the_same_bytes():
    code = "import hashlib; from contract.emit import files; print(hashlib.sha256(repr(files()).encode()).hexdigest())"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in ("1", "2")
    ]
    digests = {run.communicate(timeout=60)[0].decode().strip() for run in runs}
    assert digests == {hashlib.sha256(repr(emit.files()).encode()).hexdigest()}


def test_the_files_of_the_current_revision_are_what_is_emitted():
    folder = emit.REVISIONS / CURRENT
    assert {f"{CURRENT}/{path}": body for path, body in contents(folder).items()} == emit.files()


def test_nothing_differs_from_what_is_frozen():
    assert emit.differences() == []


def test_the_digests_of_the_lock_are_those_of_the_files():
    frozen = {path: body for path, body in contents(emit.REVISIONS).items() if path != "lock.json"}
    assert read(emit.LOCK) == {path: hashlib.sha256(body).hexdigest() for path, body in sorted(frozen.items())}


def test_every_revision_has_its_folder_and_every_folder_is_a_revision():
    assert {path.name for path in emit.REVISIONS.iterdir() if path.is_dir()} == set(REVISIONS)


def test_every_file_is_json_that_ends_with_a_line_break():
    for path, body in emit.files().items():
        assert json.loads(body), path
        assert body.endswith(b"}\n"), path


def test_an_edited_file_is_found(revisions: Path):
    path = revisions / OPENAPI
    path.write_bytes(path.read_bytes().replace(b"Loopback puts", b"Loopback lays"))
    assert emit.differences() == [f"{OPENAPI}: edited after it was frozen"]


def test_a_missing_file_is_found(revisions: Path):
    (revisions / OPENAPI).unlink()
    assert emit.differences() == [f"{OPENAPI}: frozen, but missing"]


def test_a_file_that_is_not_locked_is_found(revisions: Path):
    (revisions / "1" / "examples" / "Extra.json").write_text("{}\n")
    assert emit.differences() == ["1/examples/Extra.json: not in lock.json"]


def test_a_file_taken_out_of_the_lock_is_found(revisions: Path):
    lock = read(revisions / "lock.json")
    del lock[OPENAPI]
    (revisions / "lock.json").write_text(json.dumps(lock))
    assert f"{OPENAPI}: not in lock.json" in emit.differences()


def test_without_a_lock_nothing_counts_as_frozen(revisions: Path):
    (revisions / "lock.json").unlink()
    assert {f"{path}: not in lock.json" for path in emit.files()} <= set(emit.differences())


def test_editing_a_file_and_its_digest_together_is_found(revisions: Path):
    body = (revisions / OPENAPI).read_bytes() + b"\n"
    (revisions / OPENAPI).write_bytes(body)
    lock = {**read(revisions / "lock.json"), OPENAPI: hashlib.sha256(body).hexdigest()}
    (revisions / "lock.json").write_text(json.dumps(lock))
    assert emit.differences() == [f"{OPENAPI}: the contract no longer emits it unchanged; a change is a new revision"]


def test_a_changed_contract_is_found(revisions: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("contract.openapi.DESCRIPTION", "Something else.")
    assert emit.differences() == [f"{OPENAPI}: the contract no longer emits it unchanged; a change is a new revision"]


def test_a_frozen_file_that_is_no_longer_emitted_is_found(revisions: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(emit, "EXAMPLES", {name: each for name, each in emit.EXAMPLES.items() if name != "Whoami"})
    assert emit.differences() == [f"{CURRENT}/examples/Whoami.json: frozen, but no longer emitted"]


def test_freezing_again_changes_no_byte(revisions: Path):
    before = contents(revisions)
    emit.freeze()
    assert contents(revisions) == before


def test_freezing_takes_away_what_is_no_longer_emitted(revisions: Path):
    (revisions / CURRENT / "examples" / "Gone.json").write_text("{}\n")
    emit.freeze()
    assert emit.differences() == []
    assert not (revisions / CURRENT / "examples" / "Gone.json").exists()


def test_freezing_the_next_revision_leaves_the_older_ones_as_they_are(revisions: Path, monkeypatch: pytest.MonkeyPatch):
    before = {path: body for path, body in contents(revisions).items() if path != "lock.json"}
    monkeypatch.setattr(emit, "CURRENT", "next")
    emit.freeze()
    after = contents(revisions)
    assert {path: after[path] for path in before} == before
    assert emit.differences() == []

    (revisions / OPENAPI).write_text("{}\n")
    assert emit.differences() == [f"{OPENAPI}: edited after it was frozen"]


def test_the_check_says_what_differs_and_fails(revisions: Path, capsys: pytest.CaptureFixture[str]):
    assert emit.main(["--check"]) == 0
    assert capsys.readouterr().out.strip() == "0 differences"

    (revisions / OPENAPI).unlink()
    assert emit.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [f"{OPENAPI}: frozen, but missing", "1 differences"]


def test_the_command_puts_right_what_the_check_found(revisions: Path):
    (revisions / OPENAPI).unlink()
    assert emit.main([]) == 0
    assert emit.main(["--check"]) == 0


def test_an_unknown_argument_explains_the_command_and_writes_nothing(revisions: Path, capsys: pytest.CaptureFixture[str]):
    (revisions / OPENAPI).unlink()
    assert emit.main(["--force"]) == 2
    assert "--check" in capsys.readouterr().err
    assert not (revisions / OPENAPI).exists()
