"""The topics of a campaign as a table: what is pooled, judged and relevant, and how hard the topic is for the runs."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.comparing.leaderboards import ranks_of
from workbench.core.natural_order import natural
from workbench.core.results import AS_TEXT, FLAT, Column
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.judged import FloatArray
from workbench.scoring.board import TopicScores
from workbench.scoring.board.past_boards import scoring_of, topic_scores_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, topics
from workbench.storage.campaign.log import log

MEASURE = "AP"
"""The default measure of topic difficulty."""


class Difficulty(NamedTuple):
    """The scores of all runs on one topic; a run without the topic scores 0, as on the leaderboard."""

    lowest: float
    median: float
    mean: float
    highest: float


class TopicRow(NamedTuple):
    """One topic.

    Attributes:
        topic_id, title: which topic.
        runs: how many runs have a ranking for it.
        pooled: how many documents are pooled.
        judged: how many are judged; one outside every pool may be judged (it was imported).
        waiting: how many are pooled and not judged.
        relevant: how many are relevant.
        difficulty: None for a topic without judgments, which has no scores, and where there are no runs.
        place: 1 for the hardest topic; equal medians share the lower place.
    """

    topic_id: Annotated[str, Column("Topic", "topic")]
    title: str
    runs: int
    pooled: int
    judged: int
    waiting: Annotated[int, Column("To judge")]
    relevant: int
    difficulty: Annotated[Difficulty | None, FLAT]
    place: int | None


class TopicTable(NamedTuple):
    """All topics in byte order of their ids, as of one row of the log; `runs` is how many take part."""

    head: Annotated[log.Head, Column(name="as_of")]
    measure: Annotated[BoundMeasure, AS_TEXT]
    runs: int
    rows: Annotated[tuple[TopicRow, ...], Column(name="topics")]

    def row(self, topic_id: str) -> TopicRow | None:
        """The topic of this id, or None."""
        return next((row for row in self.rows if row.topic_id == topic_id), None)

    def hardest_first(self) -> list[TopicRow]:
        """The topics that have scores, from the worst median to the best: the lowest first, unless less is better."""
        sign = _sign(self.measure)
        return sorted(
            (row for row in self.rows if row.place is not None), key=lambda row: _hardness(row, sign)
        )

    def all_hardest_first(self) -> list[TopicRow]:
        """The same, and after them the topics without scores."""
        return [*self.hardest_first(), *(row for row in self.rows if row.place is None)]


def topic_table(campaign: Campaign, measure: str = MEASURE) -> TopicTable:
    """The topics in natural order, now (from the live board), or as of a row of the log.

    Raises UnknownName for a measure that does not exist.
    """
    scores = topic_scores_of(campaign, measure)
    scoring = scoring_of(campaign)
    hard = difficulties(scores)
    sign = _sign(scores.measure)
    places = dict(zip(hard, ranks_of([-sign * one.median for one in hard.values()]), strict=True))
    texts = topics.titles(campaign)
    pooled = pools.pooled_by_topic(campaign)
    relevant = scoring.labels.num_rel(scoring.relevant_from)
    ranked = (scoring.rankings.lengths.reshape(scoring.shape) > 0).sum(axis=1)
    rows = (
        TopicRow(
            topic_id,
            texts.get(topic_id, ""),
            int(ranked[topic]),
            pooled.get(topic_id, 0),
            int(scoring.num_judged[topic]),
            int(scoring.num_waiting[topic]),
            int(relevant[topic]),
            hard.get(topic_id),
            places.get(topic_id),
        )
        for topic, topic_id in enumerate(scoring.topic_ids)
    )
    ordered = tuple(sorted(rows, key=lambda row: natural(row.topic_id)))
    return TopicTable(scoring.head, scores.measure, len(scoring.runs), ordered)


def difficulties(scores: TopicScores) -> dict[str, Difficulty]:
    """Each judged topic's scores in short; empty without runs."""
    if not scores.tags:
        return {}
    values: FloatArray = scores.values
    columns = (values.min(axis=1), np.median(values, axis=1), values.mean(axis=1), values.max(axis=1))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {topic_id: Difficulty(*row) for topic_id, row in zip(scores.topic_ids, rows, strict=True)}


def _hardness(row: TopicRow, sign: int) -> tuple[int, float, str]:
    mean = row.difficulty.mean if row.difficulty else 0.0
    return row.place or 0, sign * mean, row.topic_id


def _sign(measure: BoundMeasure) -> int:
    return -1 if measure.best == "lowest" else 1
