"""Measures of sampled judgments in which each judged document counts for 1 / π: Horvitz and Thompson's estimator.

π is the probability with which a document was drawn. P, RBP and DCG are sums over documents, so that the estimate is
right on average whatever the design; it has a variance, from which an interval follows. AP is a ratio of two such sums.
"""

from __future__ import annotations

import numpy as np

from workbench.methods.measures.gains import LINEAR, Gains
from workbench.methods.measures.judged import FloatArray, ratio
from workbench.methods.measures.parameters import Cutoff, GainsOf, Persistence, Rel
from workbench.methods.measures.registry import measure
from workbench.methods.measures.sampled_rankings import SampledRankings


@measure("statAP", highest=None, of="sample", rises=False)
def weighted_average_precision(sampled: SampledRankings, *, rel: Rel = 1) -> FloatArray:
    """AP as estimated from a sample in which each document had a known chance.

    Formula: 1 / R * Σ_{i: h_i = 1} (1 / π_i) * (1 + Σ_{j < i: h_j = 1} 1 / π_j) / i
    where R = Σ 1 / π over all relevant documents that were judged

    A ratio of two estimates: on average a little too high while few relevant documents are drawn. 0 for a topic
    without relevant documents.

    Source: Aslam, Pavlu and Yilmaz, SIGIR 2006; Pavlu and Aslam, technical report, Northeastern University, 2007.
    """
    relevant = sampled.grade >= rel
    weight = np.where(relevant, _weight(sampled), 0.0)
    above = sampled.above(weight)
    summed = sampled.sums(relevant, weight * (1.0 + above) / sampled.rank)
    return ratio(summed, _num_rel(sampled, rel))


@measure("statNumRel", highest=None, of="sample", rises=False, best="none")
def weighted_relevant(sampled: SampledRankings, *, rel: Rel = 1) -> FloatArray:
    """How many relevant documents a topic has, as estimated from the chance of each that was judged.

    Formula: Σ 1 / π over the relevant documents that were judged

    Source: Horvitz and Thompson, Journal of the American Statistical Association 47 (1952).
    """
    return _num_rel(sampled, rel)


