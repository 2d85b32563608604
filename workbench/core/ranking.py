"""The one order of a run, the one join with judgments, and the packed arrays that everything computes on.

A *row* is one run's ranking for one topic. Documents are numbers within their topic, 0 to n - 1, so that a
judgment changes one cell of one array and a ranking costs four bytes a document. Topics are numbers into a
list of topic ids in byte order (for text in UTF-8 that is also the order of Python strings).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from polars import DataFrame, LazyFrame, Series

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

UNJUDGED = -32768
"""The label of a document that is neither judged nor pooled."""

POOLED = -32767
"""The label of a document that was pooled and is not judged (yet)."""

LOWEST_GRADE, HIGHEST_GRADE = POOLED + 1, 32767
"""Labels have two bytes."""


class Names(NamedTuple):
    """What the numbers in rankings stand for.

    Attributes:
        topic_ids: by the number of the topic.
        document_ids: by the id of the topic, and within it by the number of the document.
        tags: by the number of the run.
        teams: likewise, "" where a run has none; empty where teams are of no interest.
        grades: a judge's labels by the ids of topic and document; None where none was asked for.
    """

    topic_ids: Sequence[str]
    document_ids: Mapping[str, Sequence[str]]
    tags: Sequence[str]
    teams: Sequence[str] = ()
    grades: Mapping[str, Mapping[str, int]] | None = None


@dataclass(frozen=True, eq=False)
class Rankings:
    """Many rankings, packed one after another.

    Attributes:
        row_start: int64 (R + 1). Row i holds the positions row_start[i] to row_start[i + 1] - 1.
        document: uint32 (N). Numbers of documents within the topic of their row, in rank order.
        run: int32 (R). The run of each row.
        topic: int32 (R). The topic of each row.
        score: float64 (N), or None where only the order is of interest.
        names: the ids behind the numbers, or None where they are of no interest.
    """

    row_start: IntArray
    document: NDArray[np.uint32]
    run: NDArray[np.int32]
    topic: NDArray[np.int32]
    score: NDArray[np.float64] | None = None
    names: Names | None = None

    def __len__(self) -> int:
        return len(self.run)

    @property
    def lengths(self) -> IntArray:
        """How many documents each row has, int64 (R)."""
        return np.diff(self.row_start)

    @property
    def entry_rows(self) -> IntArray:
        """The row of each document, int64 (N)."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @property
    def entry_ranks(self) -> IntArray:
        """The rank of each document in its row, from 1, int64 (N)."""
        return np.arange(1, len(self.document) + 1) - np.repeat(self.row_start[:-1], self.lengths)

    def select(self, rows: IntArray) -> Rankings:
        """The given rows (numbers, in any order) as rankings of their own."""
        return self._gathered(self.row_start[:-1][rows], self.lengths[rows], self.run[rows], self.topic[rows])

    def rows_between(self, first: int, last: int) -> Rankings:
        """Rows `first` to `last - 1`; shares the memory of these rankings."""
        start, end = int(self.row_start[first]), int(self.row_start[last])
        return Rankings(
            self.row_start[first : last + 1] - start,
            self.document[start:end],
            self.run[first:last],
            self.topic[first:last],
            None if self.score is None else self.score[start:end],
            self.names,
        )

    def of_topic(self, topic: int) -> Rankings:
        """The rows of one topic, over all runs."""
        return self.select(np.flatnonzero(self.topic == topic))

    def of_runs(self, runs: Sequence[int]) -> Rankings:
        """The rows of the given runs, over all topics; these rankings themselves where that is all of them."""
        chosen = np.isin(self.run, runs)
        return self if chosen.all() else self.select(np.flatnonzero(chosen))

    def to_depth(self, depth: int | IntArray) -> Rankings:
        """Every row cut after its first `depth` documents; of an array, int64 (R), each row has its own.

        These rankings themselves where that is all of them.
        """
        if (self.lengths <= depth).all():
            return self
        deepest = min(depth, len(self.document)) if isinstance(depth, int) else depth
        lengths = np.minimum(self.lengths, deepest)
        return self._gathered(self.row_start[:-1], lengths, self.run, self.topic)

    def where(self, kept: NDArray[np.bool_]) -> Rankings:
        """The rows with the documents that are kept alone, bool (N,); a row may become empty."""
        score = None if self.score is None else self.score[kept]
        row_start = starts_of(kept)[self.row_start]
        return replace(self, row_start=row_start, document=self.document[kept], score=score)

    def as_grid(self, n_topics: int, n_runs: int) -> Rankings:
        """A row for every topic and run: row `topic * n_runs + run`, empty where the run lacks the topic.

        So a missing topic is an empty ranking, and no measure needs a second rule for it. Values of measures
        reshape to (n_topics, n_runs).
        """
        cells = n_topics * n_runs
        cell = self.topic.astype(np.int64) * n_runs + self.run
        start, length = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
        start[cell], length[cell] = self.row_start[:-1], self.lengths
        run = np.tile(np.arange(n_runs, dtype=np.int32), n_topics)
        topic = np.repeat(np.arange(n_topics, dtype=np.int32), n_runs)
        return self._gathered(start, length, run, topic)

    def _gathered(
        self, start: IntArray, length: IntArray, run: NDArray[np.int32], topic: NDArray[np.int32]
    ) -> Rankings:
        row_start, positions = _one_after_another(start, length)
        score = None if self.score is None else self.score[positions]
        return Rankings(row_start, self.document[positions], run, topic, score, self.names)


