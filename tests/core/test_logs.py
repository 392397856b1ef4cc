"""The log."""

import json
import logging

import pytest

from app.core.logs import set_up_logs


@pytest.fixture(autouse=True)
def _loggers_as_they_were() -> object:
    root = logging.getLogger()
    kept = (root.handlers[:], root.level)
    yield
    root.handlers[:], _ = kept[0], root.setLevel(kept[1])


def test_json_lines_hold_the_level_the_logger_and_the_message(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("info", "json")
    logging.getLogger("app.x").warning("left alone: %s", "é")
    line = json.loads(capsys.readouterr().err)
    assert (line["level"], line["logger"], line["message"]) == ("warning", "app.x", "left alone: é")


def test_other_libraries_are_quiet_below_warning_also_at_debug(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("debug", "text")
    for name in ("httpx", "mcp.server", "uvicorn.access", "botocore.auth"):
        logging.getLogger(name).info("GET /secret")
    logging.getLogger("app.x").debug("ours")
    said = capsys.readouterr().err
    assert "ours" in said
    assert "secret" not in said
