"""Runs joined with judgments: every line gets its label, and the labels are put in rank order.

Measures look at labels only, so no document is numbered and no line is moved: a run is ordered as a list of
positions. A line meets its judgment by a hash of topic and document, and each such meeting is then verified by
the ids themselves, so that a collision costs time and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars import DataFrame

from workbench.formats.columns import pair_hashes
from workbench.measures.judged import JudgedRankings
from workbench.ranking import (
    POOLED,
    UNJUDGED,
    BoolArray,
    IntArray,
    Labels,
    line_order,
    row_begins,
    starts_of,
)

T = TypeVar("T")
U = TypeVar("U")
LabelArray = NDArray[np.int16]
RowArray = NDArray[np.int32]

THREADS = max(2, min(8, os.cpu_count() or 1))
NO_JUDGMENT = -1


@dataclass(frozen=True, eq=False)
class Joined:
    """Runs with the labels of their documents, as a grid of topics and runs.

    Attributes:
        topic_ids: the topics of the qrels (T), in byte order.
        tags: the names of the runs (S).
        judged: T * S rows; row topic * S + run, empty where the run lacks the topic.
        present: bool (T, S), whether the run has the topic.
        unknown_topics: int64 (S), how many topics of each run are not in the qrels; their lines are left out.
    """

    topic_ids: tuple[str, ...]
    tags: tuple[str, ...]
    judged: JudgedRankings
    present: BoolArray
    unknown_topics: IntArray


def join(
    qrels: DataFrame, runs: Sequence[DataFrame], tags: Sequence[str], *, single_precision: bool = False
) -> Joined:
    """Put runs in the one order and give every document its label.

    Args:
        qrels: columns topic_id, document_id (String), grade (integer, above POOLED and at most 32767), each
            pair once. A negative grade means "pooled, not judged", as in the reference program
            (form_res_rels.c): its label is POOLED.
        runs: columns topic_id, document_id (String), score (Float64, no nan), each pair once, in any order.
        tags: the name of each run.
        single_precision: whether scores are compared as 32-bit floats, which makes more of them equal.
    """
    qrels, topic_ids = _by_topic(qrels)
    numbers = {topic_id: number for number, topic_id in enumerate(topic_ids)}
    lines = _threaded(lambda run: _lines_of(run, numbers, single_precision=single_precision), runs)
    labels = _labels_of(qrels)
    cells: list[LabelArray] = [np.empty(0, np.int16)] * (len(topic_ids) * len(runs))
    for run, (one, found) in enumerate(zip(lines, _labelled(lines, qrels, labels), strict=True)):
        for number, start, end in one.rankings():
            cells[number * len(runs) + run] = found[start:end]
    lengths = np.array([len(cell) for cell in cells], np.int64)
    topic = np.repeat(np.arange(len(topic_ids), dtype=np.int32), len(runs))
    label = np.concatenate(cells) if cells else np.empty(0, np.int16)
    return Joined(
        topic_ids,
        tuple(tags),
        JudgedRankings(starts_of(lengths), topic, label, labels),
        (lengths > 0).reshape(len(topic_ids), len(runs)),
        np.array([np.count_nonzero(one.topic < 0) for one in lines], np.int64),
    )


class _Lines(NamedTuple):
    """A run whose topics stand together: its lines, where each ranking starts, its topic, the order of all."""

    frame: DataFrame
    starts: IntArray
    topic: NDArray[np.int32]
    order: IntArray | None

    def rankings(self) -> Iterable[tuple[int, int, int]]:
        """The number of the topic, the first line and the line behind the last one, of known topics."""
        spans = zip(self.topic.tolist(), self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)
        return (span for span in spans if span[0] >= 0)

    @property
    def topic_of_lines(self) -> NDArray[np.int32]:
        return np.repeat(self.topic, np.diff(self.starts))


def _lines_of(frame: DataFrame, numbers: dict[str, int], *, single_precision: bool) -> _Lines:
    begins = row_begins(frame["topic_id"])
    topic_ids = frame["topic_id"].filter(begins).to_list()
    if len(set(topic_ids)) < len(topic_ids):
        ordered = frame.sort("topic_id", maintain_order=True)
        return _lines_of(ordered, numbers, single_precision=single_precision)
    score = frame["score"].to_numpy()
    if single_precision:
        with np.errstate(over="ignore"):
            score = score.astype(np.float32)
    starts = np.append(np.flatnonzero(begins), len(begins))
    topic = np.array([numbers.get(topic_id, -1) for topic_id in topic_ids], np.int32)
    return _Lines(frame, starts, topic, line_order(begins, score, frame["document_id"]))


def _by_topic(qrels: DataFrame) -> tuple[DataFrame, tuple[str, ...]]:
    """The judgments in one piece, with the topics in byte order; and the topics."""
    if not qrels["topic_id"].is_sorted():
        qrels = qrels.sort("topic_id", maintain_order=True)
    return qrels.rechunk(), tuple(qrels["topic_id"].unique(maintain_order=True).to_list())


def _labels_of(qrels: DataFrame) -> Labels:
    starts = np.append(np.flatnonzero(row_begins(qrels["topic_id"])), qrels.height)
    grade = qrels["grade"].to_numpy()
    return Labels(starts.astype(np.int64), np.where(grade < 0, POOLED, grade).astype(np.int16))


def _labelled(lines: Sequence[_Lines], qrels: DataFrame, labels: Labels) -> list[LabelArray]:
    """The labels of all lines of each run, in rank order in each ranking."""
    label = np.append(labels.label, np.int16(UNJUDGED))  # the last one is what NO_JUDGMENT points to
    rows = _judgments(lines, qrels, labels)

    def in_order(pair: tuple[_Lines, RowArray]) -> LabelArray:
        one, row = pair
        return label[row if one.order is None else row[one.order]]

    return _threaded(in_order, list(zip(lines, rows, strict=True)))


def _judgments(lines: Sequence[_Lines], qrels: DataFrame, labels: Labels) -> list[RowArray]:
    """For each line of each run the row of the qrels that judges it, or NO_JUDGMENT."""
    frames = [one.frame for one in lines]
    pairs = pair_hashes(qrels)
    if len(np.unique(pairs)) < len(pairs):
        return [_judgments_by_ids(frame, qrels) for frame in frames]
    found = _rows_of(np.concatenate(_threaded(pair_hashes, frames)), pairs)
    rows = np.split(found, np.cumsum([frame.height for frame in frames])[:-1])
    topic = np.repeat(np.arange(len(labels), dtype=np.int32), np.diff(labels.topic_start))

    def verified(pair: tuple[_Lines, RowArray]) -> bool:
        one, row = pair
        judged = row >= 0
        row = row[judged]
        ids = one.frame["document_id"].filter(pl.Series(judged))
        same_topic = np.array_equal(one.topic_of_lines[judged], topic[row])
        return same_topic and bool((ids == qrels["document_id"].gather(pl.Series(row))).all())

    if all(_threaded(verified, list(zip(lines, rows, strict=True)))):
        return rows
    return [_judgments_by_ids(frame, qrels) for frame in frames]


def _rows_of(pairs: NDArray[np.uint64], judged: NDArray[np.uint64]) -> RowArray:
    """Where each of `pairs` stands in `judged` (each there once), or NO_JUDGMENT."""
    wanted = pl.DataFrame({"pair": pairs})
    known = pl.DataFrame({"pair": judged, "row": np.arange(len(judged), dtype=np.int32)})
    return _row_column(wanted.join(known, on="pair", how="left", maintain_order="left"))


def _judgments_by_ids(frame: DataFrame, qrels: DataFrame) -> RowArray:
    """The same for the lines of one run by the ids themselves, for the case that two hashes are equal."""
    key = ["topic_id", "document_id"]
    known = qrels.select(*key, pl.int_range(pl.len(), dtype=pl.Int32).alias("row"))
    return _row_column(frame.select(key).join(known, on=key, how="left", maintain_order="left"))


def _row_column(joined: DataFrame) -> RowArray:
    return joined["row"].fill_null(NO_JUDGMENT).to_numpy()


def _threaded(function: Callable[[T], U], items: Sequence[T]) -> list[U]:
    """The function of every item; numpy and polars run outside the interpreter's lock."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(function, items))