@dataclass(frozen=True, eq=False)
class Labels:
    """What is known about every document of every topic; the cells change as judgments come in.

    Attributes:
        topic_start: int64 (T + 1). Document d of topic t has the cell topic_start[t] + d.
        label: int16. The grade, or UNJUDGED, or POOLED.
        kept: what was found of them, by a key; None where cells change.
    """

    topic_start: IntArray
    label: NDArray[np.int16]
    kept: dict[Hashable, Any] | None = None

    def __len__(self) -> int:
        return len(self.topic_start) - 1

    def copy(self) -> Labels:
        """The same with memory of its own."""
        return Labels(self.topic_start, self.label.copy())

    def of_topic(self, topic: int) -> Labels:
        """One topic's labels, as topic 0; shares the memory of these labels."""
        return self.topics_between(topic, topic + 1)

    def topics_between(self, first: int, last: int) -> Labels:
        """The labels of topics `first` to `last - 1`; shares the memory of these labels."""
        start, end = int(self.topic_start[first]), int(self.topic_start[last])
        return Labels(self.topic_start[first : last + 1] - start, self.label[start:end])

    def of_topics(self, topics: IntArray) -> Labels:
        """The labels of these topics, in this order; a copy."""
        start, cells = cells_of(self.topic_start, topics)
        return Labels(start, self.label[cells])

    def count(self, chosen: NDArray[np.bool_]) -> IntArray:
        """How many of each topic's documents are chosen by a mask over the cells, int64 (T)."""
        return np.diff(np.searchsorted(np.flatnonzero(chosen), self.topic_start))

    def at_least(self, grade: int) -> tuple[IntArray, IntArray]:
        """The cells with a label of at least `grade`, ascending, and the topic of each."""
        cells = np.flatnonzero(self.label >= grade)
        return cells, np.searchsorted(self.topic_start, cells, side="right") - 1

    def num_judged(self) -> IntArray:
        """How many documents of each topic have a grade, int64 (T)."""
        return self.count(self.label > POOLED)

    def num_rel(self, rel: int) -> IntArray:
        """How many documents of each topic have a grade of at least `rel`, int64 (T)."""
        return self.count(self.label >= rel)

    def range_of_grades(self) -> tuple[int, int]:
        """The lowest grade given, or 0 if that is lower, and the highest, or 1 if that is higher."""
        grade = self.label[
            np.flatnonzero(self.label > POOLED)
        ]  # by a mask of mostly False it takes thrice as long
        return int(grade.min(initial=0)), int(grade.max(initial=1))

    def judged_topics(self) -> NDArray[np.bool_]:
        """Whether a topic has any judgment, bool (T)."""
        return self.num_judged() > 0


class Packed(NamedTuple):
    """Runs and judgments joined: `pairs` (topic_id, document_id) has one line per cell of the labels."""

    rankings: Rankings
    labels: Labels
    topic_ids: list[str]
    pairs: DataFrame


def starts_of(lengths: IntArray | NDArray[np.bool_]) -> IntArray:
    """Where stretches of these lengths start when they follow one another, and their end: int64 (R + 1).

    Of a mask: how many were chosen before each place, and in all.
    """
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def cells_of(topic_start: IntArray, topics: IntArray) -> tuple[IntArray, IntArray]:
    """Where these topics start when they follow one another, as in `starts_of`, and the cells that they have."""
    return _one_after_another(topic_start[topics], np.diff(topic_start)[topics])


