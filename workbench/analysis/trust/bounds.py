"""Measures topic by topic, with the lowest and the highest mean that judging the rest of the pool can lead to.

The bounds are of the mean that the board shows once every pooled pair has a grade: over all topics of which something
is pooled or judged, the untouched ones with the lowest and highest value of all ways to judge them. The score beside
them is a mean over the topics that count so far, and may lie outside. Topics do not depend on one another, so the mean
of the lowest values is the lowest mean, whichever mean the measure's name asks for. Grades in force stay as they are:
a second judgment, an adjudication, an import or another rule that changes one changes the bounds as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from workbench.methods.measures import BoundMeasure, over_topics
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.registry import bind
from workbench.scoring.board.loading import NO_TOPICS, Mask, Scoring, TopicCounts
from workbench.scoring.board.past_boards import valued
from workbench.scoring.board.table import best_columns, choose
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


class Sides(NamedTuple):
    """A measure's lower and upper value for each run, each float64 (runs,)."""

    lower: FloatArray
    upper: FloatArray


class Detail(NamedTuple):
    """One measure: `values` float64 (topics that count so far, runs), and the bounds of the board's final values.

    `summary` has the board's own values, float64 (runs,). `bounds` is None for a measure that has none.
    """

    measure: BoundMeasure
    values: FloatArray
    summary: FloatArray
    bounds: Sides | None


@dataclass(frozen=True, eq=False)
class Details:
    """Some measures in detail, as of a row of the log; `tags` and `teams` are of the runs, column by column.

    The bounds are over `topic_counts.in_the_end` topics.
    """

    head: log.Head
    tags: tuple[str, ...]
    teams: tuple[str, ...]
    measures: tuple[Detail, ...]
    topic_counts: TopicCounts = NO_TOPICS

    def best_of_teams(self) -> Details:
        """The same for the best run of each team on the first measure."""
        first = self.measures[0]
        columns = best_columns(first.measure, first.summary.tolist(), self.tags, self.teams)
        return replace(
            self,
            tags=tuple(self.tags[column] for column in columns),
            teams=tuple(self.teams[column] for column in columns),
            measures=tuple(_of_columns(each, columns) for each in self.measures),
        )


def score_in_detail(campaign: Campaign, names: Sequence[str], *, only_finished: bool = False) -> Details:
    """Measures of every run topic by topic, now or as of a row of the log; arguments as in `score_campaign`."""
    scoring, values = valued(
        campaign, lambda known: list(dict.fromkeys(map(known.settled, chain(*_with_bounds(known, names)))))
    )
    return _details(scoring, _with_bounds(scoring, names), values, only_finished)


def side_of(measure: BoundMeasure, side: str) -> BoundMeasure | None:
    """The measure's "lower" or "upper" value under unjudged documents; None where there is none."""
    if measure.modifier("bound") is not None:
        return None
    try:
        return bind(measure.measure, {**dict(measure.values), "bound": side})
    except ValueError:
        return None


def _with_bounds(scoring: Scoring, names: Sequence[str]) -> list[tuple[BoundMeasure, ...]]:
    """Each measure, with its lower and its upper value behind it where it has them."""
    return [
        tuple(filter(None, (measure, side_of(measure, "lower"), side_of(measure, "upper"))))
        for _, measure in choose(names, scoring.relevant_from)
    ]


def _details(
    scoring: Scoring,
    bounded: Sequence[tuple[BoundMeasure, ...]],
    values: Mapping[BoundMeasure, FloatArray],
    only_finished: bool,
) -> Details:
    def here(measure: BoundMeasure) -> Mask:
        return scoring.topics_for(measure, only_finished=only_finished)

    def summary(measure: BoundMeasure) -> FloatArray:
        return over_topics(measure, values[scoring.settled(measure)], scoring.labels, here(measure))

    found = tuple(
        Detail(
            measure,
            values[scoring.settled(measure)][here(measure)],
            summary(measure),
            Sides(*map(summary, sides)) if sides else None,
        )
        for measure, *sides in bounded
    )
    return Details(scoring.head, scoring.tags, scoring.teams, found, scoring.topic_counts)


def _of_columns(detail: Detail, columns: list[int]) -> Detail:
    bounds = detail.bounds and Sides(*(side[columns] for side in detail.bounds))
    return Detail(detail.measure, detail.values[:, columns], detail.summary[columns], bounds)
