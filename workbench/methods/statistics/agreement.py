"""How much assessors agree on the same items, beyond what chance would give.

Every function takes `Ratings` and returns a `Coefficient`; one that is not defined has the value None, and its note
says why. Sampling weights are those of the ratings: a coefficient of a sample that was drawn with unequal
probabilities is one of the whole it was drawn from. The intervals are by percentiles over items drawn again, of strata
by the Bayesian bootstrap (`Ratings.resampled`); the same draws serve all coefficients. There is none where few items
make it too narrow (`FEWEST_ITEMS`, `FEWEST_OTHERS`); `benchmarks/coverage_of_intervals.py` measures the others.

No coefficient says all: where nearly everything is of one category, raw agreement and AC1 are high and kappa is
near 0 (A. R. Feinstein and D. V. Cicchetti, Journal of Clinical Epidemiology 43, 1990). Look at two and at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from workbench.methods.statistics.arrays import CELLS_AT_A_TIME, NOISE, FloatArray
from workbench.methods.statistics.intervals import Interval
from workbench.methods.statistics.ratings import Ratings

Weights = Literal["equal", "linear", "quadratic"]
"""How far a near miss is agreement: not at all, falling evenly with the steps between, or with their square."""

Level = Literal["nominal", "ordinal", "interval"]
"""What the distance of two categories means to Krippendorff's alpha."""

MOST_UNDEFINED = 0.05
"""There is no interval where a coefficient is not defined in more than this share of the draws."""

FEWEST_ITEMS = 20
"""There is no interval with fewer items: of ten it covers as little as 82 %."""

FEWEST_OTHERS = 10
"""Kappa and alpha have no interval where fewer items have a judgment outside the commonest category: what chance would
agree on rests on these, and of three to six of them intervals cover 57 to 85 %."""

TOO_FEW_ITEMS = f"no interval with fewer than {FEWEST_ITEMS} pairs"
TOO_FEW_OTHERS = f"no interval: fewer than {FEWEST_OTHERS} pairs have another judgment than the commonest"
TOO_OFTEN_UNDEFINED = "no interval: not defined in too many draws"
NO_OTHER_VALUE = "no interval: no draw gives another value, which does not mean that other pairs would not"

ALL_THE_SAME = "not defined: all judgments are the same, so chance alone would agree as well"

_Values = Callable[[FloatArray], FloatArray]
"""From the weights of the patterns, float64 (draws, P), to values, float64 (draws,), nan where not defined."""


class Coefficient(NamedTuple):
    """One number for agreement, with what it rests on.

    Attributes:
        name: what it is called.
        value: None where it is not defined.
        interval: 95 %, over items drawn again; None if not requested, or not defined.
        items: how many items at least two assessors said something of.
        note: why there is no value or no interval, if so.
    """

    name: str
    value: float | None
    interval: Interval | None
    items: int
    note: str = ""


def confusion(ratings: Ratings) -> FloatArray | None:
    """How often the first of two assessors said the row's category and the second the column's, float64 (k, k).

    By weight where there are sampling weights. None unless there are two assessors.
    """
    return None if ratings.pair is None else _tables(ratings, ratings.weights)[0]


def coincidences(ratings: Ratings) -> FloatArray:
    """How often two categories were said of the same item by different assessors, float64 (k, k), symmetric.

    Each item of m judgments gives its ordered pairs of them by m - 1, so that it counts as m judgments whatever m is.
    By weight where there are sampling weights. Source: as of `krippendorff_alpha`.
    """
    return np.asarray(_coincidences(ratings, ratings.weights)[0], np.float64)


def grades_met(ratings: Ratings) -> FloatArray:
    """How often two categories were given to the same item by different assessors, in either order, float64 (k, k).

    Upper triangular, since no assessor is first. Each item counts once: of m judgments each of the m (m - 1) / 2 pairs
    counts one by their number. By weight where there are sampling weights.
    """
    here = np.flatnonzero(ratings.shared)
    counts, said = ratings.counts[here], ratings.said[here]
    weights = ratings.weights[0, here] / np.maximum(said * (said - 1), 1)
    ordered = np.asarray((counts * weights[:, None]).T @ counts, np.float64) - np.diag(weights @ counts)
    return np.triu(ordered + np.triu(ordered.T, 1))


