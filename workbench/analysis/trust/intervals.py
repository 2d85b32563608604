"""The uncertainty of a leaderboard: intervals over topics, and which runs do not differ significantly from the best.

Other topics would have given other means. The interval of a run is Student's t over topics. A run is level with the
best one where max-T over all pairs of runs, a randomisation test, finds no difference between the two: p = (c + 1) /
(B + 1) above ALPHA. The best one is chosen by the same scores. A test against a baseline does not allow for that; one
that holds for all pairs together does, whichever row of it is read. A mark says "not shown to be worse", never "as
good".

Both look at means of topics, so counts and other means than the arithmetic one have neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from workbench.analysis.trust.bounds import Detail, Details, Sides, score_in_detail
from workbench.core.results import Column
from workbench.core.seed import SEED
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.all_pairs import max_t_of_pairs, rounds_for, to_the_best
from workbench.methods.statistics.intervals import t_intervals, why_none
from workbench.scoring.board.loading import NO_TOPICS, TopicCounts
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

LEVEL = 0.95
ALPHA = 0.05

INTERVAL = "Student’s t over topics"
STEPS_OF_A_PAIR = 3.0
"""About this many steps of arithmetic each round of the test takes for a pair of runs."""
NOT_AVERAGED = "no interval: intervals are for means over topics, and this is not one"


class MeasureIntervals(NamedTuple):
    """How sure the values of one measure are; arrays have one entry for each run.

    Attributes:
        measure: which one.
        scores: float64 (runs,). The board's own.
        bounds: the lowest and highest mean that judging the rest of the pool can lead to, over all topics that count
            then, or None.
        intervals: float64 (runs, 2), nan for a run that has none; or None where no run has one.
        why_none: for each run why it has no interval, "" where it has one.
        p_values: float64 (runs,) of the differences to the best run, whose own is 1; None without a best one, too.
    """

    measure: BoundMeasure
    scores: FloatArray
    bounds: Sides | None
    intervals: FloatArray | None
    why_none: tuple[str, ...]
    p_values: FloatArray | None


class RunInterval(NamedTuple):
    """How sure the score of a run is.

    Attributes:
        run: its tag.
        score: its own, over the topics that count so far.
        lower, upper: bounds of what it can become, once every pooled document has a grade; None without them.
        interval_from, interval_to: the interval over topics; None without one.
        p_value: of its difference to the best run; None without a test.
        level: whether it does not differ significantly from the best.
    """

    run: str
    score: float
    lower: Annotated[float | None, Column("Lowest")]
    upper: Annotated[float | None, Column("Highest")]
    interval_from: Annotated[float | None, Column("Interval from")]
    interval_to: Annotated[float | None, Column("to")]
    p_value: Annotated[float | None, Column("p", kind="p")]
    level: Annotated[bool | None, Column("Level with the best")]


class BoardIntervals(NamedTuple):
    """How sure a board is: its log row, its runs, and each measure with entries for these."""

    head: log.Head
    tags: tuple[str, ...]
    measures: tuple[MeasureIntervals, ...]
    topic_counts: TopicCounts = NO_TOPICS


class IntervalsRequest(NamedTuple):
    """What decides how sure a board is, besides the row of the log.

    Attributes:
        names: measures in either notation.
        by_team: whether only the best run of each team is on the board, and is compared.
        only_finished: whether scores, intervals and tests are over the topics that are judged to the end alone.
    """

    names: tuple[str, ...]
    by_team: bool = False
    only_finished: bool = False


_sure: Cache[BoardIntervals] = Cache(of_one=32)


def intervals_of(
    campaign: Campaign, names: Sequence[str], *, by_team: bool = False, only_finished: bool = False
) -> BoardIntervals:
    """The intervals of a campaign's board, now or as of a row of its log; they are cached.

    Arguments as in `IntervalsRequest`. UnknownName: a measure that does not exist.
    """
    asked = IntervalsRequest(tuple(names), by_team, only_finished)
    found = known_intervals(campaign, asked)
    if found is not None:
        return found
    shown = shown_in_detail(campaign, asked)
    return _sure.at(campaign, shown.head, asked, lambda: intervals_in(shown))


def known_intervals(campaign: Campaign, asked: IntervalsRequest) -> BoardIntervals | None:
    """How sure the board is where that is known, else None."""
    return _sure.known(campaign, log.head(campaign), asked)


def last_intervals(campaign: Campaign, asked: IntervalsRequest) -> BoardIntervals | None:
    """How sure the board was as of the newest row for which that is known."""
    newest = _sure.newest(campaign, asked)
    return None if newest is None else newest[1]


def keep_intervals(campaign: Campaign, asked: IntervalsRequest, sure: BoardIntervals) -> BoardIntervals:
    """Keep what was found elsewhere."""
    return _sure.at(campaign, sure.head, asked, lambda: sure)


def shown_in_detail(campaign: Campaign, asked: IntervalsRequest) -> Details:
    """The scores of the runs on the board, from which all else is found."""
    # The live board may have followed the log further than its newest row was a moment ago, so the details themselves
    # say of which row they are.
    moment = None if log.head(campaign) == log.head(campaign.now) else campaign.as_of
    details = score_in_detail(campaign.at(moment), asked.names, only_finished=asked.only_finished)
    return details.best_of_teams() if asked.by_team else details


def steps_of_intervals(shown: Details) -> float:
    """About how many steps of arithmetic `intervals_in` takes: a thousand million of them take about a second."""
    runs = len(shown.tags)
    tested = sum(is_averaged(each) for each in shown.measures)
    return STEPS_OF_A_PAIR * tested * rounds_for(runs) * runs * (runs - 1) / 2


def intervals_in(shown: Details) -> BoardIntervals:
    """How sure the scores of a board are."""
    return BoardIntervals(shown.head, shown.tags, tuple(all_intervals(shown)), shown.topic_counts)


def all_intervals(details: Details) -> list[MeasureIntervals]:
    """Intervals and p-values of each measure over the runs of `details`, who are all compared with the best."""
    return [
        MeasureIntervals(each.measure, each.summary, each.bounds, *interval_of(each), _p_values(each))
        for each in details.measures
    ]


def run_intervals(found: BoardIntervals) -> list[RunInterval]:
    """Each run by the first measure, the best one first."""
    of = found.measures[0]
    nothing = np.full(len(found.tags), np.nan)
    lower, upper = of.bounds or (nothing, nothing)
    interval = np.full((len(found.tags), 2), np.nan) if of.intervals is None else of.intervals
    p = nothing if of.p_values is None else of.p_values
    columns = (of.scores, lower, upper, interval[:, 0], interval[:, 1], p)
    cells: list[list[Any]] = [list(row) for row in zip(found.tags, *map(_known, columns), strict=True)]
    rows = [RunInterval._make([*cell, None if cell[-1] is None else is_level(cell[-1])]) for cell in cells]
    return sorted(rows, key=lambda row: -of.measure.sign * row.score)


def _known(values: FloatArray) -> list[Any]:
    return [None if np.isnan(value) else float(value) for value in values]


def is_level(p_value: float) -> bool:
    """Whether a run does not differ significantly from the best."""
    return p_value > ALPHA


def interval_of(detail: Detail) -> tuple[FloatArray | None, tuple[str, ...]]:
    """The intervals of all runs, float64 (runs, 2) within the measure's own range, and for each why it has none."""
    runs = detail.values.shape[1]
    if not is_averaged(detail):
        return None, (NOT_AVERAGED,) * runs
    if not runs:
        return None, ()
    why, (lowest, highest) = tuple(why_none(detail.values)), detail.measure.measure.reach
    found = t_intervals(detail.values, level=LEVEL, lowest=lowest, highest=highest)
    return (None if all(why) else found), why


def is_averaged(detail: Detail) -> bool:
    """Whether the board's number is the arithmetic mean over topics."""
    return not detail.measure.is_count and detail.measure.modifier("mean") == "arithmetic"


def _p_values(detail: Detail) -> FloatArray | None:
    topics, runs = detail.values.shape
    if topics < 2 or not runs or not is_averaged(detail):
        return None
    return None if detail.measure.best == "none" else p_to_the_best(detail.measure, detail.values)


def p_to_the_best(
    measure: BoundMeasure, values: FloatArray, *, permutations: int | None = None, seed: int = SEED
) -> FloatArray:
    """The p-value of each run to the best one by max-T over all pairs, float64 (runs,), 1 for the best.

    `values` are float64 (topics, runs); without `permutations` as many as `rounds_for` this number of runs.
    """
    number = rounds_for(values.shape[1]) if permutations is None else permutations
    p = max_t_of_pairs(values, permutations=number, rng=np.random.default_rng(seed))
    return to_the_best(p, measure.sign * values.mean(axis=0))


def describe_test(runs: int) -> str:
    """The test behind the marks of this number of runs."""
    return f"randomisation test (max-T over all pairs of runs, {rounds_for(runs):,} rounds, seed {SEED})"
