"""How precise estimates from a sample will be, before anything is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.pooling.frames import Frame

FEWEST_RELEVANT, MOST_RELEVANT = 0.1, 0.5
"""The share of relevant documents near the top, where measures look, lies mostly between these; the pool has less."""

QUANTILE = 1.96
CUTOFF, PERSISTENCE = 10, 0.8


class Precision(NamedTuple):
    """Half the 95 % interval of a run's mean over the topics, averaged over the runs, for P@10 and RBP(p=0.8).

    The smaller and the larger of two numbers: with FEWEST_RELEVANT and with MOST_RELEVANT.
    """

    p_at_10: tuple[float, float]
    rbp: tuple[float, float]


def expected_precision(frame: Frame, rankings: Rankings) -> Precision:
    """What to expect of the estimates from a sample, with chance alone deciding what is relevant.

    Args:
        frame: the candidates and their design.
        rankings: those of the runs that are pooled.
    """
    weights = (
        lambda rank: np.where(rank <= CUTOFF, 1.0 / CUTOFF, 0.0),
        lambda rank: (1 - PERSISTENCE) * PERSISTENCE ** (rank - 1.0),
    )
    return Precision(*(_half_widths(frame, rankings, weight) for weight in weights))


def _half_widths(
    frame: Frame, rankings: Rankings, weight: Callable[[Any], FloatArray]
) -> tuple[float, float]:
    found = [_half_width(frame, rankings, weight, share) for share in (FEWEST_RELEVANT, MOST_RELEVANT)]
    return min(found), max(found)


def _half_width(frame: Frame, rankings: Rankings, weight: Callable[[Any], FloatArray], share: float) -> float:
    runs, topics = np.unique(rankings.run), np.unique(frame.pairs.topic)
    if not len(topics):
        return 0.0
    row = np.repeat(np.arange(len(rankings)), rankings.lengths)
    rank = np.arange(1, len(row) + 1) - rankings.row_start[row]
    part = weight(rank)
    variance = expected_variances(frame, rankings, row, part, share)
    by_run = np.array([np.sqrt(variance[rankings.run == run].sum()) for run in runs])
    return float(QUANTILE * by_run.mean() / len(topics))


def expected_variances(
    frame: Frame, rankings: Rankings, row: IntArray, part: FloatArray, share: float
) -> FloatArray:
    """The expected variance over samples of each row's Σ part / π over its relevant documents, float64 (R).

    Formula: Σ_c (E Σ b (y / π)^2 - E (Σ b y / π)^2 / Σ b), where b = π (1 - π) N / (N - 1) over the N candidates of
    stratum c, and y is `part` where a document is relevant, which each is with the probability `share`

    For a simple random sample it is exact; for a systematic one an approximation.

    Args:
        frame: the candidates and their design.
        rankings: R rows with N entries.
        row: the row of each entry, int64 (N).
        part: what each adds if it is relevant, float64 (N).
        share: from 0 to 1.

    Source: Hájek, The Annals of Mathematical Statistics 35 (1964).
    """
    pairs, probability = frame.pairs, frame.pairs.inclusion_probability
    strata = int(pairs.stratum.max(initial=1))
    group = pairs.topic.astype(np.int64) * strata + pairs.stratum - 1
    size = np.bincount(group, minlength=1)
    b = probability * (1 - probability) * (size / np.maximum(size - 1, 1))[group]
    whole = np.bincount(group, b, minlength=1)
    span = 1 + int(max(pairs.document.max(initial=0), rankings.document.max(initial=0)))
    order = np.argsort(pairs.topic.astype(np.int64) * span + pairs.document, kind="stable")
    cells = (pairs.topic.astype(np.int64) * span + pairs.document)[order]
    entry = rankings.topic[row].astype(np.int64) * span + rankings.document
    place = np.minimum(np.searchsorted(cells, entry), max(len(cells) - 1, 0))
    found = (cells[place] == entry) & (part > 0)
    at = order[place[found]]
    scaled, weight, rows = part[found] / probability[at], b[at], row[found]
    key = rows * strata + pairs.stratum[at] - 1
    shape = (len(rankings), strata)

    def summed(values: FloatArray) -> FloatArray:
        found = np.bincount(key, values, minlength=shape[0] * strata)
        return found.astype(np.float64).reshape(shape)

    of_group = np.zeros(shape)
    topics = rankings.topic[:, None].astype(np.int64) * strata + np.arange(strata)
    inside = topics < len(whole)
    of_group[inside] = whole[topics[inside]]
    squares = share * summed(weight * scaled**2)
    mean = (share * summed(weight * scaled)) ** 2 + share * (1 - share) * summed((weight * scaled) ** 2)
    explained = np.divide(mean, of_group, out=np.zeros(shape), where=of_group > 0)
    variances: FloatArray = np.maximum(squares - explained, 0.0).sum(axis=1)
    return variances
