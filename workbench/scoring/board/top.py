"""Who is at the top: one answer for the leaderboard and for comparisons."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.arrays import NOISE, levels

SHOWN = 3


def at_the_top(measure: BoundMeasure, values: Sequence[float], tags: Sequence[str]) -> list[str]:
    """The runs with the best value, equal up to rounding, in the order given: the lowest where the measure says so."""
    sign = 1 if measure.best == "lowest" else -1
    best = min((sign * value for value in values), default=0.0)
    return [tag for value, tag in zip(values, tags, strict=True) if sign * value - best <= NOISE]


def best_first(measure: BoundMeasure, values: Sequence[float]) -> list[int]:
    """The places of the values, the best first: the lowest where the measure says so.

    Those that are equal, or differ by rounding alone, keep their order.
    """
    sign = 1 if measure.best == "lowest" else -1
    level = levels(values).tolist()
    return sorted(range(len(values)), key=lambda place: sign * level[place])


def names(tags: Sequence[str]) -> str:
    """Runs by their names in a sentence: alpha; alpha and beta; alpha, beta, gamma and 4 more."""
    if len(tags) > SHOWN + 1:
        return f"{', '.join(tags[:SHOWN])} and {len(tags) - SHOWN:,} more"
    return " and ".join(filter(None, [", ".join(tags[:-1]), *tags[-1:]]))
