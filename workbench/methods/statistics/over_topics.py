"""What a judge does against people, from one confusion matrix for each topic, with intervals over topics.

Topics are the sample: another collection has other topics, and the pairs of one topic resemble each other. So each
statistic is a function of the sum of the topics' tables, and its interval comes from leaving out one topic at a time.
Rows of a table are the grades of people, columns those of the judge, and cells may be weighted by 1 / π.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from workbench.methods.statistics.agreement import agreement_weights, alpha_of, gwet_of, kappa_of, ratio
from workbench.methods.statistics.arrays import NOISE, FloatArray
from workbench.methods.statistics.intervals import FEWEST_TOPICS, NO_SPREAD, TOO_FEW, Interval

Statistic = Callable[[FloatArray], FloatArray]
"""From tables, float64 (n, k, k), to values, float64 (n,), nan where not defined."""

NOT_DEFINED = "not defined: no label that it is about"
HINGES_ON_ONE = "no interval: not defined without one of the topics"
UNEVEN = (
    f"no interval: its pairs are so unevenly spread that they count as fewer than {FEWEST_TOPICS - 2} topics"
)


HELD, HELD_OF_SHARES = "92 to 98 %", "89 to 99 %"
"""In how many simulations intervals held the truth (`benchmarks/coverage_of_judges.py`): of all, and of one grade."""


class Estimate(NamedTuple):
    """A statistic over topics.

    Attributes:
        value: None where it is not defined.
        interval: None where there is none.
        note: why there is no value or no interval.
        holds: in how many simulations such an interval held the truth; "" without one.
    """

    value: float | None
    interval: Interval | None = None
    note: str = ""
    holds: str = ""


def estimate(
    tables: FloatArray,
    statistic: Statistic,
    about: Statistic | None = None,
    *,
    lowest: float = -1.0,
    highest: float = 1.0,
) -> Estimate:
    """A statistic of the sum of the topics' tables, float64 (topics, k, k), with no interval beyond its bounds.

    Formula: θ ∓ t_{m-1} sqrt(Σ_j (θ_(j) - θ)²), where θ_(j) is without topic j and m = (Σ w)² / Σ w²

    `about` gives the weight w_j of what a topic adds, by default all its pairs: where few topics have most of it, there
    are fewer degrees of freedom. `benchmarks/coverage_of_judges.py` measures how often the interval holds the truth.
    There is none with fewer than FEWEST_TOPICS topics that add anything.

    Source: J. W. Tukey's jackknife, as in B. Efron and C. Stein, Annals of Statistics 9, 1981; degrees of freedom by
    L. Kish, Survey Sampling, 1965.
    """
    weight = (_pairs if about is None else about)(tables)
    here, weight = tables[weight > NOISE], weight[weight > NOISE]
    if not len(here):
        return Estimate(None, None, NOT_DEFINED)
    whole = here.sum(axis=0)
    value = float(statistic(whole[None])[0])
    if not math.isfinite(value):
        return Estimate(None, None, NOT_DEFINED)
    held = HELD if about is None else HELD_OF_SHARES
    return jackknifed(value, statistic(whole - here) - value, weight, held, lowest=lowest, highest=highest)


def jackknifed(
    value: float,
    changes: FloatArray,
    weight: FloatArray,
    held: str,
    *,
    lowest: float = -math.inf,
    highest: float = math.inf,
) -> Estimate:
    """A value with its interval, by what leaving out each topic changes, float64 (topics,), as `estimate` says.

    `held` is in how many simulations such an interval held the truth.
    """
    from scipy.special import stdtrit

    changes, weight = changes[weight > NOISE], weight[weight > NOISE]
    if len(weight) < FEWEST_TOPICS:
        return Estimate(value, None, TOO_FEW)
    if not np.isfinite(changes).all():
        return Estimate(value, None, HINGES_ON_ONE)
    topics = float(weight.sum() ** 2 / (weight**2).sum())
    spread = float(np.sqrt((changes**2).sum()))
    if topics < FEWEST_TOPICS - 2:
        return Estimate(value, None, UNEVEN)
    if spread <= NOISE:
        return Estimate(value, None, NO_SPREAD)
    reach = float(stdtrit(topics - 1, 0.975)) * spread
    return Estimate(value, Interval(max(value - reach, lowest), min(value + reach, highest)), holds=held)


def _pairs(tables: FloatArray) -> FloatArray:
    return np.asarray(tables.sum(axis=(1, 2)), np.float64)


def same(tables: FloatArray) -> FloatArray:
    """The share of pairs with the same grade of both."""
    return ratio(np.trace(tables, axis1=1, axis2=2), _pairs(tables))


def above(tables: FloatArray) -> FloatArray:
    """The share of pairs with a higher grade of the judge."""
    return ratio(np.triu(tables, 1).sum(axis=(1, 2)), _pairs(tables))


def below(tables: FloatArray) -> FloatArray:
    """The share of pairs with a lower grade of the judge."""
    return ratio(np.tril(tables, -1).sum(axis=(1, 2)), _pairs(tables))


SHARES = frozenset({same, above, below})
"""Statistics that are never below 0."""


def difference(values: Sequence[float]) -> Statistic:
    """The mean of the judge's grade minus the people's, where the categories have these values."""
    grade = np.asarray(values, np.float64)
    apart = grade[None, :] - grade[:, None]
    return lambda tables: ratio((tables * apart).sum(axis=(1, 2)), _pairs(tables))


def found(category: int) -> tuple[Statistic, Statistic]:
    """The share of people's labels of this category that the judge gives too, and what it is about."""
    return _kept(category, axis=2)


