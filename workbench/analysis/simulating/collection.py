"""A judged collection as simulations see it: rankings, the pool to a depth, and a label for each pair of it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.core.ranking import UNJUDGED, Labels, Names, Packed, Rankings
from workbench.methods.measures.judged import FloatArray, JudgedRankings
from workbench.methods.measures.means import over_topics
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.pooling.topic_table import TopicTable, table_of


class Collection(NamedTuple):
    """Runs, and their pool to a depth with all its labels.

    Attributes:
        rankings: a row for each topic and run, whole.
        labels: the grade of each pooled pair, 0 where it was not judged, and UNJUDGED of all others.
        tables: of each topic its candidates; without any where no run has the topic.
        runs: how many there are.
        without_judgment: how many pooled pairs have no judgment, and count as not relevant.
    """

    rankings: Rankings
    labels: Labels
    tables: tuple[TopicTable, ...]
    runs: int
    without_judgment: int

    @property
    def pooled(self) -> int:
        """How many pairs all pools have."""
        return sum(map(len, self.tables))

    def scores(self, labels: Labels, measure: BoundMeasure) -> FloatArray:
        """The measure of each run over all topics by these labels, float64 (runs,)."""
        values = measure(JudgedRankings.join(self.rankings, labels))
        return over_topics(measure, values.reshape(len(self.tables), self.runs), labels)


def collection_of(packed: Packed, runs: int, depth: int) -> Collection:
    """The collection of runs and judgments, its pools to `depth`; every topic counts."""
    rankings = replace(packed.rankings, names=_names(packed, runs))
    topics = range(len(packed.topic_ids))
    tables = tuple(table_of(rankings.of_topic(topic), depth=depth) for topic in topics)
    cells = [
        packed.labels.topic_start[topic] + table.document.astype(np.int64)
        for topic, table in enumerate(tables)
    ]
    pooled = np.concatenate([np.empty(0, np.int64), *cells])
    label = np.full_like(packed.labels.label, UNJUDGED)
    grades = packed.labels.label[pooled]
    label[pooled] = np.maximum(grades, 0)
    labels = Labels(packed.labels.topic_start, label)
    grid = rankings.as_grid(len(tables), runs)
    return Collection(grid, labels, tables, runs, int((grades == UNJUDGED).sum()))


def _names(packed: Packed, runs: int) -> Names:
    """The ids behind the numbers, by which some orders go; runs are called by their numbers."""
    ids, starts = packed.pairs["document_id"].to_list(), packed.labels.topic_start.tolist()
    of_topics = zip(packed.topic_ids, starts[:-1], starts[1:], strict=True)
    return Names(
        packed.topic_ids, {topic: ids[start:end] for topic, start, end in of_topics}, [*map(str, range(runs))]
    )
