"""Options and settings that do not fit."""

import click
import pytest

from app.commands.options import Duration, read_settings


@pytest.mark.parametrize(
    ("written", "seconds"), [("90", 90), ("90s", 90), ("30m", 1800), ("1h30m", 5400), ("2d", 172800), (" 5M ", 300)]
)
def test_a_time_span_is_read(written: str, seconds: float) -> None:
    assert Duration().convert(written, None, None) == seconds


@pytest.mark.parametrize("written", ["", "soon", "-5", "1.5h", "5 m", "m", "0", "9999d", "٣m"])
def test_what_is_no_time_span_is_wrong_use(written: str) -> None:
    with pytest.raises(click.UsageError):
        Duration().convert(written, None, None)


def test_a_setting_that_does_not_fit_is_named_and_its_value_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_BLOBS", "hunter2")
    monkeypatch.setenv("LOOPBACK_LOG_LEVEL", "loud")
    with pytest.raises(click.UsageError) as raised:
        read_settings()
    assert "LOOPBACK_BLOBS" in raised.value.message
    assert "LOOPBACK_LOG_LEVEL" in raised.value.message
    assert "hunter2" not in raised.value.message


def test_an_option_that_does_not_fit_is_named_as_it_was_given() -> None:
    with pytest.raises(click.UsageError, match="--port"):
        read_settings(port=99999)