def _one_after_another(first: IntArray, lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Where stretches of these lengths start when they follow one another, and the places that they hold; `first` are
    the first places.
    """
    start = starts_of(lengths)
    return start, np.arange(start[-1]) + np.repeat(first - start[:-1], lengths)


def order_run(frame: DataFrame, *, ascending_ties: bool = False) -> DataFrame:
    """The lines of one run in the one order: topic, then score descending, then document id descending.

    Ids are compared by the bytes of their UTF-8, as C's `strcmp` does in the reference program
    (form_res_rels.c); scores as doubles, so 0.0 and -0.0 tie. Ranks in the file play no part.

    Args:
        frame: columns topic_id, document_id (String) and score (Float64, no nan), in any order of lines.
        ascending_ties: whether documents with equal scores are ordered by ascending id instead.
    """
    if ascending_ties:
        return frame.sort("topic_id", "score", "document_id", descending=[False, True, False])
    return _in_order(frame, "topic_id", "score", "document_id")


def _in_order(frame: DataFrame, first: str, *others: str) -> DataFrame:
    """Lines sorted by one column ascending, and where that is equal by the others descending."""
    return frame.sort(first, *others, descending=[False] + [True] * len(others))


def line_order(row_start: IntArray, score: NDArray[np.floating[Any]], document_id: Series) -> IntArray | None:
    """The positions of lines in the one order within each ranking; None if they are in it already.

    Args:
        row_start: int64 (R + 1). Ranking i has the lines row_start[i] to row_start[i + 1] - 1, at least one.
        score: float (N), no nan. Of 32-bit scores more are equal.
        document_id: String (N), or an Enum in byte order.
    """
    import polars as pl

    begins = np.zeros(len(score), np.bool_)
    begins[row_start[:-1]] = True
    same = ~begins[1:]
    if np.any((score[1:] > score[:-1]) & same):
        lines = pl.DataFrame(
            {"ranking": np.cumsum(begins), "score": score, "document_id": document_id}
        ).with_row_index("position")
        return _positions(_in_order(lines, "ranking", "score", "document_id"))
    ties = (score[1:] == score[:-1]) & same
    if not ties.any():
        return None
    above, below = np.append(False, ties), np.append(ties, False)
    tied = np.flatnonzero(above | below)
    ids = document_id.filter(pl.Series(above | below))
    lines = pl.DataFrame({"stretch": np.cumsum(~above[tied]), "document_id": ids, "position": tied})
    order = np.arange(len(score))
    order[tied] = _positions(_in_order(lines, "stretch", "document_id"))
    return order


def _positions(lines: DataFrame) -> IntArray:
    return lines["position"].to_numpy().astype(np.int64, copy=False)


def reverse_ties(rankings: Rankings) -> Rankings:
    """The same rankings with equal scores in ascending order of document ids; needs the scores.

    Rankings are kept with equal scores in descending order of ids, so every stretch of them is turned round.
    """
    score = rankings.score
    if score is None:
        raise ValueError("rankings without scores have no ties")
    starts = np.ones(len(score), np.bool_)
    starts[1:] = score[1:] != score[:-1]
    starts[rankings.row_start[:-1][rankings.lengths > 0]] = True
    first = np.flatnonzero(starts)
    length = np.diff(np.append(first, len(score)))
    turned = np.repeat(2 * first + length - 1, length) - np.arange(len(score))
    return replace(rankings, document=rankings.document[turned])


def pack_rankings(runs: Sequence[DataFrame], qrels: DataFrame | None = None) -> Packed:
    """Join runs, each as `order_run` gives it, with judgments; documents are numbered in byte order.

    Args:
        runs: frames with topic_id, document_id and score; run i of the result is `runs[i]`.
        qrels: columns topic_id, document_id, grade (an integer above POOLED, at most 32767).
    """
    import polars as pl

    key = ["topic_id", "document_id"]
    judged = pl.DataFrame(schema={"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64})
    judged = judged if qrels is None else qrels.select(*key, "grade")
    lines = pl.concat(
        [frame.select(*key, "score", pl.lit(i, pl.Int32).alias("run")) for i, frame in enumerate(runs)]
        or [
            pl.DataFrame(
                schema={"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64, "run": pl.Int32}
            )
        ]
    )
    pairs = _numbered(pl.concat([lines.select(key), judged.select(key)]).lazy(), judged.lazy())
    topic_ids = pairs["topic_id"].unique().sort().to_list()
    sizes = pairs.group_by("topic", maintain_order=True).len()["len"].to_numpy()
    labels = Labels(starts_of(sizes), pairs["label"].to_numpy().copy())
    entries = lines.join(pairs, on=key, how="left", maintain_order="left")
    return Packed(_rankings_of(entries), labels, topic_ids, pairs.select(key))


def _numbered(pairs: LazyFrame, judged: LazyFrame) -> DataFrame:
    """Each pair once, in byte order, with the numbers of its topic and of its document, and its label."""
    import polars as pl

    key = ["topic_id", "document_id"]
    return (
        pairs.unique()
        .sort(key)
        .with_columns(
            (pl.col("topic_id").rank("dense") - 1).cast(pl.Int32).alias("topic"),
            pl.int_range(pl.len(), dtype=pl.UInt32).over("topic_id").alias("document"),
        )
        .join(judged, on=key, how="left", maintain_order="left")
        .with_columns(pl.col("grade").fill_null(UNJUDGED).cast(pl.Int16).alias("label"))
        .collect()
    )


def _rankings_of(entries: DataFrame) -> Rankings:
    rows = entries.group_by("run", "topic", maintain_order=True).len()
    return Rankings(
        starts_of(rows["len"].to_numpy()),
        entries["document"].to_numpy(),
        rows["run"].to_numpy(),
        rows["topic"].to_numpy(),
        entries["score"].to_numpy(),
    )
