"""The clock, handed in wherever time matters."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def to_ms(moment: datetime) -> datetime:
    """Cut to the millisecond: what a browser's clock can hold."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def system_clock() -> datetime:
    """Now, in UTC, to the millisecond."""
    return to_ms(datetime.now(UTC))