def confirmed(category: int) -> tuple[Statistic, Statistic]:
    """The share of the judge's labels of this category that people give too, and what it is about."""
    return _kept(category, axis=1)


def _kept(category: int, axis: int) -> tuple[Statistic, Statistic]:
    def about(tables: FloatArray) -> FloatArray:
        return np.asarray(tables.sum(axis=axis)[:, category], np.float64)

    return lambda tables: ratio(tables[:, category, category], about(tables)), about


def phi(tables: FloatArray) -> FloatArray:
    """The correlation of two classes, float64 (n): phi, Matthews' coefficient and tau_b are this one number.

    Source: B. W. Matthews, Biochimica et Biophysica Acta 405, 1975.
    """
    people, judge = tables.sum(axis=2), tables.sum(axis=1)
    determinant = tables[:, 0, 0] * tables[:, 1, 1] - tables[:, 0, 1] * tables[:, 1, 0]
    return ratio(determinant, np.sqrt(people.prod(axis=1) * judge.prod(axis=1)))


def as_two_classes(tables: FloatArray, first: int) -> FloatArray:
    """The same tables with the categories from `first` on as one, and those before it, float64 (n, 2, 2)."""
    classes = np.zeros((tables.shape[1], 2))
    classes[:first, 0], classes[first:, 1] = 1, 1
    return np.asarray(np.einsum("ia,nij,jb->nab", classes, tables, classes), np.float64)


def _kappa(weights: str) -> Statistic:
    return lambda tables: kappa_of(tables, agreement_weights(tables.shape[1], weights))  # type: ignore[arg-type]


def _ordinal(tables: FloatArray) -> FloatArray:
    return alpha_of(
        tables + tables.transpose(0, 2, 1), "ordinal", np.arange(tables.shape[1], dtype=np.float64)
    )


def _ac1(tables: FloatArray) -> FloatArray:
    shares = ratio(tables.sum(axis=2) + tables.sum(axis=1), 2 * _pairs(tables)[:, None])
    return gwet_of(same(tables), shares, np.eye(tables.shape[1]))


GRADED: Mapping[str, Statistic] = MappingProxyType(
    {
        "same grade": same,
        "Cohen's kappa": _kappa("equal"),
        "Cohen's kappa, linear": _kappa("linear"),
        "Cohen's kappa, quadratic": _kappa("quadratic"),
        "Krippendorff's alpha, ordinal": _ordinal,
        "Gwet's AC1": _ac1,
    }
)
BINARY: Mapping[str, Statistic] = MappingProxyType(
    {"same class": same, "Cohen's kappa": _kappa("equal"), "phi (Matthews, tau)": phi, "Gwet's AC1": _ac1}
)
"""Coefficients by their names, of grades and of relevant or not."""
