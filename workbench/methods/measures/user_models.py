"""Measures that say how a user goes down a ranking, and what that user finds."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import GradesDoNotFit
from workbench.core.ranking import HIGHEST_GRADE, POOLED, IntArray
from workbench.methods.measures.gained import Gained, best_of_topics, retrieved
from workbench.methods.measures.gains import LINEAR, Gains, read_gains
from workbench.methods.measures.judged import FloatArray, Hits, JudgedRankings, power, ratio, repeated_product
from workbench.methods.measures.parameters import Cutoff, GainsOf, Persistence, Rel, SharesOf, Target, Value
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.registry import measure
from workbench.methods.measures.running import running_products, sums_down

ROWS_AT_A_TIME, PLACES_AT_A_TIME = 1024, 128

NEGLIGIBLE = 2.0**-54
"""A double to which less than this part of it is added stays the same."""


@measure("RBP")
def rank_biased_precision(
    judged: JudgedRankings,
    *,
    p: Persistence = 0.8,
    rel: Rel = 1,
    gains: SharesOf | None = None,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """Rate at which a user finds relevant documents who goes on to the next rank with probability p.

    Formula: (1 - p) * Σ_{i ≤ k} p^(i-1) * g_i, where g_i = h_i unless gains are given

    A document is worth 1 if it is relevant, else nothing; or what a table says that gives every grade a worth
    from 0 to 1 (then `rel` plays no part, and a positive grade that the table lacks is worth itself, or an error
    if it is above 1). What unjudged documents and those beyond the end could add is not in it: this is the
    lower bound, and RBPResidual the rest. The reference program's `rbp` is something else: p = 0.9, and grades
    scaled by each topic's own best. So is the RBP that TREC-COVID published: TrecRBP(p=0.5).

    Source: Moffat and Zobel, ACM Transactions on Information Systems 27(1), 2008.
    """
    found = _worth(judged, rel, gains).within(cutoff)
    weight = power(p, found.rank - 1)
    return (1.0 - p) * found._replace(gain=found.gain * weight).total()


@measure("RBPResidual", nonrelevant_counts=True, rises=False, best="none")
def rank_biased_residual(
    judged: JudgedRankings, *, p: Persistence = 0.8, cutoff: Cutoff | None = None
) -> FloatArray:
    """What RBP could still gain: the weight of all unjudged documents, and of all that follows after the end.

    Formula: p^m + (1 - p) * Σ_{i ≤ m, i unjudged} p^(i-1), where m = min(k, n)

    RBP lies between its value and that plus the residual, whatever the documents turn out to be, retrieved or
    not, pooled or not: of an empty ranking the residual is 1. Any grade is a judgment, a negative one as well;
    "pooled" is none. With a cutoff k, what is below rank k follows after the end.

    Source: Moffat and Zobel, ACM Transactions on Information Systems 27(1), 2008.
    """
    unjudged = _sums_over_places(judged, judged.label <= POOLED, p, cutoff)
    return power(p, judged.looked_at(cutoff)) + (1.0 - p) * unjudged


@measure("INSQ")
def inverse_squares(
    judged: JudgedRankings,
    *,
    T: Target = 1.0,  # noqa: N803
    rel: Rel = 1,
    gains: SharesOf | None = None,
) -> FloatArray:
    """Rate at which a user finds relevant documents who hopes for T of them and looks on, however many come.

    Formula: (Σ_{i ≤ n} g_i / (i + 2T - 1)^2) / (Σ_{i ≥ 1} 1 / (i + 2T - 1)^2), where g_i = h_i unless gains are given

    What a document is worth is as in RBP. The second sum goes on for ever; cwl_eval stops at rank 1000, which
    makes its values higher, by 0.15 % for T = 1 and by 2 % for T = 10.

    Source: Moffat, Scholer and Thomas, ADCS 2012; cwl_insq.py of cwl_eval.
    """
    found = _worth(judged, rel, gains)
    whole = trigamma(np.array([2.0 * T]))
    return found._replace(gain=found.gain / (found.rank + (2.0 * T - 1.0)) ** 2).total() / whole


@measure("INST")
def inverse_squares_with_target(
    judged: JudgedRankings,
    *,
    T: Target = 1.0,  # noqa: N803
    rel: Rel = 1,
    gains: SharesOf | None = None,
) -> FloatArray:
    """Rate at which a user finds relevant documents who hopes for T of them, and hurries as they come in.

    Formula: (Σ_{i ≤ n} g_i * W_i) / (Σ_{i ≥ 1} W_i), where W_1 = 1,
    W_(i+1) = W_i * ((i + T + t_i - 1) / (i + T + t_i))^2 and t_i = T - G_i

    What a document is worth is as in RBP; beyond the end of the ranking nothing is found. The sums go on for
    ever; cwl_eval stops at rank 1000, which makes its values a little higher.

    Source: Moffat, Bailey, Scholer and Thomas, ADCS 2015; cwl_inst.py of cwl_eval.
    """
    found = _worth(judged, rel, gains).positive
    # Between two documents with gain, t stays as it is and W(r) is (a / (r + T + t - 1))^2 times what it was
    # at the first of them: so its sums are differences of the trigamma function.
    wanted = 2.0 * T - found.running()
    here = found.rank + wanted - 1.0
    first = found.nth == 1
    last = np.roll(first, -1)
    behind = np.roll(found.rank, -1) + wanted - 1.0
    steps = np.roll(ratio(here, behind), 1)
    steps[first] = 2.0 * T / (found.rank[first] + (2.0 * T - 1.0))
    weight = running_products(steps**2, found.start)
    to_next = trigamma(here)
    to_next[~last] -= trigamma(behind[~last])
    looked_at = found._replace(gain=weight * here**2 * to_next).total()
    start = trigamma(np.array([2.0 * T])) - trigamma(found.rank[first] + (2.0 * T - 1.0))
    looked_at[found.row[first]] += (2.0 * T) ** 2 * start
    return ratio(found._replace(gain=found.gain * weight).total(), looked_at)


def _worth(judged: JudgedRankings, rel: int, gains: Gains | None) -> Gained:
    """The retrieved documents that are worth something, by a table or else each 1; gains are from 0 to 1."""
    if gains is None:
        hits = judged.hits(rel)
        return Gained(hits.row, hits.rank, np.ones(len(hits.row)), len(judged))
    highest = best_of_topics(judged, gains).gain.max(initial=0.0)
    if highest > 1:
        message = f"there is a grade that gains={gains} does not list; give each grade a worth from 0 to 1"
        raise GradesDoNotFit(message)
    return retrieved(judged, gains)


def trigamma(x: FloatArray) -> FloatArray:
    """The sum of 1 / (x + i)^2 over all i from 0, for x above 0: float64 of the same shape."""
    from scipy.special import zeta

    return np.asarray(zeta(2.0, x), np.float64)


def _reads_persistence_and_gains(text: str) -> Mapping[str, Value]:
    """What the reference program means by the text after the dot in `rbp.p=.5,1=3,2=9`."""
    pairs = [part.partition("=") for part in text.split(",")]
    given: dict[str, Value] = {}
    for value in [value for name, _, value in pairs if name == "p"]:
        try:
            given["p"] = float(value)
        except ValueError:
            raise ValueError(f"p is {value!r}; it must be a number, as in rbp.p=.5") from None
    gains = ",".join(f"{grade}={gain}" for grade, _, gain in pairs if grade != "p")
    return given | ({"gains": read_gains(gains)} if gains else {})


def _reads_persistence(text: str) -> Mapping[str, Value]:
    return {name: value for name, value in _reads_persistence_and_gains(text).items() if name == "p"}


@measure("TrecRBP", trec_eval=TrecEvalName("rbp", reads=_reads_persistence_and_gains))
def rank_biased_precision_of_trec_eval(
    judged: JudgedRankings, *, p: Persistence = 0.9, gains: GainsOf = LINEAR
) -> FloatArray:
    """RBP as the reference program computes it: gains divided by the highest gain that the topic knows.

    Formula: (1 - p) * Σ_{i ≤ n} p^(i-1) * g_i / max(highest, 1)

    The highest gain is that of the topic's judged grades, those between them, and those a table lists; gains
    are divided by it only where it is above 1. So topics are measured with different rulers: a document of
    grade 1 is worth 1 where no document of grade 2 was judged, and half of that where one was. Where a table
    has negative gains, gains g become (g - lowest) / (highest - lowest). Take RBP unless the reference
    program's numbers are wanted.

    Source: m_rbp.c of trec_eval 10, where both bounds start from memory that was never set; here from 0.
    """
    lowest = min(0.0, *gains.listed)
    hits = judged.hits(0 if lowest < 0 else gains.lowest_grade)
    highest = _highest_gain(judged, gains)[hits.row]
    gain, scaled = gains.of(hits.grade), (lowest < 0) | (highest > 1)
    share = np.where(scaled, (gain - lowest) / np.where(scaled, highest - lowest, 1.0), gain)
    return (1.0 - p) * judged.add_up(hits, share * repeated_product(p, hits.rank - 1))


@measure(
    "TrecRBPResidual",
    trec_eval=TrecEvalName("rbp_resid", reads=_reads_persistence),
    end_counts=True,
    nonrelevant_counts=True,
    rises=False,
    best="none",
)
def rank_biased_residual_of_trec_eval(judged: JudgedRankings, *, p: Persistence = 0.9) -> FloatArray:
    """The residual of RBP as the reference program computes it: 0 where everything retrieved is judged.

    Formula: p^n + (1 - p) * Σ_{i ≤ n, i unjudged} p^(i-1), and 0 if that sum is 0

    Even where all is judged, what could follow after the end is worth p^n: take RBPResidual, which says so.
    A negative grade counts as unjudged here, and as judged there.

    Source: m_rbp_resid.c of trec_eval 10.
    """
    # Where the sum is so small that it is 0, so is the rest.
    unjudged = _sums_over_places(judged, judged.label < 0, p, None)
    return np.where(unjudged > 0, repeated_product(p, judged.num_ret) + (1.0 - p) * unjudged, 0.0)


def _highest_gain(judged: JudgedRankings, gains: Gains) -> FloatArray:
    """The highest gain of the grades 0 to the highest one of each row's topic, and of all listed ones: (R)."""
    labels = judged.labels
    cell, topic = labels.at_least(1)
    highest_grade = np.zeros(len(labels), np.int64)
    np.maximum.at(highest_grade, topic, labels.label[cell])
    up_to = np.arange(int(highest_grade.max(initial=0)) + 1).astype(np.int16)
    highest = np.maximum.accumulate(gains.of(up_to))
    return np.maximum(highest[highest_grade], max(0.0, *gains.listed))[judged.topic]


