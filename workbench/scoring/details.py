"""Measures topic by topic, with the lowest and highest value that unjudged documents leave open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from workbench.campaign import Campaign, log
from workbench.measures import BoundMeasure, over_topics
from workbench.measures.judged import FloatArray
from workbench.measures.registry import bind
from workbench.scoring.board import board_of
from workbench.scoring.loading import Scoring
from workbench.scoring.past import Moment, past_of
from workbench.scoring.table import choose


class Sides(NamedTuple):
    """A measure's lower and upper value for each run, each float64 (runs,)."""

    lower: FloatArray
    upper: FloatArray


class Detail(NamedTuple):
    """One measure: `values` float64 (topics that have judgments, runs), and the bounds of the runs' means.

    `bounds` is None for a measure that has none.
    """

    measure: BoundMeasure
    values: FloatArray
    bounds: Sides | None


@dataclass(frozen=True, eq=False)
class Details:
    """Some measures in detail, as of a row of the log; `tags` are the runs in the order of the columns."""

    head: log.Head
    tags: tuple[str, ...]
    measures: tuple[Detail, ...]

    def of_runs(self, tags: Sequence[str]) -> Details:
        """The same for these runs only, in their order."""
        columns = [self.tags.index(tag) for tag in tags]
        chosen = tuple(
            Detail(
                each.measure,
                each.values[:, columns],
                each.bounds and Sides(each.bounds.lower[columns], each.bounds.upper[columns]),
            )
            for each in self.measures
        )
        return replace(self, tags=tuple(tags), measures=chosen)


def score_in_detail(campaign: Campaign, names: Sequence[str], *, as_of: int | None = None) -> Details:
    """Measures of every run topic by topic, now or as of a row of the log; errors as in `score_campaign`."""
    if as_of is None:
        moment = Moment(board_of(campaign).scoring(campaign), None)
    else:
        moment = past_of(campaign).moment(campaign, as_of)
    asked = _asked(moment.scoring, names)
    return _details(moment.then, asked, moment.values_of(_all(moment.scoring, asked)))


def side_of(measure: BoundMeasure, side: str) -> BoundMeasure | None:
    """The measure's "lower" or "upper" value under unjudged documents; None where there is none."""
    if measure.modifier("bound") is not None:
        return None
    try:
        return bind(measure.measure, {**dict(measure.values), "bound": side})
    except ValueError:
        return None


class _Asked(NamedTuple):
    measure: BoundMeasure
    sides: tuple[BoundMeasure, BoundMeasure] | None


def _asked(scoring: Scoring, names: Sequence[str]) -> list[_Asked]:
    found = []
    for _, measure in choose(names, scoring.relevant_from):
        lower, upper = side_of(measure, "lower"), side_of(measure, "upper")
        found.append(_Asked(measure, None if lower is None or upper is None else (lower, upper)))
    return found


def _all(scoring: Scoring, asked: Sequence[_Asked]) -> list[BoundMeasure]:
    """Everything that is to be computed, once each."""
    every = [each for one in asked for each in (one.measure, *(one.sides or ()))]
    return list(dict.fromkeys(scoring.settled(each) for each in every))


def _details(scoring: Scoring, asked: Sequence[_Asked], values: Mapping[BoundMeasure, FloatArray]) -> Details:
    counted = scoring.num_judged > 0

    def mean(measure: BoundMeasure) -> FloatArray:
        return over_topics(measure, values[scoring.settled(measure)], scoring.labels, counted)

    found = tuple(
        Detail(
            one.measure,
            values[scoring.settled(one.measure)][counted],
            None if one.sides is None else Sides(*map(mean, one.sides)),
        )
        for one in asked
    )
    return Details(scoring.head, scoring.tags, found)
