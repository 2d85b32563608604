"""Which significant differences between runs stay significant when judgments are left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.results import Column, shown
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.all_pairs import of_pairs, pairwise_t
from workbench.methods.statistics.paired import benjamini_hochberg

ALPHA = 0.05
TEST = f"paired t-test with Benjamini’s and Hochberg’s correction over all pairs, at {ALPHA:g}"


class Preserved(NamedTuple):
    """The pairs of runs that differ significantly before or after.

    Attributes:
        agree: significant both times, with the same run ahead (active agreements, AA).
        lost: significant before and not after; with `gained` the mixed ones (MA).
        gained: significant after and not before.
        reversed: significant both times, with the other run ahead (active disagreements, AD).
    """

    agree: int
    lost: int
    gained: int
    reversed: int

    @property
    @shown(Column())
    def before(self) -> int:
        """How many pairs were significant before."""
        return self.agree + self.lost + self.reversed


def significant_pairs(values: FloatArray) -> NDArray[np.int8]:
    """For each pair of runs 1 or -1 where they differ significantly, with the sign of the difference; else 0.

    From float64 (topics, runs) to int8 (pairs,), the pairs in the order of `of_pairs`.
    """
    runs = values.shape[1]
    if runs < 2 or not len(values):
        return np.zeros(runs * (runs - 1) // 2, np.int8)
    means = values.mean(axis=0)
    sign = np.sign(of_pairs(means[:, None] - means[None, :]))
    p = benjamini_hochberg(of_pairs(pairwise_t(values)))
    return np.where(p <= ALPHA, sign, 0).astype(np.int8)


def preserved(before: NDArray[np.int8], after: NDArray[np.int8]) -> Preserved:
    """Compare what `significant_pairs` gives before and after.

    Source: D. Otero, J. Parapar, N. Ferro, How Discriminative Are Your Qrels?, CIKM 2023: sets of significant pairs,
    not rank correlations.
    """
    both = (before != 0) & (after != 0)
    return Preserved(
        agree=int((both & (before == after)).sum()),
        lost=int(((before != 0) & (after == 0)).sum()),
        gained=int(((before == 0) & (after != 0)).sum()),
        reversed=int((both & (before == -after)).sum()),
    )
