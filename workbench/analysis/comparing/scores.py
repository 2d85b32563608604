"""The scores that comparisons start from: one measure of every run by topic, of a campaign or of files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.ranking import IntArray
from workbench.core.wording import none_such
from workbench.methods.measures import (
    BoundMeasure,
    mean_over_topics,
    over_topics,
    parse_measure,
    sum_over_topics,
)
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.means import logarithms
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import valued
from workbench.scoring.board.table import by_topic
from workbench.scoring.evaluation.evaluate import Evaluation
from workbench.storage.campaign import Campaign


class Scored(NamedTuple):
    """One measure by topic as of row `seq` of the log: `values` float64 (topics, runs), for the topics that count.

    `means` float64 (runs,) are the leaderboard's numbers: of a count the sum over the topics, else the mean that the
    measure's name asks for. `num_rel` int64 (topics,) weighs the topics of a micro mean; None for any other.
    """

    seq: int
    measure: BoundMeasure
    topic_ids: tuple[str, ...]
    tags: tuple[str, ...]
    values: FloatArray
    means: FloatArray
    num_rel: IntArray | None = None

    @property
    def summands(self) -> FloatArray:
        """What each topic adds to a run's number, up to what is the same for all runs: float64 (topics, runs).

        Runs with larger sums have the larger numbers, whichever mean that is.
        """
        kind, floor = self.measure.modifier("mean"), self.measure.modifier("floor")
        if kind == "geometric":
            return logarithms(self.values, floor)
        if kind == "harmonic":
            return np.asarray(-1.0 / np.maximum(self.values, floor), np.float64)
        return self.values if self.num_rel is None else self.values * self.num_rel[:, None]

    @property
    def merits(self) -> FloatArray:
        """What is on the leaderboard, float64 (runs,), turned round if less is better."""
        return self.measure.sign * self.means

    def of_runs(self, tags: Sequence[str]) -> Scored:
        """These runs alone, in this order; NotThere, with the nearest names, for one that is not there."""
        columns = [self.column(tag) for tag in tags]
        chosen = np.asarray(columns, np.int64)
        return self._replace(tags=tuple(tags), values=self.values[:, chosen], means=self.means[chosen])

    def of_topics(self, topic_ids: Sequence[str]) -> Scored:
        """The values of those of these topics that count, in this order, beside the same means."""
        row = {topic_id: place for place, topic_id in enumerate(self.topic_ids)}
        here = tuple(topic_id for topic_id in topic_ids if topic_id in row)
        return self._replace(topic_ids=here, values=self.values[[row[topic_id] for topic_id in here]])

    def with_means(self) -> Scored:
        """The same with means that follow from the values: of a count their sum, else the arithmetic mean."""
        over = sum_over_topics if self.measure.is_count else mean_over_topics
        return self._replace(means=over(self.values))

    def column(self, tag: str) -> int:
        """The place of a run; raises as `of_runs`."""
        if tag not in self.tags:
            raise NotThere(none_such("run", tag, self.tags))
        return self.tags.index(tag)


def scores_of(campaign: Campaign, measure: str = "AP") -> Scored:
    """One measure of all runs by topic, now (from the live board) or as of a row; UnknownName: no such measure."""

    def bound(scoring: Scoring) -> BoundMeasure:
        return of_grades(measure, scoring.relevant_from)

    scoring, values = valued(campaign, lambda now: [now.settled(bound(now))])
    (whole,) = values.values()
    found = scored_by(scoring, bound(scoring), whole)
    return found if campaign.as_of is None else found._replace(seq=campaign.as_of)


def of_grades(measure: str, relevant_from: int) -> BoundMeasure:
    """The measure, if it looks at grades alone; UnknownName for one that needs more, or that does not exist."""
    found = parse_measure(measure, defaults={"rel": relevant_from})
    if found.measure.of == "subtopics" or found.measure.of_sample:
        needs = "needs judgments of subtopics or a sample with its design, which comparisons do not take"
        raise UnknownName(f"{measure} {needs}")
    return found


def scored_by(scoring: Scoring, measure: BoundMeasure, values: FloatArray) -> Scored:
    """The scores on the topics that count for the measure; `values` float64 (topics, runs) are of all topics."""
    here, labels = scoring.topics_for(measure), scoring.labels
    found = by_topic(scoring, measure, values)
    weights = labels.num_rel(measure.rel)[here] if measure.modifier("mean") == "micro" else None
    means = over_topics(measure, values, labels, here)
    return Scored(scoring.head.seq, measure, found.topic_ids, found.tags, found.values, means, weights)


def averaged(scored: Scored) -> Scored:
    """The same, for what looks at differences topic by topic: those tell nothing of other means.

    CampaignError: the measure's name asks for another mean than the arithmetic one.
    """
    kind = scored.measure.modifier("mean")
    if kind not in {None, "arithmetic"}:
        raise CampaignError(
            f"{scored.measure} is a {kind} mean, and how two of them differ does not follow from the differences by "
            "topic, which are tested here; take the measure without mean=, or compare two leaderboards"
        )
    return scored


NO_LOG = 0
"""The log row of such scores: there is none."""


def scores_of_evaluation(evaluation: Evaluation, measure: str | None = None) -> Scored:
    """One measure of an evaluation by topic, by default its first, for the topics that count for all runs.

    UnknownName: a measure that was not asked for, or that has no value for a single topic.
    """
    by_name = {
        requested.name: scores for requested, scores in evaluation.scores.items() if requested.has_topics
    }
    name = next(iter(by_name), "") if measure is None else measure
    bound = by_name[name].requested.measure if name in by_name else None
    if bound is None:
        message = f"{name!r} is not among the measures that were asked for: {', '.join(by_name) or 'none'}"
        raise UnknownName(message)
    shared = np.flatnonzero(evaluation.counted.all(axis=1))
    values, tags = by_name[name].by_topic[shared], tuple(evaluation.tags)
    topic_ids = tuple(evaluation.topic_ids[topic] for topic in shared.tolist())
    return Scored(NO_LOG, bound, topic_ids, tags, values, np.empty(0)).with_means()