def raw_agreement(ratings: Ratings, draws: FloatArray | None = None) -> Coefficient:
    """The share of agreeing pairs of assessors of an item, mean over items."""
    return _found("raw agreement", ratings, lambda w: _mean(ratings, _agreeing(ratings), w), draws)


def overlap(ratings: Ratings, relevant: int, draws: FloatArray | None = None) -> Coefficient:
    """Items that all who judged them call relevant, by items that at least one calls relevant.

    With two assessors |A and B| / |A or B| of their relevant items. Not defined if no item is called relevant;
    `relevant` is the first category that is.

    Source: E. M. Voorhees, Information Processing and Management 36, 2000.
    """
    calling = ratings.counts[:, relevant:].sum(axis=1)
    by_all = ratings.shared & (calling == ratings.said)
    by_any = ratings.shared & (calling > 0)
    note = "not defined: no pair judged by several was called relevant"
    return _found("overlap", ratings, lambda w: ratio(w @ by_all, w @ by_any), draws, note)


def cohen_kappa(ratings: Ratings, weights: Weights = "equal", draws: FloatArray | None = None) -> Coefficient:
    """Cohen's kappa of two assessors: (p_o - p_e) / (1 - p_e), with p_e from the shares of each.

    With weights a near miss is partial agreement: 1 - d / (k - 1), or 1 - (d / (k - 1))^2, for categories d steps
    apart. Not defined for more than two assessors, and where both always said the same one thing.

    Source: J. Cohen, Educational and Psychological Measurement 20, 1960; Psychological Bulletin 70, 1968.
    """
    name = "Cohen's kappa" if weights == "equal" else f"Cohen's kappa, {weights}"
    if ratings.pair is None:
        return _undefined(name, ratings, "not defined: it is about two assessors; look at each pair of them")
    agreed = agreement_weights(ratings.categories, weights)

    return _found(name, ratings, lambda w: kappa_of(_tables(ratings, w), agreed), draws, ALL_THE_SAME)


def kappa_of(tables: FloatArray, agreed: FloatArray) -> FloatArray:
    """Cohen's kappa of each confusion matrix, float64 (n, k, k), where categories agree so much, float64 (k, k)."""
    shares = ratio(tables, tables.sum(axis=(1, 2), keepdims=True))
    expected = np.einsum("bi,ij,bj->b", shares.sum(axis=2), agreed, shares.sum(axis=1))
    return _beyond_chance((shares * agreed).sum(axis=(1, 2)), expected)


def fleiss_kappa(ratings: Ratings, draws: FloatArray | None = None) -> Coefficient:
    """Fleiss' kappa: like kappa, for any assessors, the same number of them for each item.

    Chance is the sum of the squares of the shares of the categories. Items with one judgment do not count. Not defined
    where items have different numbers of judgments.

    Source: J. L. Fleiss, Psychological Bulletin 76, 1971.
    """
    name, said = "Fleiss' kappa", ratings.said[ratings.shared]
    if len(said) and np.ptp(said) > 0:
        return _undefined(name, ratings, "not defined: pairs have different numbers of judgments")
    shares = _shares(ratings)[:, ratings.shared]

    def values(w: FloatArray) -> FloatArray:
        here = w[:, ratings.shared]
        each = ratio(here @ shares.T, here.sum(axis=1, keepdims=True))
        return _beyond_chance(_mean(ratings, _agreeing(ratings), w), (each**2).sum(axis=1))

    return _found(name, ratings, values, draws, ALL_THE_SAME)


