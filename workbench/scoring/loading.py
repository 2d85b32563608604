"""A campaign's rankings and labels in memory, as of one row of its log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np

from workbench.campaign import Campaign, judgments, log, pools, runs, settings
from workbench.campaign.rankings import load_rankings
from workbench.campaign.runs import StoredRun
from workbench.measures import JudgedRankings
from workbench.ranking import POOLED, UNJUDGED, IntArray, Labels, Rankings, starts_of


@dataclass(frozen=True, eq=False)
class Scoring:
    """Everything that scores depend on, as of one row of the log.

    Attributes:
        head: that row.
        runs: the runs, in the order they were added.
        topic_ids: all topics of the campaign, in byte order.
        rankings: a grid of rows, row `topic * len(runs) + run`; a run without the topic has an empty row.
        labels: the grade in force of every pair that is judged, and which of the others are pooled.
        num_judged: how many pairs of each topic are judged, int64 (T).
        beyond: for each topic the judged or pooled documents that no run has, with their numbers.
        relevant_from: the smallest grade that the campaign calls relevant.
    """

    head: log.Head
    runs: tuple[StoredRun, ...]
    topic_ids: tuple[str, ...]
    rankings: Rankings
    labels: Labels
    num_judged: IntArray
    beyond: dict[str, dict[str, int]]
    relevant_from: int

    @property
    def shape(self) -> tuple[int, int]:
        """How many topics and how many runs: the shape of values per topic."""
        return len(self.topic_ids), len(self.runs)

    def judged(self) -> JudgedRankings:
        """All rankings joined with their labels."""
        return JudgedRankings.join(self.rankings, self.labels)

    def judged_of_topic(self, topic: int) -> JudgedRankings:
        """One topic's rankings, a row per run, joined with their labels."""
        rows = self.rankings.rows_between(topic * len(self.runs), (topic + 1) * len(self.runs))
        return JudgedRankings.join(
            replace(rows, topic=np.zeros_like(rows.topic)), self.labels.of_topic(topic)
        )


def load_scoring(campaign: Campaign, as_of: int | None = None) -> Scoring:
    """Rankings and labels of a campaign now, or as of a row of its log."""
    with campaign.snapshot():
        stored = load_rankings(campaign, as_of=as_of)
        n_topics, n_runs = len(stored.topic_ids), len(stored.runs)
        grid = stored.rankings.as_grid(n_topics, n_runs)
        labels, beyond = _labels(campaign, stored.topic_ids, _sizes(grid, n_topics, n_runs), as_of)
        return Scoring(
            head=log.head_at(campaign, as_of),
            runs=tuple(stored.runs),
            topic_ids=tuple(stored.topic_ids),
            rankings=grid,
            labels=labels,
            num_judged=labels.num_judged(),
            beyond=beyond,
            relevant_from=settings.read(campaign, as_of).relevant_from,
        )


def _sizes(grid: Rankings, n_topics: int, n_runs: int) -> IntArray:
    """How many document numbers of each topic the rankings use, int64 (T)."""
    bounds = grid.row_start[:: max(n_runs, 1)][: n_topics + 1]
    stretches = pairwise(bounds.tolist()) if n_runs else ()
    sizes = np.zeros(n_topics, np.int64)
    for topic, (start, end) in enumerate(stretches):
        sizes[topic] = int(grid.document[start:end].max(initial=0)) + 1 if end > start else 0
    return sizes


def _labels(
    campaign: Campaign, topic_ids: list[str], sizes: IntArray, as_of: int | None
) -> tuple[Labels, dict[str, dict[str, int]]]:
    """Labels of all topics, and the numbers given to documents that no run has; `sizes` grow by these."""
    told = _told(campaign, as_of)
    topics = [topic for topic, topic_id in enumerate(topic_ids) if topic_id in told]
    beyond, cells = {}, []
    for topic in topics:
        topic_id = topic_ids[topic]
        vocabulary = runs.vocabulary(campaign, topic_id)
        number_of = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
        cells.append([number_of.setdefault(document_id, len(number_of)) for document_id in told[topic_id]])
        beyond[topic_id] = dict(islice(number_of.items(), len(vocabulary), None))
        sizes[topic] = len(number_of)
    labels = Labels(starts_of(sizes), np.full(int(sizes.sum()), UNJUDGED, np.int16))
    for topic, numbers in zip(topics, cells, strict=True):
        labels.of_topic(topic).label[numbers] = list(told[topic_ids[topic]].values())
    return labels, beyond


def _told(campaign: Campaign, as_of: int | None) -> dict[str, dict[str, int]]:
    """topic id -> document id -> label, of every pair that is judged or pooled."""
    told: dict[str, dict[str, int]] = {}
    for topic_id, document_id in pools.pooled_ids(campaign, as_of):
        told.setdefault(topic_id, {})[document_id] = POOLED
    for _, topic_id, document_id, grade in judgments.grades(campaign, as_of):
        told.setdefault(topic_id, {})[document_id] = grade
    return told
