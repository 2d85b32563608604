"""Student's t intervals against scipy, means of topics drawn again, and limits of what a population holds."""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy import stats

from workbench.methods.statistics.intervals import (
    NO_SPREAD,
    TOO_FEW,
    most_in_population,
    resampled_means,
    t_interval,
    t_intervals,
    why_none,
)

FloatArray = NDArray[np.float64]


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.data
def test_the_interval_of_two_systems_of_trec_8_is_that_of_scipy(pair: FloatArray) -> None:
    reference = stats.ttest_1samp(pair, 0).confidence_interval(0.95)
    assert t_interval(pair) == pytest.approx((reference.low, reference.high))


@pytest.mark.parametrize("topics", [5, 6, 25, 100])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_intervals_of_many_runs_are_those_of_scipy(topics: int, level: float) -> None:
    values = rng().beta(0.5, 2, (topics, 4))
    reference = stats.ttest_1samp(values, 0).confidence_interval(level)
    assert_allclose(t_intervals(values, level=level), np.transpose(reference))


def test_an_interval_stays_within_the_values_that_there_are() -> None:
    assert t_interval([0, 0, 0, 0, 1], lowest=0, highest=1) == pytest.approx((0, 0.7553), abs=1e-4)
    assert t_interval([1, 1, 1, 1, 0], lowest=0, highest=1) == pytest.approx((1 - 0.7553, 1), abs=1e-4)


@pytest.mark.parametrize("values", [[], [0.4], [0.1, 0.2, 0.3, 0.4]])
def test_fewer_than_five_topics_have_no_interval(values: list[float]) -> None:
    assert t_interval(values) is None
    assert why_none(np.array(values)[:, None]) == [TOO_FEW]


def test_topics_that_all_score_the_same_have_no_interval_and_all_runs_the_same_topics() -> None:
    values = np.array([[0.3, 0.0, 0.5], [0.1 + 0.2, 0.0, 0.4]] * 3)
    assert why_none(values) == [NO_SPREAD, NO_SPREAD, ""]
    assert [math.isnan(low) for low, _ in t_intervals(values)] == [True, True, False]
    values = np.random.default_rng(3).random((20, 2))
    means = resampled_means(np.hstack([values, values + 0.1]), resamples=50, rng=rng())
    assert_allclose(means[:, 2:] - means[:, :2], 0.1)
    values = np.random.default_rng(3).random((40, 1))
    means = resampled_means(values, resamples=20_000, rng=rng())
    assert means.mean() == pytest.approx(values.mean(), abs=0.002)
    assert means.std() == pytest.approx(values.std() / np.sqrt(40), rel=0.03)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("population", [1, 7, 20])
def test_the_true_number_is_above_the_limit_no_more_often_than_it_says(population: int, alpha: float) -> None:
    for drawn in range(population + 1):
        limit = [most_in_population(population, drawn, found, alpha) for found in range(drawn + 1)]
        for marked in range(population + 1):
            wrong = sum(
                Fraction(
                    comb(marked, found) * comb(population - marked, drawn - found), comb(population, drawn)
                )
                for found in range(drawn + 1)
                if limit[found] < marked
            )
            assert wrong <= alpha


def test_the_limit_by_hand() -> None:
    # With 6 of 30 marked, 10 drawn miss all of them with C(24, 10) / C(30, 10) = 0.0653, with 7 of 30 with 0.0381.
    assert most_in_population(30, 10, 0, 0.05) == 6
    assert most_in_population(9, 9, 4, 0.05) == 4
    assert most_in_population(9, 0, 0, 0.05) == 9
    # With 1 of 2 marked, the one that is drawn is the other one with 1/2.
    assert most_in_population(2, 1, 0, 0.5) == 0
    assert most_in_population(2, 1, 0, 0.49) == 1