def krippendorff_alpha(
    ratings: Ratings,
    level: Level = "nominal",
    draws: FloatArray | None = None,
    *,
    values: Sequence[float] | None = None,
) -> Coefficient:
    """Krippendorff's alpha, 1 - D_o / D_e, for any number of assessors and with gaps.

    Coincidences o_cd sum over items, each of m judgments, the ordered pairs of its judgments by m - 1; n_c = sum over
    d of o_cd. D_o / D_e = (n - 1) * sum of o_cd * distance(c, d) / sum of n_c * n_d * distance(c, d), where distance
    is 1 for different categories (nominal), the square of the number of judgments from one to the other, either
    counted half (ordinal), or the square of the difference of values (interval). Not defined where all judgments are
    the same. `values` are those of the categories where they are not their numbers.

    Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
    """
    grades = np.asarray(range(ratings.categories) if values is None else values, np.float64)

    def found(w: FloatArray) -> FloatArray:
        return alpha_of(_coincidences(ratings, w), level, grades)

    return _found(f"Krippendorff's alpha, {level}", ratings, found, draws, ALL_THE_SAME)


def alpha_of(together: FloatArray, level: Level, grades: FloatArray) -> FloatArray:
    """Krippendorff's alpha of each table of coincidences, float64 (n, k, k), symmetric; `grades` as its `values`."""
    each = together.sum(axis=2)
    # How far apart two categories are, squared.
    if level == "nominal":
        apart = np.asarray(1 - np.eye(len(grades)), np.float64)[None]
    else:
        middle = grades[None] if level == "interval" else each.cumsum(axis=1) - each / 2
        apart = (middle[:, :, None] - middle[:, None, :]) ** 2
    observed = (together * apart).sum(axis=(1, 2))
    expected = np.einsum("bi,bij,bj->b", each, apart, each)
    return np.asarray(1 - (each.sum(axis=1) - 1) * ratio(observed, expected), np.float64)


def gwet_ac(ratings: Ratings, weights: Weights = "equal", draws: FloatArray | None = None) -> Coefficient:
    """Gwet's AC1, or AC2 with weights: (p_a - p_e) / (1 - p_e), for any number of assessors and with gaps.

    p_e = T / (k (k - 1)) * sum over categories of s (1 - s), where s is a category's mean share of an item's judgments
    (also of items with one), and T the sum of all agreement weights: 1 / (k - 1) times that sum for AC1. Stays high
    where nearly all is of one category. Not defined on a scale of one category.

    Source: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61, 2008; Handbook of Inter-Rater
    Reliability, 4th edition, 2014.
    """
    name, k = "Gwet's AC1" if weights == "equal" else f"Gwet's AC2, {weights}", ratings.categories
    if k < 2:
        return _undefined(name, ratings, "not defined: the scale has one category")
    agreed = agreement_weights(k, weights)
    agreeing, shares = _agreeing(ratings, agreed), _shares(ratings)

    def values(w: FloatArray) -> FloatArray:
        each = ratio(w @ shares.T, w.sum(axis=1, keepdims=True))
        return gwet_of(_mean(ratings, agreeing, w), each, agreed)

    return _found(name, ratings, values, draws)


def gwet_of(observed: FloatArray, shares: FloatArray, agreed: FloatArray) -> FloatArray:
    """Gwet's coefficient of each observed agreement, float64 (n,), with the shares of categories, float64 (n, k)."""
    k = len(agreed)
    expected = agreed.sum() / (k * (k - 1)) * (shares * (1 - shares)).sum(axis=1)
    return _beyond_chance(observed, expected)


def agreement_weights(categories: int, weights: Weights) -> FloatArray:
    """How much two categories agree, float64 (k, k): 1 on the diagonal, 0 at the far ends."""
    if weights == "equal":
        return np.eye(categories)
    place = np.arange(categories, dtype=np.float64)
    apart = np.abs(place[:, None] - place) / max(categories - 1, 1)
    return np.asarray(1 - (apart if weights == "linear" else apart**2), np.float64)


