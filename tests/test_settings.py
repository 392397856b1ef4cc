"""The settings, and that the example of them is whole."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.settings import Settings

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        if name.startswith("LOOPBACK_"):
            monkeypatch.delenv(name)


def test_each_setting_stands_in_the_example_and_the_example_holds_no_other() -> None:
    named = set(re.findall(r"^LOOPBACK_(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert named == {name.upper() for name in Settings.model_fields}


def test_an_empty_variable_is_as_if_it_were_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_PUBLIC_URL", "")
    monkeypatch.setenv("LOOPBACK_PORT", "")
    assert Settings().public_url is None
    assert Settings().port == 8787


def test_the_address_is_the_public_url_or_else_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().address() == "http://127.0.0.1:8787"
    assert Settings(host="0.0.0.0", port=1).address() == "http://127.0.0.1:1"
    assert Settings(host="::1", port=1).address() == "http://[::1]:1"
    monkeypatch.setenv("LOOPBACK_PUBLIC_URL", "https://team.example/inbox")
    assert Settings().address() == "https://team.example/inbox"


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "http"), ("PORT", "70000"), ("BLOBS", "tape"), ("LOG_LEVEL", "loud"), ("UPLOAD_MAX_BYTES", "0")],
)
def test_a_value_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"LOOPBACK_{name}", value)
    with pytest.raises(ValidationError):
        Settings()
