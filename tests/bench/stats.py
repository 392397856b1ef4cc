"""Ratios of interleaved pairs: absolute figures of a busy machine say little."""

import random
import statistics
from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values lies below."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def interval(ratios: Sequence[float], *, share: float = 0.9, rounds: int = 2000) -> tuple[float, float, float]:
    """The median of the ratios, and the interval that holds it with this certainty (bootstrap, fixed seed)."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(rounds))
    low = medians[int((1 - share) / 2 * rounds)]
    high = medians[int((1 + share) / 2 * rounds) - 1]
    return statistics.median(ratios), low, high
