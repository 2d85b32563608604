"""Runs joined with judgments: every line gets its label, and the labels are put in rank order.

Measures look at labels only, so no document is numbered and no line is moved: a run is ordered as a list of
positions. A line finds its judgment by a hash of topic and document, and each such find is then verified by
the ids themselves, so that a collision costs time and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import UNJUDGED, IntArray, Labels, line_order, starts_of
from workbench.methods.measures.judged import JudgedRankings
from workbench.methods.measures.sampled_rankings import SampledRankings
from workbench.methods.measures.subtopics import SubtopicRankings

if TYPE_CHECKING:
    from polars import DataFrame, Series


Hashes = NDArray[np.uint64]
Places = NDArray[np.int32 | np.int64]

LARGEST = np.uint64(2**64 - 1)
SLOTS_EACH = 4
"""At least this many slots for each hash of the table, so that few hashes share one."""


class HashTable:
    """The hashes of a list in ascending order, and for every value of their first bits where it begins there.

    The first bits of a hash lead to a place; from there it is sought upwards, mostly by no step at all.
    """

    def __init__(self, hashes: Hashes) -> None:
        """`hashes` are spread evenly over 64 bits; the same one may stand twice."""
        bits = max(1, (SLOTS_EACH * len(hashes)).bit_length())
        self._shift = np.uint64(64 - bits)
        self._row = np.argsort(hashes)
        self._ascending = np.append(hashes[self._row], LARGEST)
        counts = np.bincount(self._slots(self._ascending[:-1]), minlength=1 << bits)
        self._begin: Places = np.zeros(1 << bits, np.int32 if len(hashes) < 2**31 else np.int64)
        np.cumsum(counts[:-1], out=self._begin[1:])

    def find(self, hashes: Hashes) -> tuple[IntArray, IntArray]:
        """Which of the hashes (positions, ascending) are in the list, and where; of equal ones one of them."""
        place = self._begin.take(self._slots(hashes))
        there = self._ascending.take(place)
        below = np.flatnonzero(there < hashes)
        while len(below):
            place[below] += 1
            there[below] = self._ascending[place[below]]
            below = below[there[below] < hashes[below]]
        found = np.flatnonzero(there == hashes)
        place = place[found]
        inside = place < len(self._row)  # beyond stands LARGEST, which ends every search
        return found[inside], self._row[place[inside]]

    def _slots(self, hashes: Hashes) -> NDArray[np.intp]:
        return (hashes >> self._shift).astype(np.intp)


BoolArray = NDArray[np.bool_]
LabelArray = NDArray[np.int16]
TopicArray = NDArray[np.int32]

THREADS = max(2, min(8, os.cpu_count() or 1))
UNKNOWN = -1
"""The number of a topic that is not in the qrels."""
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Joined:
    """Runs with the labels of their documents, as a grid of topics and runs.

    Attributes:
        topic_ids: the topics of the qrels (T), in byte order.
        tags: the names of the runs (S).
        judged: T * S rows; row topic * S + run, empty where the run lacks the topic.
        present: bool (T, S), whether the run has the topic.
        unknown_topics: int64 (S), how many topics of each run are not in the qrels; their lines are left out.
        subtopics: the same rows with judgments of subtopics, if there are any.
        sample: the same rows with a sample and its design, if the judgments are one.
    """

    topic_ids: tuple[str, ...]
    tags: tuple[str, ...]
    judged: JudgedRankings
    present: BoolArray
    unknown_topics: IntArray
    subtopics: SubtopicRankings | None = None
    sample: SampledRankings | None = None


def join(
    qrels: DataFrame, runs: Sequence[DataFrame], tags: Sequence[str], *, single_precision: bool = False
) -> Joined:
    """Put runs in the one order and give every document its label.

    Args:
        qrels: columns topic_id, document_id (String), grade (integer, above POOLED and at most 32767), each
            pair once.
        runs: columns topic_id, document_id (String), score (Float64, no nan), each pair once, in any order.
        tags: the name of each run.
        single_precision: whether scores are compared as 32-bit floats, which makes more of them equal.
    """
    from concurrent.futures import ThreadPoolExecutor

    judgments = Judgments(qrels)

    def labelled(run: DataFrame) -> Labelled:
        return judgments.label(run, single_precision=single_precision)

    with ThreadPoolExecutor(THREADS) as pool:
        return as_grid(judgments.topic_ids, judgments.labels, list(pool.map(labelled, runs)), tags)


class Judgments:
    """The judgments topic by topic in byte order, and the means to find one.

    Attributes:
        topic_ids: the topics (T), in byte order.
        labels: the label of each judgment, those of a topic in the order of the qrels.
    """

    def __init__(self, qrels: DataFrame) -> None:
        if not qrels["topic_id"].is_sorted():
            qrels = qrels.sort("topic_id", maintain_order=True)
        self.frame = qrels.rechunk()
        starts, topic_ids = _stretches(qrels["topic_id"])
        self.topic_ids = tuple(topic_ids)
        self.numbers = {topic_id: number for number, topic_id in enumerate(topic_ids)}
        self.labels = Labels(starts, qrels["grade"].to_numpy().astype(np.int16))
        topics = np.arange(len(topic_ids), dtype=np.int32)
        self.table = HashTable(_hashes(self.frame["document_id"], np.repeat(topics, np.diff(starts))))

    @property
    def highest(self) -> int:
        """The highest grade; there is at least one."""
        return int(self.frame["grade"].to_numpy().max())

    def label(self, run: DataFrame, *, single_precision: bool) -> Labelled:
        """The labels of a run, as for `join`."""
        lines = _lines_of(run, self.numbers, single_precision=single_precision)
        ids, judged_ids = lines.frame["document_id"], self.frame["document_id"]
        found, row = self.table.find(_hashes(ids, np.repeat(lines.topic, np.diff(lines.starts))))
        if not (ids.gather(found) == judged_ids.gather(row)).all():  # hashes of different pairs are equal
            found, row = _judged_by_ids(lines.frame, self.frame)
        label = np.full(lines.frame.height, UNJUDGED, np.int16)
        label[found] = self.labels.label[row]
        return Labelled(label if lines.order is None else label[lines.order], lines.starts, lines.topic)


class _Lines(NamedTuple):
    """A run whose topics stand together: its lines, where each ranking starts, its topic, the order of all."""

    frame: DataFrame
    starts: IntArray
    topic: TopicArray
    order: IntArray | None


class Labelled(NamedTuple):
    """The labels of a run's lines, in rank order in each ranking; where each ranking starts, and its topic."""

    label: LabelArray
    starts: IntArray
    topic: TopicArray


