"""Moments: RFC 3339 in UTC, with `Z` and milliseconds."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from contract.base import Moment, format_moment
from contract.operations import AskQuery

MOMENT = TypeAdapter[datetime](Moment)
OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
DATES = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=OFFSETS)


def written(value: Any) -> str:
    return MOMENT.dump_python(MOMENT.validate_python(value), mode="json")


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("2026-12-01T09:30:00Z", "2026-12-01T09:30:00.000Z"),
        ("2026-12-01T09:30:00.5Z", "2026-12-01T09:30:00.500Z"),
        ("2026-12-01t09:30:00.25z", "2026-12-01T09:30:00.250Z"),
        ("2026-12-01T09:30:00.123999999Z", "2026-12-01T09:30:00.123Z"),
        ("2026-12-01T10:30:00+01:00", "2026-12-01T09:30:00.000Z"),
        ("2026-11-30T23:45:00-09:45", "2026-12-01T09:30:00.000Z"),
        ("2026-12-01T09:30:00-00:00", "2026-12-01T09:30:00.000Z"),
        ("1969-12-31T23:59:59.9996Z", "1969-12-31T23:59:59.999Z"),
        ("0999-01-01T00:00:00Z", "0999-01-01T00:00:00.000Z"),
    ],
)
def test_a_moment_is_kept_in_utc_to_the_millisecond(given_: str, kept: str):
    assert written(given_) == kept
    assert MOMENT.dump_json(MOMENT.validate_json(f'"{given_}"')) == f'"{kept}"'.encode()


@pytest.mark.parametrize(
    "rubbish",
    [
        "", "now", "2026-12-01", "09:30:00Z", "2026-12-01 09:30:00Z", "2026-12-01T09:30:00", "2026-12-01T09:30Z",
        "20261201T093000Z", "2026-W49-2T09:30:00Z", "2026-12-01T09:30:00.Z", "2026-12-01T09:30:00,5Z", "2026-12-01T09:30:00+01",
        "2026-12-01T09:30:00+0100", " 2026-12-01T09:30:00Z", "2026-12-01T09:30:00Z\n", "2026-02-30T09:30:00Z",
        "2026-13-01T09:30:00Z", "2026-12-01T24:00:00Z", "2026-12-01T09:30:60Z", "2026-12-01T09:30:00+24:00",
        "0000-01-01T00:00:00Z", "+2026-12-01T09:30:00Z", "٢٠٢٦-12-01T09:30:00Z", "2026-12-01T09:30:00\x00Z",
        "1764581400", "1764581400.5", "P1D", "\ud800",
    ],
    ids=ascii,
)  # fmt: skip
def test_what_is_not_rfc_3339_is_refused(rubbish: str):
    with pytest.raises(ValidationError):
        MOMENT.validate_python(rubbish)


@pytest.mark.parametrize("value", [0, 1764581400, 1764581400.5, True, None, b"2026-12-01T09:30:00Z", [], {}], ids=repr)
def test_what_is_not_a_string_is_refused(value: Any):
    with pytest.raises(ValidationError):
        MOMENT.validate_python(value)


@pytest.mark.parametrize("edge", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_a_moment_that_utc_has_no_year_for_is_refused_and_not_a_crash(edge: str):
    with pytest.raises(ValidationError, match="0001 to 9999"):
        AskQuery.model_validate({"before": edge})


@given(DATES)
def test_any_time_of_any_zone_is_written_as_the_same_millisecond(moment: datetime):
    text = written(moment)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text)
    late = moment - datetime.fromisoformat(text)
    assert timedelta() <= late < timedelta(milliseconds=1)


@given(DATES)
def test_what_is_written_is_read_and_written_the_same(moment: datetime):
    text = written(moment)
    assert written(text) == text
    assert MOMENT.validate_python(text).tzinfo == UTC


@given(DATES, DATES)
def test_times_sort_as_their_text_does(one: datetime, other: datetime):
    first, second = MOMENT.validate_python(one), MOMENT.validate_python(other)
    assert (first < second) == (written(one) < written(other))


@given(DATES.map(lambda moment: moment.isoformat()))
def test_what_other_programs_write_is_read(text: str):
    assert written(text) == format_moment(datetime.fromisoformat(text))
