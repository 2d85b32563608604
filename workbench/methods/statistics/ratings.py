"""What several assessors said of the same items, as the coefficients of agreement take it.

Items with the same judgments are kept once, with their number: a coefficient is a function of how often each
pattern occurs, and to draw items again is to draw these numbers again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.methods.statistics.arrays import FloatArray

MISSING = -1
"""Where an assessor has said nothing of an item."""

IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ratings:
    """What was said of items, by pattern: P patterns of k categories, the categories in their order.

    Attributes:
        counts: float64 (P, k). How many assessors put an item of this pattern into each category; at least one.
        pair: int64 (P, 2), what the first and the second said or MISSING; None unless there are two assessors.
        number: int64 (P). How many items have the pattern.
        weight: float64 (P). For how many items each of them stands, 1 on average over those said of twice.
        stratum: int64 (P). From which part of the sample they were drawn.
    """

    counts: FloatArray
    pair: IntArray | None
    number: IntArray
    weight: FloatArray
    stratum: IntArray

    @property
    def categories(self) -> int:
        """How many categories there are, whether or not one was used."""
        return int(self.counts.shape[1])

    @cached_property
    def said(self) -> FloatArray:
        """How many assessors said something of an item of each pattern, float64 (P)."""
        return np.asarray(self.counts.sum(axis=1), np.float64)

    @cached_property
    def shared(self) -> NDArray[np.bool_]:
        """Which patterns are of items that at least two said something of, bool (P)."""
        return self.said >= 2

    @property
    def items(self) -> int:
        """How many items at least two assessors said something of."""
        return int(self.number[self.shared].sum())

    @property
    def weights(self) -> FloatArray:
        """The weight of each pattern in the whole sample, float64 (1, P)."""
        return np.asarray((self.number * self.weight)[None, :], np.float64)

    def resampled(self, resamples: int, rng: np.random.Generator) -> FloatArray:
        """The weight of each pattern when items are drawn again with replacement, float64 (resamples, P).

        Of one stratum as many are drawn as it has. From each of several one fewer is drawn than it has, and counts by
        so much more that the stratum keeps its size: else small strata would look surer than they are, those of two
        items by half of the variance. A stratum of one item does not tell how much its items differ. All such are
        drawn from as one stratum (a single one with the smallest other): intervals get wider rather than narrower.

        Source: J. N. K. Rao, C. F. J. Wu, K. Yue, Survey Methodology 18, 1992; for strata taken together W. G. Cochran,
        Sampling Techniques, 3rd edition, 1977, section 5A.12.
        """
        drawn = np.zeros((resamples, len(self.number)))
        strata = _of_two_or_more(self.stratum, self.number)
        for stratum in np.unique(strata):
            here = np.flatnonzero(strata == stratum)
            number, size = self.number[here], int(self.number[here].sum())
            times = size if size == self.number.sum() else size - 1
            drawn[:, here] = rng.multinomial(times, number / size, size=resamples) * (size / times)
        return np.asarray(drawn * self.weight, np.float64)


def ratings_of(
    labels: ArrayLike,
    categories: int,
    *,
    weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
) -> Ratings:
    """Ratings from a table of items by assessors.

    Args:
        labels: integers (items, assessors): numbers of categories from 0, or MISSING.
        categories: how many categories the scale has.
        weights: for how many items each one stands, (items,): one by the probability with which it was drawn for a
            second judgment. None for 1.
        strata: the number of the stratum each item was drawn from, (items,). None for one.

    Raises:
        ValueError: a label that is no category, weights that are not positive, or shapes that do not fit.
    """
    table = np.asarray(labels, np.int64)
    if table.ndim != 2 or ((table < MISSING) | (table >= categories)).any():
        message = (
            f"labels are a table of categories from 0 to {categories - 1}, or {MISSING} where there is none"
        )
        raise ValueError(message)
    weight = _one_for_each(weights, len(table), 1.0)
    if not (np.isfinite(weight) & (weight > 0)).all():
        message = "every item needs a positive weight"
        raise ValueError(message)
    stratum = _one_for_each(strata, len(table), 0.0).astype(np.int64)
    labelled = (table != MISSING).any(axis=1)
    return _grouped(table[labelled], categories, weight[labelled], stratum[labelled])


def _one_for_each(given: ArrayLike | None, items: int, otherwise: float) -> FloatArray:
    if given is None:
        return np.full(items, otherwise)
    values = np.asarray(given, np.float64)
    if values.shape != (items,):
        message = f"one value is needed for each of {items} items, not an array of shape {values.shape}"
        raise ValueError(message)
    return values


def _grouped(table: IntArray, categories: int, weight: FloatArray, stratum: IntArray) -> Ratings:
    """Equal items together: who said what matters only where there are two assessors."""
    two = table.shape[1] == 2
    said = table if two else counts_of(table, categories)
    known_weights, place = np.unique(weight, return_inverse=True)
    keys = np.column_stack([said, stratum, place.reshape(-1)])
    patterns, number = np.unique(keys, axis=0, return_counts=True)
    said = patterns[:, :-2]
    counts = (counts_of(said, categories) if two else said).astype(np.float64)
    each = known_weights[patterns[:, -1]]
    shared = counts.sum(axis=1) >= 2
    if shared.any():
        each = each / np.average(each[shared], weights=number[shared])
    return Ratings(counts, said if two else None, number.astype(np.int64), each, patterns[:, -2])


def _of_two_or_more(stratum: IntArray, number: IntArray) -> IntArray:
    """The stratum of each pattern, int64 (P), with strata of a single item taken together with others."""
    names, place = np.unique(stratum, return_inverse=True)
    place = place.reshape(-1)
    sizes = np.bincount(place, weights=number, minlength=len(names))
    alone = np.flatnonzero(sizes == 1)
    joined = np.arange(len(names))
    joined[alone] = alone[:1]
    if len(alone) == 1 and len(names) > 1:
        joined[alone] = np.argmin(np.where(sizes == 1, np.inf, sizes))
    return np.asarray(joined[place], np.int64)


def counts_of(table: IntArray, categories: int) -> IntArray:
    """How many assessors put each item into each category, int64 (items, categories)."""
    counts = np.zeros((len(table), categories), np.int64)
    for column in table.T:
        rows = np.flatnonzero(column != MISSING)
        counts[rows, column[rows]] += 1
    return counts
