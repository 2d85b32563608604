"""Precision over recall: at given levels of recall, between them, and over both error rates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.core.ranking import IntArray, starts_of
from workbench.methods.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.methods.measures.parameters import (
    ELEVEN_POINTS,
    Collection,
    RecallLevel,
    RecallLevels,
    Rel,
    Rounding,
    documents_at,
    read_levels,
)
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.registry import measure
from workbench.methods.measures.running import maxima_from_here
from workbench.methods.measures.sets import num_known


class Interpolated(NamedTuple):
    """Interpolated precision at each retrieved relevant document: the highest precision there or further down.

    `start` is int64 (R + 1): the relevant documents of row i are at start[i] to start[i + 1] - 1;
    `precision` is float64 (H).
    """

    start: IntArray
    precision: FloatArray

    @classmethod
    def of(cls, judged: JudgedRankings, rel: int) -> Interpolated:
        """That of all rows, computed once for each `rel`."""
        hits = judged.hits(rel)

        def find() -> Interpolated:
            start = starts_of(np.bincount(hits.row, minlength=len(judged)))
            return cls(start, maxima_from_here(hits.nth / hits.rank, start))

        return judged.once((cls, rel), find)

    def at(self, number: IntArray) -> FloatArray:
        """The value where `number` (R) relevant documents are found; for 0 the highest, 0 if there are fewer."""
        place = self.start[:-1] + np.maximum(number, 1) - 1
        reached = place < self.start[1:]
        values = np.zeros(len(number))
        values[reached] = self.precision[place[reached]]
        return values


@measure("IPrec", trec_eval=TrecEvalName("iprec_at_recall_{recall:3.2f}", defaults=ELEVEN_POINTS.shares))
def interpolated_precision(
    judged: JudgedRankings, *, recall: RecallLevel, rel: Rel = 1, rounding: Rounding = "lround"
) -> FloatArray:
    """Highest precision at any rank where recall is at least this level.

    Formula: the highest H_i / i over the ranks i with H_i ≥ m,
    where m = ⌊recall * R + 0.5⌋ with rounding=lround, ⌊recall * R + 0.9⌋ with rounding=up

    The level is reached with recall * R relevant documents, rounded to a whole number: the reference program
    rounds to the nearest from version 10 on (lround), so that recall 0.3 of 4 is reached with 1; before, it
    went up (up: adds 0.9 and cuts off the fraction), so that it takes 2. 0 where the level is never reached.

    Source: m_iprec_at_recall.c of trec_eval, versions 10 and 9.
    """
    wanted = documents_at(recall, judged.num_rel(rel), rounding)
    return Interpolated.of(judged, rel).at(wanted)


# What is read is the text after the dot in `11pt_avg..25,.5,.75`.
@measure("IPrec11", trec_eval=TrecEvalName("11pt_avg", reads=lambda text: {"levels": read_levels(text)}))
def eleven_point_average(
    judged: JudgedRankings,
    *,
    rel: Rel = 1,
    levels: RecallLevels = ELEVEN_POINTS,
    rounding: Rounding = "lround",
) -> FloatArray:
    """Mean of interpolated precision over the eleven recalls 0, 0.1 ... 1, or over other levels.

    Formula: (IPrec@0 + IPrec@0.1 + ... + IPrec@1) / 11, or the same over other levels

    `rounding` is that of IPrec. The reference program goes wrong where levels do not ascend; here their order
    does not matter.

    Source: m_11pt_avg.c of trec_eval, versions 10 and 9.
    """
    total = np.zeros(len(judged))
    for level in reversed(levels.shares):
        total += interpolated_precision(judged, recall=level, rel=rel, rounding=rounding)
    return total / len(levels.shares)


@measure("IAP")
def interpolated_average_precision(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Interpolated precision at the rank of each relevant document, averaged over all of the topic.

    Formula: 1 / R * Σ_{i ≤ n} h_i * (the highest H_j / j over j ≥ i)

    The area under the interpolated precision-recall curve: AP with the highest precision there or further down
    instead of the precision there. A relevant document that was not retrieved adds 0.

    Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7 (interpolation).
    """
    return ratio(judged.add_up(judged.hits(rel), Interpolated.of(judged, rel).precision), judged.num_rel(rel))


@measure("AUC", end_counts=True)
def area_under_roc_curve(judged: JudgedRankings, *, collection: Collection, rel: Rel = 1) -> FloatArray:
    """Chance that a relevant document is above one that is not, each drawn at random from the collection.

    Formula: (Σ_{i ≤ n} h_i * (N - R - (i - H_i)) + (R - H_n) * (N - n - R + H_n) / 2) / (R * (N - R))

    The area under the ROC curve. Documents that were not retrieved are tied at the end, and a tie counts half:
    an empty ranking has 0.5. 0 for a topic without relevant documents, or with no others.

    Source: Fawcett, Pattern Recognition Letters 27(8), 2006.
    """
    left = collection - num_known(judged, rel, collection)
    hits, num_rel = judged.hits(rel), judged.num_rel(rel)
    others = collection - num_rel
    below = judged.add_up(hits, (others[hits.row] - (hits.rank - hits.nth)).astype(np.float64))
    tied = (num_rel - judged.num_found(rel)) * left / 2.0
    return ratio(below + tied, num_rel.astype(np.float64) * others)
