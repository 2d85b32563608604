"""Curves of single rankings: precision over recall, the ROC curve, and gain by rank."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.core.ranking import IntArray
from workbench.methods.measures.gained import Running, best_discounted, best_of_topics, discounted, retrieved
from workbench.methods.measures.gains import LINEAR, Gains
from workbench.methods.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.methods.measures.levels import Interpolated
from workbench.methods.measures.sets import num_known


class Curve(NamedTuple):
    """The points of a curve in their order; x never falls.

    Attributes:
        rank: int64 (P). The rank down to which each point looks; 0 where the point belongs to no rank.
        x, y: float64 (P). The coordinates.
    """

    rank: IntArray
    x: FloatArray
    y: FloatArray


NO_CURVE = Curve(np.empty(0, np.int64), np.empty(0), np.empty(0))


def precision_recall_curve(judged: JudgedRankings, row: int, *, rel: int = 1) -> Curve:
    """Recall (x) and precision (y) at the ranks of one row, from the first to the last.

    Between two relevant documents recall stays and precision falls: of those ranks the first and the last have points,
    so that lines from point to point are the whole curve. No points where nothing is relevant.

    Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
    """
    n, num_rel = int(judged.num_ret[row]), int(judged.num_rel(rel)[row])
    if not num_rel:
        return NO_CURVE
    found_at = _ranks_of_relevant(judged, row, rel)
    rank = np.unique(np.concatenate([[1, n], found_at - 1, found_at]))
    rank = rank[(rank > 0) & (rank <= n)]
    found = np.searchsorted(found_at, rank, side="right")
    return Curve(rank, found / num_rel, found / rank)


def interpolated_curve(judged: JudgedRankings, row: int, *, rel: int = 1) -> Curve:
    """Recall (x) from 0 to 1, and the highest precision (y) at this recall or a greater one: a step function.

    0 above the highest recall that is reached. The area below is the measure IAP. Source as of the curve itself.
    """
    num_rel = int(judged.num_rel(rel)[row])
    if not num_rel:
        return NO_CURVE
    best, found_at = Interpolated.of(judged, rel), _ranks_of_relevant(judged, row, rel)
    height = best.precision[best.start[row] : best.start[row + 1]]
    recall = np.arange(1, len(height) + 1) / num_rel
    x = np.concatenate([[0.0], np.repeat(recall, 2)])
    y = np.concatenate([np.repeat(height, 2), [0.0]])
    rank = np.concatenate([np.repeat(found_at, 2), [0]])
    if len(height) == num_rel:
        return Curve(rank[:-1], x[:-1], y[:-1])
    return Curve(np.append(rank, 0), np.append(x, 1.0), np.append(y, 0.0))


def roc_curve(judged: JudgedRankings, row: int, collection: int, *, rel: int = 1) -> Curve:
    """False positive rate (x) and true positive rate (y) down one row; the measure AUC is the area below.

    From (0, 0), each relevant document is a step up with a point before and after it; after the last retrieved
    document a straight line leads to (1, 1), since those left out are tied. No points where the topic has no
    relevant document, or no other. WorkbenchError where more documents are retrieved or relevant than the collection is
    said to have.

    Source: Fawcett, Pattern Recognition Letters 27(8), 2006.
    """
    num_known(judged, rel, collection)
    n, num_rel = int(judged.num_ret[row]), int(judged.num_rel(rel)[row])
    if not 0 < num_rel < collection:
        return NO_CURVE
    found_at = _ranks_of_relevant(judged, row, rel)
    rank = np.unique(np.concatenate([[0, n], found_at - 1, found_at]))
    found = np.searchsorted(found_at, rank, side="right")
    x, y = (rank - found) / (collection - num_rel), found / num_rel
    return Curve(np.append(rank, 0), np.append(x, 1.0), np.append(y, 1.0))


class GainCurves(NamedTuple):
    """Gain at the ranks 1 to n of a row, float64 (n) each: of the ranking, and of the best possible one."""

    gain: FloatArray
    best: FloatArray

    @property
    def share(self) -> FloatArray:
        """The one over the other; 0 where there is nothing to gain."""
        return ratio(self.gain, self.best)


def gain_curves(
    judged: JudgedRankings,
    row: int,
    *,
    gains: Gains = LINEAR,
    discount: str | None = "plus-one",
    base: float = 2.0,
) -> GainCurves:
    """DCG and IDCG of one row at each of its ranks, bit for bit those of the measures; nDCG is their `share`.

    Without a discount, None, it is CG.
    """
    rank = np.arange(1, int(judged.num_ret[row]) + 1)
    if discount is None:
        own, best = retrieved(judged, gains), Running.of(best_of_topics(judged, gains))
    else:
        own = discounted(judged, gains, discount, base)
        best = best_discounted(judged, gains, discount, base)
    topic, of_row = np.full(len(rank), judged.topic[row]), own.row == row
    sums = np.append(0.0, own.running()[of_row])
    gained = sums[np.searchsorted(own.rank[of_row], rank, side="right")]
    return GainCurves(gained, best.at(topic, rank))


def _ranks_of_relevant(judged: JudgedRankings, row: int, rel: int) -> IntArray:
    hits = judged.hits(rel)
    ranks: IntArray = hits.rank[hits.row == row]
    return ranks