def _sums_over_places(
    judged: JudgedRankings, chosen: NDArray[np.bool_], p: float, cutoff: int | None
) -> FloatArray:
    """The sum of p^(i-1) over each row's chosen places, left to right, float64 (R).

    Most documents of most runs are unjudged: these are no short lists of hits. So some rows are done at a time,
    few enough for the processor's cache, and only down to where weights are too small to change a sum.
    """
    start, end = judged.row_start[:-1], judged.looked_at(cutoff)
    weight = repeated_product(p, np.arange(int(end.max(initial=0)) + 1))
    blocks = np.split(np.arange(len(judged)), range(ROWS_AT_A_TIME, len(judged), ROWS_AT_A_TIME))
    sums = [_sums_of_rows(chosen, start[rows], end[rows], weight) for rows in blocks]
    return np.concatenate(sums)


def _sums_of_rows(
    chosen: NDArray[np.bool_], start: IntArray, end: IntArray, weight: FloatArray
) -> FloatArray:
    """The same for some rows, which have the entries start to start + end - 1; `weight[0]` is that of rank 1."""
    sums = np.zeros(len(start))
    for first in range(0, int(end.max(initial=0)), PLACES_AT_A_TIME):
        rows = np.flatnonzero((end > first) & (weight[first] >= NEGLIGIBLE * sums))
        if not len(rows):
            break
        place = np.arange(first, min(first + PLACES_AT_A_TIME, int(end[rows].max())))[:, np.newaxis]
        counted = chosen.take(start[rows] + place, mode="clip")
        if end[rows].min() <= place[-1]:
            counted &= place < end[rows]
        grid = np.empty((1 + len(place), len(rows)))
        grid[0] = sums[rows]
        np.multiply(weight[place], counted, out=grid[1:])
        sums[rows] = sums_down(grid)
    return sums


