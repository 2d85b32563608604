"""Whether labels of what waits can be learned from what is judged: only where chance decided which is which.

A pair is judged or waits by chance where the judged pairs of its topic and pool are no better than those that wait: by
their best rank and by how many runs have them. The difference is measured in standard deviations, as two groups are
compared before an effect is estimated; where more than a tenth lies between the mean of a group and that of its topics
and pools, and chance alone would hardly do that, strategies or people took the better ones first. What is left then is
less often relevant than ranks and runs tell. Topics of which all pairs are judged, or none, differ in nothing, whatever
the order was.

A probe was drawn by chance from what a strategy had left (see `probe`). It is compared in the same way with what waits,
as a guard, and has to be large enough.

Source: P. C. Austin, Balance diagnostics for comparing the distribution of baseline covariates between treatment groups
in propensity-score matched samples, Statistics in Medicine 28, 2009: a standardised difference of 0.1 is negligible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.reuse.pair_features import Unjudged
from workbench.core.ranking import FloatArray, IntArray
from workbench.core.wording import counted

FARTHEST = 0.1
"""Groups whose means differ by no more standard deviations are taken to be alike."""

UNLIKELY = 4.0
"""Chance hardly takes the mean this many of its standard errors away."""

FEWEST_TOPICS = 10
"""Of fewer topics with judged pairs, how far topics differ is hardly known."""

LEAST_SHARE = 0.1
"""With a smaller share of the pairs judged, ranges hold the truth less often than nine times in ten."""

FEWEST_FOR_OTHERS, SHARE_FOR_OTHERS = 25, 0.6
"""Where nothing is judged of some topics: of how many others something has to be judged, and of which share of all."""


LEAST_PROBE = 50
"""Pairs of a probe that nothing had judged before: it was tried with 53 and more (docs/reuse.md)."""


class Apart(NamedTuple):
    """How far judged pairs and those that wait lie from the means of their topics and pools.

    Attributes:
        judged, waiting: the mean over the pairs of each kind, in standard deviations; 0 where there are none.
        errors: the same of those that wait, in standard errors of a draw by chance.
    """

    judged: float
    waiting: float
    errors: float

    @property
    def by_chance(self) -> bool:
        """Whether chance alone may have decided which pairs are judged."""
        return max(abs(self.judged), abs(self.waiting)) <= FARTHEST or abs(self.errors) <= UNLIKELY


def apart(value: FloatArray, group: IntArray, waits: NDArray[np.bool_]) -> Apart:
    """How far the pairs of both kinds lie apart.

    Args:
        value: float64 (n). What is known of each pair.
        group: int64 (n). Its topic and pool, as one number from 0.
        waits: bool (n).
    """
    size = np.maximum(np.bincount(group), 1)
    from_mean = value - (np.bincount(group, value) / size)[group]
    deviation = float(np.sqrt((from_mean**2).mean())) if len(value) else 0.0
    if deviation < 1e-9:
        return Apart(0.0, 0.0, 0.0)
    number = np.bincount(group, waits, minlength=len(size))
    variance = np.bincount(group, from_mean**2) / np.maximum(size - 1, 1)
    error = float(np.sqrt((variance * number * (size - number) / size).sum()))
    return Apart(
        _mean(from_mean[~waits]) / deviation,
        _mean(from_mean[waits]) / deviation,
        float(from_mean[waits].sum()) / error if error > 0 else 0.0,
    )


def why_not(pairs: Unjudged) -> str:
    """Why labels of the pairs that wait cannot be learned from those that are judged; "" where they can."""
    if pairs.probe is not None:
        return _why_not_by_probe(pairs, pairs.probe)
    known = ~pairs.waits
    judged = np.unique(pairs.topic[known])
    others = np.setdiff1d(pairs.topic, judged)
    if len(judged) < FEWEST_TOPICS:
        return f"only {counted(len(judged), 'topic')} of {FEWEST_TOPICS} are judged"
    if known.mean() < LEAST_SHARE:
        return "less than a tenth of the pairs are judged"
    beside = known & np.isin(pairs.topic, pairs.topic[pairs.waits])
    if pairs.pool is not None and not np.isin(pairs.pool[beside], pairs.pool[pairs.waits]).all():
        return "a pool was judged to the end before the others, and tells nothing of what they have left"
    if words := _other_words(pairs):
        return (
            f"judged pairs have other {words} than those of their topic that wait, so it was not chance that decided "
            "which are judged"
        )
    topics = len(judged) + len(others)
    if len(others) and (len(judged) < FEWEST_FOR_OTHERS or len(judged) < SHARE_FOR_OTHERS * topics):
        return (
            f"nothing is judged of {len(others):,} of {counted(topics, 'topic')}; how runs differ there is drawn only "
            f"where something is judged of {SHARE_FOR_OTHERS:.0%} of the topics, and of {FEWEST_FOR_OTHERS} at least"
        )
    return ""


def _why_not_by_probe(pairs: Unjudged, probe: NDArray[np.bool_]) -> str:
    """The same where labels are to be learned from a probe."""
    if (number := int(probe.sum())) < LEAST_PROBE:
        return f"the probe has {counted(number, 'pair')} of what was left, and it takes {LEAST_PROBE}"
    if (topics := len(np.unique(pairs.topic[probe]))) < FEWEST_TOPICS:
        return f"the probe has pairs of {counted(topics, 'topic')}, and it takes {FEWEST_TOPICS}"
    if words := _other_words(pairs.rows(probe | pairs.waits)):
        return f"the pairs of the probe have other {words} than those of their topic that wait, as chance hardly gives"
    return ""


def _other_words(pairs: Unjudged) -> str:
    """In what judged pairs differ from those of their topic and pool that wait; "" where they do not."""
    for value, words in ((pairs.features.own[:, 1], "ranks"), (pairs.features.own[:, 2], "numbers of runs")):
        if not apart(value, _groups(pairs), pairs.waits).by_chance:
            return words
    return ""


def _groups(pairs: Unjudged) -> IntArray:
    """The topic and pool of each pair, as one number from 0."""
    pool = np.zeros_like(pairs.topic) if pairs.pool is None else pairs.pool
    both = np.column_stack([pairs.topic, pool])
    return np.asarray(np.unique(both, axis=0, return_inverse=True)[1].ravel(), np.int64)


def _mean(value: FloatArray) -> float:
    return float(value.mean()) if len(value) else 0.0
