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

FEWEST_OF_STRATUM = 15
"""With fewer items a stratum does not tell how much its items differ."""

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

        Of one stratum as many are drawn as it has. Of several each keeps its size, and its items have shares drawn from
        a Dirichlet distribution, in which one more item (`_one_more`) stands for patterns that it might have: a stratum
        of fifteen items that all agree may weigh as much as all others, and does not prove that such items do.
        Strata of fewer than FEWEST_OF_STRATUM items are taken together, which makes intervals wider, if anything.
        `benchmarks/coverage_of_intervals.py` measures both.

        Source: D. B. Rubin, The Bayesian Bootstrap, Annals of Statistics 9, 1981; for strata taken together W. G.
        Cochran, Sampling Techniques, 3rd edition, 1977, section 5A.12.
        """
        strata = _large_enough(self.stratum, self.number, self.weight)
        if not strata.any():
            size = int(self.number.sum())
            drawn = rng.multinomial(size, self.number / size, size=resamples)
            return np.asarray(drawn * self.weight, np.float64)
        found = np.zeros((resamples, len(self.number)))
        for stratum in np.unique(strata):
            here = strata == stratum
            size = int(self.number[here].sum())
            expected = np.where(here, self.number, 0) + self._one_more(here)
            shares = rng.standard_gamma(expected * (size - 2) / (size + 1), (resamples, len(expected)))
            weight = np.where(here, self.weight, np.average(self.weight[here], weights=self.number[here]))
            found += shares / shares.sum(axis=1, keepdims=True) * size * weight
        return np.asarray(found, np.float64)

    def _one_more(self, here: NDArray[np.bool_]) -> FloatArray:
        """One item divided over the patterns of all strata, float64 (P), that fit to those `here`.

        Where all items of a stratum have a category, as they have the grade by which they were drawn, these also do.
        Half of the item has one category alone, and half has several, where there are both (Jeffreys' prior).
        """
        common = (self.counts[here] > 0).all(axis=0)
        fit = np.where((self.counts[:, common] > 0).all(axis=1) & self.shared, self.number, 0)
        alone = (self.counts > 0).sum(axis=1) == 1
        halves = [part / part.sum() for part in (fit * alone, fit * ~alone) if part.any()]
        return np.asarray(np.mean(halves, axis=0), np.float64)


def ratings_of(
    labels: ArrayLike, categories: int, *, weights: ArrayLike | None = None, strata: ArrayLike | None = None
) -> Ratings:
    """Ratings from a table of items by assessors, see `table_of`.

    `weights` (items,) say for how many items each one stands: one by the probability with which it was drawn for a
    second judgment; None for 1. `strata` (items,) are the numbers of those that items were drawn from; None for one.

    ValueError for a label that is no category, weights that are not positive, or shapes that do not fit.
    """
    table = table_of(labels, categories)
    weight = _one_for_each(weights, len(table), 1.0)
    if not (np.isfinite(weight) & (weight > 0)).all():
        raise ValueError("every item needs a positive weight")
    stratum = _one_for_each(strata, len(table), 0.0).astype(np.int64)
    labelled = (table != MISSING).any(axis=1)
    return _grouped(table[labelled], categories, weight[labelled], stratum[labelled])


def table_of(labels: ArrayLike, categories: int) -> IntArray:
    """Labels of items by assessors, int64: numbers of categories from 0, or MISSING; ValueError for any other."""
    table = np.asarray(labels, np.int64)
    if table.ndim != 2 or ((table < MISSING) | (table >= categories)).any():
        message = (
            f"labels are a table of categories from 0 to {categories - 1}, or {MISSING} where there is none"
        )
        raise ValueError(message)
    return table


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


def _large_enough(stratum: IntArray, number: IntArray, weight: FloatArray) -> IntArray:
    """The stratum of each pattern from 0, int64 (P); small ones are one, if need be with that of the nearest weight."""
    place = np.unique(stratum, return_inverse=True)[1].reshape(-1)
    sizes = np.bincount(place, weights=number)
    weights = np.bincount(place, weights=number * weight) / sizes
    small = sizes < FEWEST_OF_STRATUM
    if small.any() and sizes[small].sum() < FEWEST_OF_STRATUM and not small.all():
        mean = np.average(weights[small], weights=sizes[small])
        small[np.argmin(np.where(small, np.inf, np.abs(np.log(weights / mean))))] = True
    joined = np.where(small, 0, np.cumsum(~small) - (not small.any()))
    return np.asarray(joined[place], np.int64)


def counts_of(table: IntArray, categories: int) -> IntArray:
    """How many assessors put each item into each category, int64 (items, categories)."""
    counts = np.zeros((len(table), categories), np.int64)
    for column in table.T:
        rows = np.flatnonzero(column != MISSING)
        counts[rows, column[rows]] += 1
    return counts