@measure("Compat", aliases=("Compatibility",))
def compatibility(judged: JudgedRankings, *, p: Persistence = 0.95) -> FloatArray:
    """How similar a ranking is to the most similar ideal one: rank-biased overlap, which needs only preferences.

    Formula: Σ_d W(max(i_d, j_d)) / (Σ_{k ≤ n} W(k)), where W(k) = Σ_{i ≥ k} p^(i-1) / i

    The first sum is over the retrieved documents with a grade above 0, at rank i_d, and n is how many of the topic have
    one. The ideal ranking has these, higher grades first, and this one has them at rank j_d: of the same grade the
    retrieved ones are first, in the order of the ranking, which makes the overlap as large as it can be. Grades are
    levels of preference; how much one exceeds another does not matter. compatibility.py stops at rank 1000.

    Source: Clarke, Vtyurina and Smucker, ACM Transactions on Information Systems 39(3), 2021.
    """
    hits, number = judged.hits(1), judged.num_rel(1)
    weight = _overlap_from(p, max(int(hits.rank.max(initial=1)), int(number.max(initial=1))))
    found = judged.add_up(hits, weight[np.maximum(hits.rank, _place_in_ideal(judged, hits))])
    return ratio(found, np.append(0.0, np.cumsum(weight[1:]))[number])


def _place_in_ideal(judged: JudgedRankings, hits: Hits) -> IntArray:
    """The rank of each of `hits(1)` in the ideal ranking nearest to its row, from 1, int64 (H)."""
    labels, above_all = judged.labels, HIGHEST_GRADE + 1
    cell, topic = labels.at_least(1)
    levels = np.sort(topic * above_all + labels.label[cell])
    start = judged.topic[hits.row].astype(np.int64) * above_all
    not_higher = np.searchsorted(levels, start + hits.grade, side="right")
    higher = np.searchsorted(levels, start + above_all) - not_higher
    order = np.lexsort((hits.rank, hits.grade, hits.row))
    level = (hits.row * above_all + hits.grade)[order]
    nth = np.empty(len(level), np.int64)
    nth[order] = np.arange(1, len(level) + 1) - np.searchsorted(level, level)
    return higher + nth


def _overlap_from(p: float, ranks: int) -> FloatArray:
    """W(k) for k from 1 to a number of ranks, at the places k; that at 0 is not used."""
    each = power(p, np.arange(ranks)) / np.arange(1, ranks + 1)
    whole = -math.log1p(-p) / p
    return np.append(0.0, np.maximum(whole - np.append(0.0, np.cumsum(each)[:-1]), 0.0))
