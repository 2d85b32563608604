"""Bootstrap intervals, against scipy and with the published interval for two systems of TREC-8."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy import stats

from workbench.statistics.intervals import (
    Interval,
    bootstrap_interval,
    bootstrap_intervals,
    resampled_means,
)

FloatArray = NDArray[np.float64]


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.data
def test_the_percentile_interval_of_two_systems_of_trec_8(pair: FloatArray) -> None:
    assert_allclose(bootstrap_intervals(pair[:, None], rng=rng()), [[0.0234, 0.0838]], atol=0.0015)


@pytest.mark.data
def test_the_corrected_interval_is_that_of_scipy(pair: FloatArray) -> None:
    reference = stats.bootstrap((pair,), np.mean, n_resamples=500, method="BCa", rng=rng())
    found = bootstrap_interval(pair, resamples=500, rng=rng())
    assert found == pytest.approx(tuple(reference.confidence_interval))


def test_values_without_spread_have_an_interval_without_width() -> None:
    assert bootstrap_interval([0.3, 0.1 + 0.2], rng=rng()) == pytest.approx((0.3, 0.3))


@pytest.mark.parametrize("values", [[], [0.4]])
def test_fewer_than_two_topics_have_no_interval(values: list[float]) -> None:
    assert bootstrap_interval(values, rng=rng()) is None


def test_intervals_of_many_runs_without_topics_stand_at_the_mean() -> None:
    assert bootstrap_intervals(np.array([[0.2, 0.4]]), rng=rng()).tolist() == [[0.2, 0.2], [0.4, 0.4]]
    assert bootstrap_intervals(np.empty((0, 2)), rng=rng()).tolist() == [[0, 0], [0, 0]]


def test_the_same_topics_are_drawn_for_all_runs() -> None:
    values = np.random.default_rng(3).random((20, 2))
    means = resampled_means(np.hstack([values, values + 0.1]), resamples=50, rng=rng())
    assert_allclose(means[:, 2:] - means[:, :2], 0.1)


def test_resampled_means_spread_as_the_mean_does() -> None:
    values = np.random.default_rng(3).random((40, 1))
    means = resampled_means(values, resamples=20_000, rng=rng())
    assert means.mean() == pytest.approx(values.mean(), abs=0.002)
    assert means.std() == pytest.approx(values.std() / np.sqrt(40), rel=0.03)


def test_a_wider_level_gives_a_wider_interval() -> None:
    values = np.random.default_rng(3).random(40)
    narrow, wide = (bootstrap_interval(values, level=level, rng=rng()) for level in (0.8, 0.99))
    assert isinstance(narrow, Interval)
    assert isinstance(wide, Interval)
    assert wide.low < narrow.low < narrow.high < wide.high