def _found(
    name: str, ratings: Ratings, values: _Values, draws: FloatArray | None, otherwise: str = ""
) -> Coefficient:
    """The coefficient by this formula, and its interval; `otherwise` is why it may have no value."""
    if not ratings.items:
        return _undefined(name, ratings, "not defined: no pair has two judgments")
    value = float(values(ratings.weights)[0])
    if not np.isfinite(value):
        return _undefined(name, ratings, otherwise)
    if draws is None:
        return Coefficient(name, value, None, ratings.items)
    commonest = int((ratings.number @ ratings.counts).argmax())
    others = ratings.number[ratings.shared & (ratings.counts[:, commonest] < ratings.said)].sum()
    interval, note = None, ""
    if ratings.items < FEWEST_ITEMS:
        note = TOO_FEW_ITEMS
    elif otherwise == ALL_THE_SAME and others < FEWEST_OTHERS:  # corrected by the shares of categories
        note = TOO_FEW_OTHERS
    else:
        interval, note = _interval(values, draws, value)
    return Coefficient(name, value, interval, ratings.items, note)


def _undefined(name: str, ratings: Ratings, note: str) -> Coefficient:
    return Coefficient(name, None, None, ratings.items, note)


def _interval(values: _Values, draws: FloatArray, value: float) -> tuple[Interval | None, str]:
    """The interval, which holds the value itself, or why there is none."""
    found = values(draws)
    found = found[np.isfinite(found)]
    if len(found) < max(1, (1 - MOST_UNDEFINED) * len(draws)):
        return None, TOO_OFTEN_UNDEFINED
    low, high = np.quantile(found, [0.025, 0.975]).tolist()
    if high - low <= NOISE:
        return None, NO_OTHER_VALUE
    return Interval(min(low, value), max(high, value)), ""


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Part by whole, nan where the whole is nothing."""
    nothing = np.full(np.broadcast_shapes(part.shape, whole.shape), np.nan)
    return np.asarray(np.divide(part, whole, out=nothing, where=whole > NOISE), np.float64)


def _beyond_chance(observed: FloatArray, expected: FloatArray) -> FloatArray:
    return ratio(observed - expected, 1 - expected)


def _mean(ratings: Ratings, values: FloatArray, w: FloatArray) -> FloatArray:
    """The mean over items that at least two judged of one value a pattern."""
    here = w[:, ratings.shared]
    return ratio(here @ values[ratings.shared], here.sum(axis=1))


def _agreeing(ratings: Ratings, agreed: FloatArray | None = None) -> FloatArray:
    """The share of agreeing pairs among the judgments of an item of each pattern, float64 (P)."""
    counts, said = ratings.counts, ratings.said
    others = (counts if agreed is None else counts @ agreed) - 1
    pairs = said * (said - 1)
    return np.asarray((counts * others).sum(axis=1) / np.maximum(pairs, 1), np.float64)


def _shares(ratings: Ratings) -> FloatArray:
    """The share of each category in the judgments of an item, float64 (k, P)."""
    return np.asarray((ratings.counts / ratings.said[:, None]).T, np.float64)


def _tables(ratings: Ratings, w: FloatArray) -> FloatArray:
    """The confusion matrix of each draw, float64 (draws, k, k)."""
    k, pair = ratings.categories, ratings.pair
    tables = np.zeros((len(w), k * k))
    if pair is not None:
        for pattern in np.flatnonzero(ratings.shared).tolist():
            tables[:, pair[pattern, 0] * k + pair[pattern, 1]] += w[:, pattern]
    return tables.reshape(-1, k, k)


def _coincidences(ratings: Ratings, w: FloatArray) -> FloatArray:
    """Ordered pairs of judgments of the same item, by one less than its judgments, float64 (draws, k, k)."""
    k, here = ratings.categories, np.flatnonzero(ratings.shared)
    found = np.zeros((len(w), k * k))
    at_once = max(1, CELLS_AT_A_TIME // k**2)
    for some in np.split(here, range(at_once, len(here), at_once)):
        counts = ratings.counts[some]
        pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(k)
        pairs /= (ratings.said[some] - 1)[:, None, None]
        found += w[:, some] @ pairs.reshape(-1, k * k)
    return found.reshape(-1, k, k)
