"""An assessor's grades against those that others gave the same pairs.

Assessors have different topics, so their grades as such cannot be compared: only pairs that another assessor judged too
tell whether one is strict or lenient. Every such pair counts once, however many others judged it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.agreement.between_assessors.gathering import GradedPairs
from workbench.methods.statistics.arrays import FloatArray, signs_of
from workbench.methods.statistics.intervals import Interval, t_interval, why_none
from workbench.methods.statistics.ratings import MISSING

FEW = 10
"""With fewer differing pairs in common no assessor is called strict or lenient."""

LEVEL = 0.99
"""An assessor is called strict or lenient if an interval of this level excludes 0."""


class SharedPair(NamedTuple):
    """A pair that others judged too: one's own grade and its place on the scale from 0, the others' grades by name, and
    by how many steps of the scale one's own is above their mean.
    """

    topic_id: str
    document_id: str
    grade: int
    category: int
    others: tuple[tuple[str, int], ...]
    above: float


class AgainstPeers(NamedTuple):
    """An assessor's grades of the pairs that others judged too.

    Attributes:
        peers: who the others are, in byte order.
        grades: the scale.
        own: the share of each grade among one's own, of these pairs.
        others: the same among the others'; each pair counts once.
        higher, same, lower: on how many pairs one's own grade is above, at and below the others' mean.
        above: by how many steps of the scale one's own grade is above the others' mean: the mean over topics.
        interval: the 99 % interval of `above`, Student's t over topics: how a topic is read is one choice, which all of
            its pairs share. None with too few topics, and where all have the same mean.
        why_none: why there is no interval; "" where there is one.
        relevant_own, relevant_others: the share of relevant ones.
        pairs: the pairs in byte order.
    """

    peers: tuple[str, ...]
    grades: tuple[int, ...]
    own: tuple[float, ...]
    others: tuple[float, ...]
    higher: int
    same: int
    lower: int
    above: float
    interval: Interval | None
    why_none: str
    relevant_own: float
    relevant_others: float
    pairs: tuple[SharedPair, ...]

    @property
    def leaning(self) -> str:
        """`lenient` or `strict` against the others where chance hardly explains it; "" else."""
        if self.interval is None or self.higher + self.lower < FEW:
            return ""
        return "lenient" if self.interval.low > 0 else "strict" if self.interval.high < 0 else ""


def against_peers(found: GradedPairs, assessor: str) -> AgainstPeers | None:
    """An assessor against the others on the pairs in common; None where there are none."""
    if assessor not in found.assessors:
        return None
    column = found.assessors.index(assessor)
    rows = np.flatnonzero(found.labels[:, column] != MISSING)
    own = found.labels[rows, column]
    others = np.delete(found.labels[rows], column, axis=1)
    names = [name for name in found.assessors if name != assessor]
    shares = _shares(others, len(found.grades))
    above = own - shares @ np.arange(len(found.grades))
    return _compared(found, names, rows, own, others, shares, above)


def _shares(others: NDArray[np.int64], categories: int) -> FloatArray:
    """The share of each grade among the others' of each pair, float64 (pairs, categories)."""
    counts = np.stack([(others == category).sum(axis=1) for category in range(categories)], axis=1)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True), np.float64)


def _compared(
    found: GradedPairs,
    names: list[str],
    rows: NDArray[np.int64],
    own: NDArray[np.int64],
    others: NDArray[np.int64],
    shares: FloatArray,
    above: FloatArray,
) -> AgainstPeers:
    size = len(found.grades)
    signs = signs_of(above)
    higher, lower = int((signs > 0).sum()), int((signs < 0).sum())
    mine = np.bincount(own, minlength=size) / len(own)
    theirs = shares.mean(axis=0)
    given = _given(names, found.grades, others)
    by_topic = _means([found.pairs[row][0] for row in rows.tolist()], above)
    largest = size - 1
    return AgainstPeers(
        peers=tuple(name for place, name in enumerate(names) if (others[:, place] != MISSING).any()),
        grades=found.grades,
        own=tuple(mine.tolist()),
        others=tuple(theirs.tolist()),
        higher=higher,
        same=len(own) - higher - lower,
        lower=lower,
        above=float(by_topic.mean()),
        interval=t_interval(by_topic, level=LEVEL, lowest=-largest, highest=largest),
        why_none=why_none(by_topic[:, None])[0],
        relevant_own=float(mine[found.relevant :].sum()),
        relevant_others=float(theirs[found.relevant :].sum()),
        pairs=tuple(
            SharedPair(
                found.pairs[row][0],
                found.pairs[row][1],
                found.grades[own[place]],
                int(own[place]),
                tuple(given[place]),
                float(above[place]),
            )
            for place, row in enumerate(rows.tolist())
        ),
    )


def _means(topics: Sequence[str], above: FloatArray) -> FloatArray:
    """The mean of each topic's pairs, float64 (topics,)."""
    _, topic = np.unique(np.asarray(topics, object), return_inverse=True)
    return np.asarray(np.bincount(topic, weights=above) / np.bincount(topic), np.float64)


def _given(
    names: Sequence[str], grades: Sequence[int], others: NDArray[np.int64]
) -> list[list[tuple[str, int]]]:
    """Who gave each pair which grade: of sixty assessors two or three, so those who did not are not looked at."""
    found: list[list[tuple[str, int]]] = [[] for _ in range(len(others))]
    places, columns = np.nonzero(others != MISSING)
    labels = others[places, columns]
    for place, column, label in zip(places.tolist(), columns.tolist(), labels.tolist(), strict=True):
        found[place].append((names[column], grades[label]))
    return found
