"""Rankings given as arrays of labels, or of scores and numbers of documents: no identifiers, no tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core.errors import UnknownName
from workbench.core.ranking import HIGHEST_GRADE, UNJUDGED, IntArray, Labels, starts_of
from workbench.core.wording import none_such
from workbench.methods.measures.judged import FloatArray, JudgedRankings
from workbench.scoring.evaluation.evaluate import Options
from workbench.scoring.evaluation.selection import RequestedOutput


def values_of_labels(
    labels: ArrayLike, judged: ArrayLike | None, requested: Iterable[RequestedOutput], options: Options
) -> dict[str, FloatArray]:
    """The values of each measure, float64 (n,), of rankings given as labels; see `workbench.library.score_labels`."""
    ranked = _table(labels, "labels")
    known = ranked if judged is None else _table(judged, "judged")
    if len(known) != len(ranked):
        raise ValueError(
            f"labels have {len(ranked)} rows and judged {len(known)}; give one row of each a ranking"
        )
    start = np.arange(len(known) + 1) * known.shape[1]
    return _values(ranked, Labels(start, known.ravel()), np.arange(len(ranked)), requested, options)


class ArrayEvaluator:
    """Scores rankings of numbered documents.

    Attributes:
        topic_ids: the topics that have judgments, in byte order: topics by their numbers.
        document_ids: documents by their numbers.
    """

    def __init__(
        self,
        rows: Iterable[tuple[str, str, int]],
        document_ids: Sequence[str],
        requested: Sequence[RequestedOutput],
        options: Options,
    ) -> None:
        """`rows` are topic, document and grade of each judgment; ValueError where an id stands twice."""
        self.document_ids, self._requested, self._options = tuple(document_ids), requested, options
        number = {each: place for place, each in enumerate(self.document_ids)}
        if len(number) < len(self.document_ids):
            raise ValueError("a document stands twice in document_ids; give each once")
        # Equal scores are ordered by descending id: by this place of each id in byte order.
        by_id = sorted(range(len(self.document_ids)), key=self.document_ids.__getitem__)
        self._place = np.empty(len(by_id), np.int64)
        self._place[by_id] = np.arange(len(by_id))
        grades: dict[str, dict[str, int]] = {}
        for topic_id, document_id, grade in rows:
            grades.setdefault(topic_id, {})[document_id] = grade
        self.topic_ids = tuple(sorted(grades))
        of_topics = [grades[topic_id] for topic_id in self.topic_ids]
        start = starts_of(np.array([len(of) for of in of_topics], np.int64))
        self._labels = Labels(start, np.array([grade for of in of_topics for grade in of.values()], np.int16))
        cells = {
            topic * len(number) + number[each]: grade
            for topic, of in enumerate(of_topics)
            for each, grade in of.items()
            if each in number
        }
        # The last one is beyond all others, so that a search always ends at one.
        self._cell = np.array([*sorted(cells), np.iinfo(np.int64).max], np.int64)
        self._grade = np.array([*(cells[cell] for cell in sorted(cells)), UNJUDGED], np.int16)

    def __call__(
        self, documents: ArrayLike, scores: ArrayLike, topics: Sequence[str] | NDArray[Any] | None = None
    ) -> dict[str, FloatArray]:
        """The value of each measure for each row.

        Args:
            documents: int (n, k), the numbers of the documents of each ranking, in any order; -1 for none.
            scores: float (n, k), no nan.
            topics: (n,), the topics of the rows, as ids or as numbers; None for all topics in their order.

        Raises:
            ValueError: the shapes do not fit, a score is nan, or a number is none of a document or topic.
            UnknownName: a topic without judgments.
        """
        numbers, given = np.atleast_2d(np.asarray(documents)), np.atleast_2d(np.asarray(scores, np.float64))
        topic = self._topics(topics)
        if numbers.shape != given.shape or len(topic) != len(numbers):
            raise ValueError(
                f"documents are {numbers.shape}, scores {given.shape}, topics ({len(topic)},); give them the same rows"
            )
        if np.isnan(given).any():
            raise ValueError("a score is nan, which has no place; give a number")
        if numbers.min(initial=0) < -1 or numbers.max(initial=-1) >= len(self.document_ids):
            raise ValueError(
                f"numbers of documents go from 0 to {len(self.document_ids) - 1}, or are -1 for none"
            )
        if self._options.profile.single_precision:
            given = given.astype(np.float32)
        missing = numbers < 0
        place = np.where(missing, -1, self._place[numbers] if len(self._place) else -1)
        order = np.lexsort((-place, -given, missing), axis=-1)
        cell = np.take_along_axis(topic[:, None] * len(self.document_ids) + numbers, order, -1)
        found = np.searchsorted(self._cell, cell)
        label = np.where(self._cell[found] == cell, self._grade[found], np.int16(UNJUDGED))
        return _values(label, self._labels, topic, self._requested, self._options, (~missing).sum(axis=1))

    def _topics(self, topics: Sequence[str] | NDArray[Any] | None) -> IntArray:
        if topics is None:
            return np.arange(len(self.topic_ids))
        given = np.atleast_1d(np.asarray(topics))
        if given.dtype.kind in "iu":
            if given.min(initial=0) < 0 or given.max(initial=-1) >= len(self.topic_ids):
                raise ValueError(f"numbers of topics go from 0 to {len(self.topic_ids) - 1}")
            return given.astype(np.int64)
        known = {each: number for number, each in enumerate(self.topic_ids)}
        if unknown := [each for each in given.tolist() if each not in known]:
            raise UnknownName(none_such("topic", unknown[0], self.topic_ids))
        return np.array([known[each] for each in given.tolist()], np.int64)


def _table(labels: ArrayLike, what: str) -> NDArray[np.int16]:
    """Labels as a table; ValueError where they are no whole numbers of two bytes, or have more than two dimensions."""
    found = np.atleast_2d(np.asarray(labels))
    if found.ndim > 2 or not (found.dtype.kind in "iub" or found.size == 0):
        raise ValueError(
            f"{what} are {found.dtype} {found.shape}; give whole numbers, a row for each ranking"
        )
    if found.min(initial=0) < UNJUDGED or found.max(initial=0) > HIGHEST_GRADE:
        raise ValueError(f"{what} are beyond {UNJUDGED} to {HIGHEST_GRADE}")
    return found.astype(np.int16)


def _values(
    label: NDArray[np.int16],
    labels: Labels,
    topic: IntArray,
    requested: Iterable[RequestedOutput],
    options: Options,
    lengths: IntArray | None = None,
) -> dict[str, FloatArray]:
    """The values of each measure for rows of labels by rank, of which `lengths` count."""
    rows, width = label.shape
    lengths = np.full(rows, width) if lengths is None else lengths
    lengths = lengths if options.depth is None else np.minimum(lengths, options.depth)
    kept = np.arange(width) < lengths[:, None]
    judged = JudgedRankings(starts_of(lengths), topic.astype(np.int32), label[kept], labels)
    return {each.name: each.measure(judged) for each in requested if each.measure is not None}
