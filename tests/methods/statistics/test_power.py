"""Sizes of topic sets: known values, and power the other way round."""

from __future__ import annotations

from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import integrate, stats

from tests.document_tables import table
from workbench.methods.statistics.power import detectable, power_of, sd_of_differences, topics_needed


@pytest.mark.parametrize(
    ("sd", "topics"), [(0.159, 82), (0.240, 183), (0.254, 205), (0.25, 199), (0.135, 60), (0.068, 17)]
)
def test_topics_for_a_difference_of_five_points(sd: float, topics: int) -> None:
    assert topics_needed(sd, 0.05) == topics  # the normal approximation says two fewer for each
    assert topics_needed(sd, -0.05) == topics


def test_the_topics_of_the_table_are_known() -> None:
    spreads = ["5", "2.7", "1.36"]
    documented = table("σ / δ", *spreads)
    known = stats.norm.isf(0.025) + stats.norm.isf(0.2)
    by_normal, by_t = documented.values()
    assert by_normal == [str(ceil((known * float(each)) ** 2)) for each in spreads]
    assert by_t == [str(topics_needed(float(each), 1.0)) for each in spreads]
    # By the normal distribution 71 topics would do; 90 are found by doubling, and then by halving.
    topics = topics_needed(1.0, 1.0, alpha=1e-9, power=0.99)
    assert topics == 90
    assert power_of(1.0, 1.0, 89, alpha=1e-9) < 0.99 <= power_of(1.0, 1.0, 90, alpha=1e-9)


def test_ten_topics_have_the_power_of_the_t_test_and_not_of_known_variance() -> None:
    assert power_of(1.0, 0.738, 10) == pytest.approx(0.549, abs=5e-4)  # .646 by the normal distribution


@pytest.mark.parametrize(("topics", "shift"), [(2, 1.0), (10, 2.334), (60, 2.87), (199, -2.82), (30, 0.3)])
def test_power_is_the_mean_over_the_standard_deviations_that_chance_gives(topics: int, shift: float) -> None:
    freedom, critical = topics - 1, stats.t.isf(0.025, topics - 1)

    def beyond(square: float) -> float:  # if the sample's variance is so many times the true one
        edge = critical * np.sqrt(square / freedom)
        tails = stats.norm.sf(edge - shift) + stats.norm.cdf(-edge - shift)
        return float(tails * stats.chi2.pdf(square, freedom))

    expected, _ = integrate.quad(beyond, *stats.chi2.ppf([1e-12, 1 - 1e-12], freedom))
    assert power_of(1.0, shift / np.sqrt(topics), topics) == pytest.approx(expected, abs=1e-6)


@given(st.floats(0.01, 1), st.floats(0.01, 0.5), st.floats(0.5, 0.99))
def test_the_topics_needed_have_the_power_asked_for(sd: float, difference: float, power: float) -> None:
    topics = topics_needed(sd, difference, power=power)
    assert power_of(sd, difference, topics) >= power - 1e-8
    assert topics == 2 or power_of(sd, difference, topics - 1) < power


@given(st.floats(0.01, 1), st.integers(2, 500))
def test_what_is_detectable_needs_that_many_topics(sd: float, topics: int) -> None:
    assert topics_needed(sd, detectable(sd, topics)) == topics


def test_without_a_difference_power_is_the_rate_of_false_alarms_and_a_t_test_takes_two_topics() -> None:
    assert power_of(0.2, 0.0, 50) == pytest.approx(0.05)
    assert power_of(0.0, 0.0, 50) == 0.05
    assert power_of(0.0, 0.1, 2) == 1.0
    assert power_of(0.2, 0.5, 1) == 0.0
    assert topics_needed(0.001, 10.0) == 2
    assert topics_needed(0.0, 0.1) == 2
    assert detectable(0.2, 30, alpha=0.05, power=0.04) == 0.0
    assert topics_needed(0.2, 0.01, alpha=0.05, power=0.04) == 2


@given(st.floats(0, 40), st.integers(2, 10_000), st.sampled_from([0.001, 0.01, 0.05, 0.1]))
def test_power_grows_with_the_difference_without_a_hole(shift: float, topics: int, alpha: float) -> None:
    here, further = (power_of(1.0, (shift + step) / topics**0.5, topics, alpha=alpha) for step in (0, 0.1))
    assert alpha - 1e-9 <= here <= further + 1e-9 <= 1 + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topics", "difference"), [(5, 1.0), (10, 0.738), (17, 0.73), (60, 0.37), (199, 0.2)]
)
def test_the_planned_power_is_the_share_of_t_tests_that_find_the_difference(
    topics: int, difference: float
) -> None:
    rng, found, rounds = np.random.default_rng(1), 0, 100
    for _ in range(rounds):
        found += int(
            (stats.ttest_1samp(rng.normal(difference, 1.0, (1000, topics)), 0, axis=1).pvalue <= 0.05).sum()
        )
    share = found / (1000 * rounds)  # with a standard error of at most .0016
    assert power_of(1.0, difference, topics) == pytest.approx(share, abs=0.006)


def test_sd_of_differences_is_that_of_numpy() -> None:
    values = np.random.default_rng(1).random((9, 3))
    found = sd_of_differences(values)
    assert found[0, 2] == pytest.approx((values[:, 0] - values[:, 2]).std(ddof=1))
    assert_allclose(found, found.T)
    assert_allclose(np.diag(found), 0)


@pytest.mark.parametrize(
    ("sd", "difference", "alpha", "power"),
    [(0.1, 0, 0.05, 0.8), (-0.1, 0.1, 0.05, 0.8), (0.1, 0.1, 0, 0.8), (0.1, 0.1, 0.05, 1)],
)
def test_what_makes_no_sense_is_refused(sd: float, difference: float, alpha: float, power: float) -> None:
    with pytest.raises(ValueError, match=r"difference of 0|not negative|between 0 and 1"):
        topics_needed(sd, difference, alpha=alpha, power=power)


def test_no_topics_show_nothing() -> None:
    for topics in (0, 1):
        with pytest.raises(ValueError, match="show nothing"):
            detectable(0.1, topics)
    with pytest.raises(ValueError, match="two topics"):
        sd_of_differences([[0.1, 0.2]])
