"""`loopback contract`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import main
from contract.emit import REVISIONS, differences, files
from contract.upgrades import CURRENT


def loopback(*arguments: str) -> tuple[int, str]:
    ran = CliRunner().invoke(main, ["contract", *arguments])
    return ran.exit_code, ran.output


def test_alone_it_says_where_the_frozen_files_are() -> None:
    code, output = loopback()
    assert code == 0
    assert str(REVISIONS / CURRENT) in output
    assert "openapi.json" in output
    code, output = loopback("show", "--json")
    assert {str(REVISIONS / path) for path in files()} == set(json.loads(output)["files"])


@pytest.mark.parametrize(
    ("name", "file"), [("openapi", "openapi.json"), ("events", "events.schema.json"), ("tools", "tools.schema.json")]
)
def test_a_document_is_printed_as_it_was_frozen(name: str, file: str) -> None:
    assert loopback("show", name) == (0, (REVISIONS / CURRENT / file).read_text())


def test_the_check_says_what_differs() -> None:
    found = differences()
    code, output = loopback("check", "--json")
    assert json.loads(output) == {"differences": found}
    assert code == (1 if found else 0)


def test_the_check_ends_with_one_where_a_frozen_file_was_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, body in files().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(body)
    (tmp_path / "lock.json").write_bytes((REVISIONS / "lock.json").read_bytes())
    (tmp_path / CURRENT / "openapi.json").write_text("{}")
    monkeypatch.setattr("contract.emit.REVISIONS", tmp_path)
    monkeypatch.setattr("contract.emit.LOCK", tmp_path / "lock.json")
    code, output = loopback("check")
    assert code == 1
    assert "openapi.json: edited after it was frozen" in output


def test_emit_freezes_what_the_check_then_finds_as_it_was_frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contract.emit.REVISIONS", tmp_path)
    monkeypatch.setattr("contract.emit.LOCK", tmp_path / "lock.json")
    assert loopback("emit")[0] == 0
    assert loopback("check") == (0, "0 differences\n")
