"""How sure a leaderboard is: intervals over topics, and which runs cannot be told from the best.

Other topics would have given other means. The interval of a run is the bootstrap's, topics drawn with replacement
(percentiles). A run is level with the best one where max-T, a randomisation test of all runs against the best that
allows for their number, finds no difference: p = (c + 1) / (B + 1) above ALPHA. The best one is chosen by the same
scores, so a mark says "not shown to be worse", never "as good".

Both look at means of topics, so counts and other means than the arithmetic one have neither.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.measures import BoundMeasure
from workbench.measures.judged import FloatArray
from workbench.scoring.details import Detail, Details, Sides
from workbench.statistics import bootstrap_intervals, max_t

LEVEL = 0.95
ALPHA = 0.05
RESAMPLES = 10_000
PERMUTATIONS = 10_000
SEED = 1
"""The same scores have the same intervals and marks on every page and every day."""

TEST = f"randomisation test (max-T against the best, {PERMUTATIONS:,} rounds, seed {SEED})"


class Certainty(NamedTuple):
    """How sure the values of one measure are; arrays have one entry for each run.

    Attributes:
        measure: which one.
        bounds: the lowest and highest value that judging the rest of the pool can lead to, or None.
        intervals: float64 (runs, 2), or None where topics are not averaged or fewer than two have judgments.
        p_values: float64 (runs,) of the differences to the best run, whose own is 1; None without a best one, too.
    """

    measure: BoundMeasure
    bounds: Sides | None
    intervals: FloatArray | None
    p_values: FloatArray | None


def how_sure(details: Details) -> list[Certainty]:
    """Intervals and p-values of each measure over the runs of `details`, who are all compared with the best."""
    return [_certainty(each) for each in details.measures]


def is_level(p_value: float) -> bool:
    """Whether a run does not differ significantly from the best."""
    return p_value > ALPHA


def _certainty(detail: Detail) -> Certainty:
    measure, values = detail.measure, detail.values
    topics, runs = values.shape
    if topics < 2 or not runs or measure.is_count or measure.modifier("mean") != "arithmetic":
        return Certainty(measure, detail.bounds, None, None)
    intervals = bootstrap_intervals(values, level=LEVEL, resamples=RESAMPLES, rng=np.random.default_rng(SEED))
    best = best_run(measure, values.mean(axis=0))
    if best is None:
        return Certainty(measure, detail.bounds, intervals, None)
    p_values = max_t(values, best, permutations=PERMUTATIONS, rng=np.random.default_rng(SEED))
    return Certainty(measure, detail.bounds, intervals, p_values)


def best_run(measure: BoundMeasure, means: FloatArray) -> int | None:
    """The column of the best run, by the measure's own direction; None where no value is a merit."""
    if measure.best == "none":
        return None
    return int(means.argmin() if measure.best == "lowest" else means.argmax())
