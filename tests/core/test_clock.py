"""The clock."""

from app.core.clock import system_clock


def test_now_is_in_utc_and_cut_to_the_millisecond() -> None:
    now = system_clock()
    assert now.utcoffset() is not None
    assert now.microsecond % 1000 == 0
