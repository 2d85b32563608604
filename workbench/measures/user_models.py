"""Measures that say how a user goes down a ranking, and what that user finds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from workbench.measures.gains import LINEAR, Gains, read_gains
from workbench.measures.judged import FloatArray, JudgedRankings, power
from workbench.measures.parameters import Cutoff, GainsOf, Persistence, Rel, Value
from workbench.measures.reference_names import TrecEvalName
from workbench.measures.registry import measure
from workbench.ranking import IntArray


@measure("RBP")
def rank_biased_precision(
    judged: JudgedRankings, *, p: Persistence = 0.8, rel: Rel = 1, cutoff: Cutoff | None = None
) -> FloatArray:
    """Rate at which a user finds relevant documents who goes on to the next rank with probability p.

    (1 - p) times the sum of p^(rank - 1) over the relevant documents. Grades are not used beyond relevant or
    not. What unjudged documents and those beyond the end could add is not in it: this is the lower bound.
    The reference program's `rbp` is something else: p = 0.9, and grades scaled by each topic's own best.

    Source: Moffat and Zobel, ACM Transactions on Information Systems 27(1), 2008.
    """
    hits = judged.hits(rel).within(cutoff)
    return (1.0 - p) * judged.add_up(hits, power(p, hits.rank - 1))


def _reads_persistence_and_gains(text: str) -> Mapping[str, Value]:
    """What the reference program means by the text after the dot in `rbp.p=.5,1=3,2=9`."""
    pairs = [part.partition("=") for part in text.split(",")]
    given: dict[str, Value] = {name: float(value) for name, _, value in pairs if name == "p"}
    gains = ",".join(f"{grade}={gain}" for grade, _, gain in pairs if grade != "p")
    return given | ({"gains": read_gains(gains)} if gains else {})


def _reads_persistence(text: str) -> Mapping[str, Value]:
    return {name: value for name, value in _reads_persistence_and_gains(text).items() if name == "p"}


@measure("TrecRBP", trec_eval=TrecEvalName("rbp", reads=_reads_persistence_and_gains))
def rank_biased_precision_of_trec_eval(
    judged: JudgedRankings, *, p: Persistence = 0.9, gains: GainsOf = LINEAR
) -> FloatArray:
    """RBP as the reference program computes it: gains divided by the highest gain that the topic knows.

    Formula: (1 - p) * sum over ranks r of p^(r - 1) * gain(r) / highest

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
    return (1.0 - p) * judged.add_up(hits, share * _repeated_product(p, hits.rank - 1))


@measure(
    "TrecRBPResidual",
    trec_eval=TrecEvalName("rbp_resid", reads=_reads_persistence),
    end_counts=True,
    nonrelevant_counts=True,
    rises=False,
)
def rank_biased_residual_of_trec_eval(judged: JudgedRankings, *, p: Persistence = 0.9) -> FloatArray:
    """The residual of RBP as the reference program computes it: 0 where everything retrieved is judged.

    Formula: p^n + (1 - p) * sum of p^(r - 1) over the ranks r of the unjudged, of n documents in all

    Even where all is judged, what could follow after the end is worth p^n: take RBPResidual, which says so.
    A negative grade counts as unjudged here, and as judged there.

    Source: m_rbp_resid.c of trec_eval 10.
    """
    weight = np.where(judged.label < 0, _repeated_product(p, _places(judged)), 0.0)
    row = np.repeat(np.arange(len(judged)), judged.num_ret)
    unjudged = np.bincount(row, weight, minlength=len(judged))
    any_unjudged = np.bincount(row, judged.label < 0, minlength=len(judged)) > 0
    return np.where(any_unjudged, _repeated_product(p, judged.num_ret) + (1.0 - p) * unjudged, 0.0)


def _highest_gain(judged: JudgedRankings, gains: Gains) -> FloatArray:
    """The highest gain of the grades 0 to the highest one of each row's topic, and of all listed ones: (R)."""
    labels = judged.labels
    cell = np.flatnonzero(labels.label > 0)
    highest_grade = np.zeros(len(labels), np.int64)
    np.maximum.at(
        highest_grade, np.searchsorted(labels.topic_start, cell, side="right") - 1, labels.label[cell]
    )
    up_to = np.arange(int(highest_grade.max(initial=0)) + 1).astype(np.int16)
    highest = np.maximum.accumulate(gains.of(up_to))
    return np.maximum(highest[highest_grade], max(0.0, *gains.listed))[judged.topic]


def _places(judged: JudgedRankings) -> IntArray:
    """The rank of every entry, less one, int64 (N)."""
    places: IntArray = np.arange(len(judged.label)) - np.repeat(judged.row_start[:-1], judged.num_ret)
    return places


def _repeated_product(base: float, times: IntArray) -> FloatArray:
    """1 multiplied by `base` that many times, one by one: the last digit differs from that of a power."""
    return _products(base, 1 << int(times.max(initial=0)).bit_length())[times]


@lru_cache(maxsize=16)
def _products(base: float, size: int) -> FloatArray:
    return np.cumprod(np.append(1.0, np.full(size, base)))