@measure("statP", highest=None, of="sample", rises=False)
def weighted_precision(sampled: SampledRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """P as estimated from a sample in which each document had a known chance.

    Formula: 1 / k * Σ_{i ≤ k: h_i = 1} 1 / π_i

    Right on average. A single value may be above 1.

    Source: Horvitz and Thompson, Journal of the American Statistical Association 47 (1952).
    """
    return expanded_total(sampled, _precision_parts(sampled, rel, cutoff))


@measure("statPVariance", highest=None, of="sample", rises=False, best="none")
def precision_variance(sampled: SampledRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """Estimated variance of statP over the samples that could have been drawn.

    Formula: Σ_c n_c / (n_c - 1) * (Σ_i (1 - π_i) * (y_i / π_i)^2 - (Σ_i (1 - π_i) * y_i / π_i)^2 / Σ_i (1 - π_i))
    over the n_c judged documents of stratum c; y_i is what i adds to P, 0 where the ranking lacks it

    For a simple random sample of a stratum this is the textbook's N^2 (1 - n / N) s^2 / n. For a systematic sample it
    is an approximation. Over T topics the mean of statP has the standard error sqrt(v / T), v the mean of this.

    Source: Hájek, The Annals of Mathematical Statistics 35 (1964).
    """
    return sampling_variance(sampled, _precision_parts(sampled, rel, cutoff))


@measure("statRBP", highest=None, of="sample", rises=False)
def weighted_rank_biased_precision(
    sampled: SampledRankings, *, p: Persistence = 0.8, rel: Rel = 1
) -> FloatArray:
    """RBP as estimated from a sample in which each document had a known chance.

    Formula: (1 - p) * Σ_{i: h_i = 1} p^(i-1) / π_i

    Right on average. A single value may be above 1.

    Source: Horvitz and Thompson, Journal of the American Statistical Association 47 (1952).
    """
    return expanded_total(sampled, _rbp_parts(sampled, rel, p))


@measure("statRBPVariance", highest=None, of="sample", rises=False, best="none")
def rbp_variance(sampled: SampledRankings, *, p: Persistence = 0.8, rel: Rel = 1) -> FloatArray:
    """Estimated variance of statRBP over the samples that could have been drawn.

    Formula: that of statPVariance, for the sum of statRBP

    Over T topics the mean of statRBP has the standard error sqrt(v / T), where v is the mean of this.

    Source: Hájek, The Annals of Mathematical Statistics 35 (1964).
    """
    return sampling_variance(sampled, _rbp_parts(sampled, rel, p))


@measure("statDCG", highest=None, of="sample", rises=False)
def weighted_discounted_gain(
    sampled: SampledRankings, *, gains: GainsOf = LINEAR, cutoff: Cutoff | None = None
) -> FloatArray:
    """DCG as estimated from a sample in which each document had a known chance.

    Formula: Σ_{i ≤ k} g_i / (π_i * log2(i + 1))

    Right on average.

    Source: Horvitz and Thompson, Journal of the American Statistical Association 47 (1952).
    """
    return expanded_total(sampled, _dcg_parts(sampled, gains, cutoff))


@measure("statDCGVariance", highest=None, of="sample", rises=False, best="none")
def dcg_variance(
    sampled: SampledRankings, *, gains: GainsOf = LINEAR, cutoff: Cutoff | None = None
) -> FloatArray:
    """Estimated variance of statDCG over the samples that could have been drawn.

    Formula: that of statPVariance, for the sum of statDCG

    Over T topics the mean of statDCG has the standard error sqrt(v / T), where v is the mean of this.

    Source: Hájek, The Annals of Mathematical Statistics 35 (1964).
    """
    return sampling_variance(sampled, _dcg_parts(sampled, gains, cutoff))


def sampling_variance(sampled: SampledRankings, part: FloatArray) -> FloatArray:
    """The estimated variance of each row's Σ part / π over the judged documents, float64 (R).

    Formula: Σ_c n_c / (n_c - 1) * (Σ_i (1 - π_i) * (y_i / π_i)^2 - (Σ_i (1 - π_i) * y_i / π_i)^2 / Σ_i (1 - π_i))
    over the n_c judged documents of stratum c, y_i = part_i, 0 for a document that the ranking lacks

    For a simple random sample of a stratum this is the textbook's N^2 (1 - n / N) s^2 / n. For a systematic sample it
    is an approximation, which is on the high side where the order of the draw goes by rank. Of a stratum with one
    judged document the factor is left out, and the second sum too. `part`, float64 (M), is what each candidate adds to
    the value where it is judged.

    Source: Hájek, The Annals of Mathematical Statistics 35 (1964); Deville and Tillé, Journal of Statistical Planning
    and Inference 128 (2005).
    """
    labels, weight = sampled.labels, _weight(sampled)
    open_ = (labels.grade >= 0) & (labels.chance < 1)
    number, left = labels.totals(open_), labels.totals(open_, 1.0 - labels.chance)
    scaled, rest = part * weight, 1.0 - labels.chance[sampled.cell]
    total = np.zeros(len(sampled))
    for stratum in range(labels.num_strata):
        inside = (sampled.stratum == stratum) & (sampled.grade >= 0) & (rest > 0)
        n = number[:, stratum][sampled.topic]
        squares, sums = sampled.sums(inside, rest * scaled**2), sampled.sums(inside, rest * scaled)
        spread = squares - ratio(sums**2, left[:, stratum][sampled.topic])
        total += np.where(n > 1, ratio(n, n - 1) * np.maximum(spread, 0.0), squares)
    return total


def _weight(sampled: SampledRankings) -> FloatArray:
    """1 / π of each candidate that is judged, else 0, float64 (M)."""
    chance = sampled.labels.chance[sampled.cell]
    return np.where(sampled.grade >= 0, ratio(np.ones(len(chance)), chance), 0.0)


def expanded_total(sampled: SampledRankings, part: FloatArray) -> FloatArray:
    """The estimate of each row's Σ part over all candidates, Σ part / π over the judged ones, float64 (R)."""
    return sampled.sums(sampled.grade >= 0, part * _weight(sampled))


def _num_rel(sampled: SampledRankings, rel: int) -> FloatArray:
    """The estimated number of relevant documents of each row's topic, float64 (R)."""
    labels = sampled.labels
    relevant = labels.grade >= rel
    weight = ratio(np.ones(len(labels.chance)), labels.chance)
    total: FloatArray = labels.totals(relevant, weight).sum(axis=1)[sampled.topic]
    return total


def _precision_parts(sampled: SampledRankings, rel: int, cutoff: int) -> FloatArray:
    return np.where((sampled.grade >= rel) & (sampled.rank <= cutoff), 1.0 / cutoff, 0.0)


def _rbp_parts(sampled: SampledRankings, rel: int, p: float) -> FloatArray:
    return np.where(sampled.grade >= rel, (1.0 - p) * p ** (sampled.rank - 1.0), 0.0)


def _dcg_parts(sampled: SampledRankings, gains: Gains, cutoff: int | None) -> FloatArray:
    gain = gains.of(np.maximum(sampled.grade, 0)) / np.log2(sampled.rank + 1.0)
    return gain if cutoff is None else np.where(sampled.rank <= cutoff, gain, 0.0)