def _lines_of(frame: DataFrame, numbers: dict[str, int], *, single_precision: bool) -> _Lines:
    starts, topic_ids = _stretches(frame["topic_id"])
    if len(set(topic_ids)) < len(topic_ids):
        frame = frame.sort("topic_id", maintain_order=True)
        starts, topic_ids = _stretches(frame["topic_id"])
    score = frame["score"].to_numpy()
    if single_precision:
        with np.errstate(over="ignore"):
            score = score.astype(np.float32)
    topic = np.array([numbers.get(topic_id, UNKNOWN) for topic_id in topic_ids], np.int32)
    return _Lines(frame, starts, topic, line_order(starts, score, frame["document_id"]))


def _stretches(topics: Series) -> tuple[IntArray, list[str]]:
    """Where each stretch of one topic starts, and the end; and the topic of each."""
    stretches = topics.rle().struct.unnest()
    return starts_of(stretches["len"].to_numpy()), stretches["value"].to_list()


def _hashes(document_id: Series, topic: TopicArray) -> Hashes:
    """A hash for the document and the topic of each line.

    If two are equal, and the documents too, then so are the topics: the hashes of the ids cancel out, and an
    odd number multiplies no two numbers of 64 bits to the same.
    """
    hashes: Hashes = document_id.hash(seed=1).to_numpy() + topic.astype(np.uint64) * MULTIPLIER
    return hashes


def _judged_by_ids(frame: DataFrame, qrels: DataFrame) -> tuple[IntArray, IntArray]:
    """The lines that have a judgment, and the row of the qrels in which it stands, by the ids themselves."""
    key = ["topic_id", "document_id"]
    lines, known = frame.select(key).with_row_index("line"), qrels.select(key).with_row_index("row")
    joined = lines.join(known, on=key)
    return joined["line"].to_numpy().astype(np.int64), joined["row"].to_numpy().astype(np.int64)


def as_grid(
    topic_ids: Sequence[str], labels: Labels, runs: Sequence[Labelled], tags: Sequence[str]
) -> Joined:
    """The rankings of all runs, topic by topic; those of unknown topics are left out."""
    n_topics, n_runs = len(topic_ids), len(runs)
    cells: list[LabelArray] = [np.empty(0, np.int16)] * (n_topics * n_runs)
    for run, (label, starts, topics) in enumerate(runs):
        for topic, start, end in zip(topics.tolist(), starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            if topic != UNKNOWN:
                cells[topic * n_runs + run] = label[start:end]
    lengths = np.array([len(cell) for cell in cells], np.int64)
    topic_of_row = np.repeat(np.arange(n_topics, dtype=np.int32), n_runs)
    label = np.concatenate([np.empty(0, np.int16), *cells])
    return Joined(
        tuple(topic_ids),
        tuple(tags),
        JudgedRankings(starts_of(lengths), topic_of_row, label, labels),
        (lengths > 0).reshape(n_topics, n_runs),
        np.array([np.count_nonzero(run.topic == UNKNOWN) for run in runs], np.int64),
    )
