"""Judgments and runs given as dicts, labelled without tables: what a call costs that scores a few documents.

Only what is plain is taken: dicts with text for identifiers and Python's or numpy's numbers. All else is declined, and
then `formats.in_memory` reads it, which also knows what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE, UNJUDGED, IntArray, Labels, starts_of
from workbench.scoring.evaluation.joining import UNKNOWN, Labelled

Ranking = Mapping[str, float]
WHOLE = frozenset({int, np.int64, np.int32})
NUMBERS = WHOLE | {float, np.float64, np.float32}


class DictJudgments:
    """Judgments by topic and document, the topics in byte order; `topic_ids` and `labels` as in `joining.Judgments`."""

    def __init__(self, grades: dict[str, dict[str, int]], labels: Labels) -> None:
        self.topic_ids, self.labels, self.grades = tuple(grades), labels, grades
        self._of_topic = {topic_id: (number, of.get) for number, (topic_id, of) in enumerate(grades.items())}

    @classmethod
    def of(cls, qrels: Any) -> Self | None:
        """The judgments of `{topic: {document: grade}}`, as they are now; None where they are not plain."""
        topics = _plain(qrels, WHOLE)
        if topics is None:
            return None
        grades = {topic_id: dict(qrels[topic_id]) for topic_id in sorted(topics)}
        lengths = np.fromiter(map(len, grades.values()), np.int64, len(grades))
        try:
            label = np.fromiter(
                chain.from_iterable(map(dict.values, grades.values())), np.int64, int(lengths.sum())
            )
        except OverflowError:
            return None
        if label.min(initial=0) < LOWEST_GRADE or label.max(initial=0) > HIGHEST_GRADE:
            return None
        return cls(grades, Labels(starts_of(lengths), label.astype(np.int16), {}))

    def label(self, run: Any, *, single_precision: bool) -> Labelled | None:
        """The labels of `{topic: {document: score}}`; None where it is not plain."""
        topics = _plain(run, NUMBERS)
        if topics is None:
            return None
        found = [self._of_topic.get(topic_id, NOT_JUDGED) for topic_id in topics]
        rankings = [run[topic_id] for topic_id in topics]
        starts = starts_of(np.fromiter(map(len, rankings), np.int64, len(rankings)))
        size = int(starts[-1])
        try:
            score = np.fromiter(
                chain.from_iterable(ranking.values() for ranking in rankings), np.float64, size
            )
        except OverflowError:
            return None
        if np.isnan(score).any():
            return None
        if single_precision:
            with np.errstate(over="ignore"):
                score = score.astype(np.float32).astype(np.float64)
        grades = (
            map(grade, ranking, repeat(UNJUDGED)) for (_, grade), ranking in zip(found, rankings, strict=True)
        )
        label = np.fromiter(chain.from_iterable(grades), np.int16, size)
        order = _order(starts, score, rankings)
        return Labelled(label[order], starts, np.array([number for number, _ in found], np.int32))


NOT_JUDGED: tuple[int, Any] = (UNKNOWN, lambda _, label: label)


def _plain(source: Any, numbers: frozenset[type]) -> list[str] | None:
    """The topics with documents, where all identifiers are text that can be stored, and all values such numbers."""
    if type(source) is not dict or not set(map(type, source.values())) <= {dict}:
        return None
    topics = [topic_id for topic_id, of in source.items() if of]
    kinds, values = set[type](map(type, source)), set[type]()
    for of in source.values():
        kinds.update(map(type, of))
        values.update(map(type, of.values()))
    if not (kinds <= {str} and values <= numbers and _storable(source)):
        return None
    return topics if all(map(_storable, source.values())) else None


def _storable(names: Iterable[str]) -> bool:
    text = "".join(names)
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _order(starts: IntArray, score: NDArray[np.float64], rankings: Sequence[Ranking]) -> IntArray:
    """The positions of all lines in the one order within each ranking: score, then id, both descending."""
    negative = -score
    if len(rankings) == 1:
        order = negative.argsort(kind="stable")
    else:
        parts = [
            negative[start:end].argsort(kind="stable") + start
            for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        ]
        order = np.concatenate([np.empty(0, np.int64), *parts])
    ordered = negative[order]
    ties = np.flatnonzero(ordered[1:] == ordered[:-1])
    for row in np.unique(np.searchsorted(starts, ties, side="right") - 1).tolist() if len(ties) else ():
        start, end = starts[row], starts[row + 1]
        ids = list(rankings[row])
        # Ids first: a stable sort by score then leaves them descending where scores are equal.
        by_id = np.array(sorted(range(len(ids)), key=ids.__getitem__, reverse=True), np.int64)
        order[start:end] = by_id[negative[start:end][by_id].argsort(kind="stable")] + start
    return order
