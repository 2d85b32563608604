"""A judged collection as simulations see it: rankings, the pool to a depth, and a label for each pair of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import InputError, Problem
from workbench.core.ranking import (
    POOLED,
    UNJUDGED,
    IntArray,
    Labels,
    Names,
    Packed,
    Rankings,
    order_run,
    pack_rankings,
    starts_of,
)
from workbench.core.wording import counted
from workbench.methods.measures.judged import FloatArray, JudgedRankings
from workbench.methods.measures.means import over_topics
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.measures.sampled_rankings import OUTSIDE, SampledRankings, SampleLabels
from workbench.methods.pooling.frames import Frame
from workbench.methods.pooling.topic_table import TopicTable, table_of
from workbench.scoring.evaluation.reading import read_evaluation


class Collection(NamedTuple):
    """Runs, and their pool to a depth with all its labels.

    Attributes:
        rankings: a row for each topic and run, whole.
        labels: the grade of each pooled pair, 0 where it was not judged, and UNJUDGED of all others.
        candidates: the rankings down to the depth, with the pairs of the pool alone.
        tables: of each topic its candidates; without any where no run has the topic.
        runs: how many there are.
        depth: how far down the rankings the pool goes.
        without_judgment: how many pooled pairs have no judgment, and count as not relevant.
        with_texts: gives a table its topic's texts, for the strategies that go by them; None where there are none.
    """

    rankings: Rankings
    labels: Labels
    candidates: Rankings
    tables: tuple[TopicTable, ...]
    runs: int
    depth: int
    without_judgment: int
    with_texts: Callable[[TopicTable], TopicTable] | None = None

    @property
    def pooled(self) -> int:
        """How many pairs all pools have."""
        return sum(map(len, self.tables))

    @property
    def topics(self) -> int:
        """How many topics there are; every one counts."""
        return len(self.tables)

    def cells(self, topic: int, places: IntArray) -> IntArray:
        """The cells of the labels that candidates of a topic have, by their places in its table."""
        start: np.int64 = self.labels.topic_start[topic]
        return start + self.tables[topic].document[places].astype(np.int64)

    def scores(self, labels: Labels, measure: BoundMeasure) -> FloatArray:
        """The measure of each run over all topics by these labels, float64 (runs,)."""
        return over_topics(measure, self.values(labels, measure), labels)

    def values(self, labels: Labels, measure: BoundMeasure) -> FloatArray:
        """The measure by these labels, float64 (topics, runs)."""
        return self._grid(measure(JudgedRankings.join(self.rankings, labels)))

    def partly(self, judged: IntArray) -> Labels:
        """The labels with these cells judged; the rest of the pool is POOLED."""
        whole = self.labels
        label = np.where(whole.label > POOLED, np.int16(POOLED), whole.label)
        label[judged] = whole.label[judged]
        return Labels(whole.topic_start, label)

    def estimates(self, frame: Frame, measure: BoundMeasure) -> FloatArray:
        """An estimating measure by what was drawn of a frame over the candidates, float64 (topics, runs)."""
        cells, size = self.cells_of(frame), len(self.labels.label)
        stratum, probability = np.full(size, OUTSIDE), np.zeros(size)
        stratum[cells] = frame.pairs.stratum - 1
        probability[cells] = frame.pairs.inclusion_probability
        drawn = np.zeros(size, np.bool_)
        drawn[cells] = frame.drawn
        start, grade = self.labels.topic_start, self.labels.label
        labels = SampleLabels(start, stratum, grade, probability, drawn, has_strata=frame.has_strata)
        return self._grid(measure(SampledRankings.join(self.rankings, labels)))

    def cells_of(self, frame: Frame) -> IntArray:
        """The cells of a frame's pairs."""
        cells: IntArray = self.labels.topic_start[frame.pairs.topic] + frame.pairs.document
        return cells

    @property
    def warning(self) -> str:
        """What counts as not relevant without a judgment, in a sentence; "" where all pairs are judged."""
        if not self.without_judgment:
            return ""
        pairs = counted(self.without_judgment, "pair")
        return (
            f"{pairs} of {self.pooled:,} in the pools to depth {self.depth} without a judgment; "
            "they count as not relevant"
        )

    def _grid(self, values: FloatArray) -> FloatArray:
        return values.reshape(self.topics, self.runs)


def collection_of(packed: Packed, runs: int, depth: int) -> Collection:
    """The collection of runs and judgments, its pools to `depth`; every topic counts."""
    rankings = replace(packed.rankings, names=_names(packed, runs))
    return pooled_collection(rankings, rankings, packed.labels, runs, depth)


def pooled_collection(
    rankings: Rankings, source: Rankings, labels: Labels, runs: int, depth: int
) -> Collection:
    """The collection of the pool to `depth` of `source`, which has names, and scores for strategies that look at them.

    `rankings` are those that are scored: of all runs, whole.
    """
    topics = len(labels)
    tables = tuple(table_of(source.of_topic(topic), depth=depth) for topic in range(topics))
    cells = [
        labels.topic_start[topic] + table.document.astype(np.int64) for topic, table in enumerate(tables)
    ]
    pooled = np.concatenate([np.empty(0, np.int64), *cells])
    label = np.full_like(labels.label, UNJUDGED)
    label[pooled] = np.maximum(labels.label[pooled], 0)
    without = int((labels.label[pooled] <= POOLED).sum())
    closed, grid = Labels(labels.topic_start, label), rankings.as_grid(topics, runs)
    return Collection(grid, closed, source.to_depth(depth), tables, runs, depth, without)


def only(rankings: Rankings, labels: Labels, chosen: NDArray[np.bool_]) -> Rankings:
    """The rankings without the documents that are not chosen; `chosen` is a mask over the cells of the labels."""
    row = rankings.entry_rows
    kept = chosen[labels.topic_start[rankings.topic[row]] + rankings.document]
    return replace(
        rankings,
        row_start=starts_of(np.bincount(row[kept], minlength=len(rankings))),
        document=rankings.document[kept],
        score=None if rankings.score is None else rankings.score[kept],
    )


def _names(packed: Packed, runs: int) -> Names:
    """The ids behind the numbers, by which some orders go; runs are called by their numbers."""
    ids, starts = packed.pairs["document_id"].to_list(), packed.labels.topic_start.tolist()
    of_topics = zip(packed.topic_ids, starts[:-1], starts[1:], strict=True)
    return Names(
        packed.topic_ids, {topic: ids[start:end] for topic, start, end in of_topics}, [*map(str, range(runs))]
    )


def collection_from_files(
    qrels: str | Path, runs: Sequence[str | Path], depth: int
) -> tuple[Collection, list[Problem]]:
    """Read run files and qrels, and what is odd about them; topics without judgments are left out.

    InputError: something is wrong with a file, or a run has no topic that has judgments.
    """
    import polars as pl

    files = read_evaluation(qrels, runs)
    judged = files.qrels.frame["topic_id"].unique()
    frames = [order_run(run.frame.filter(pl.col("topic_id").is_in(judged.implode()))) for run in files.runs]
    if foreign := [run.file for run, frame in zip(files.runs, frames, strict=True) if not frame.height]:
        message = f"none of its topics has judgments in {files.qrels.file}; are these files of the same task?"
        raise InputError([Problem(file, None, message) for file in foreign])
    found = collection_of(pack_rankings(frames, files.qrels.frame), len(frames), depth)
    warnings = [*files.qrels.warnings, *(problem for run in files.runs for problem in run.warnings)]
    if found.warning:
        warnings.append(Problem(files.qrels.file, None, found.warning))
    return found, warnings
