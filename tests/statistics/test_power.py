"""Sizes of topic sets: known values, and power the other way round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from workbench.statistics.power import detectable, power_of, sd_of_differences, topics_needed


@pytest.mark.parametrize(("sd", "topics"), [(0.159, 80), (0.240, 181), (0.254, 203), (0.244, 187)])
def test_topics_for_a_difference_of_five_points(sd: float, topics: int) -> None:
    assert topics_needed(sd, 0.05) == topics
    assert topics_needed(sd, -0.05) == topics


def test_what_fifty_topics_can_show() -> None:
    assert detectable(0.159, 50) == pytest.approx(0.063, abs=5e-4)
    assert detectable(0.244, 50) == pytest.approx(0.097, abs=5e-4)


@given(st.floats(0.01, 1), st.floats(0.01, 0.5), st.floats(0.5, 0.99))
def test_the_topics_needed_have_the_power_asked_for(sd: float, difference: float, power: float) -> None:
    topics = topics_needed(sd, difference, power=power)
    assert power_of(sd, difference, topics) >= power - 1e-6
    assert topics == 1 or power_of(sd, difference, topics - 1) <= power + 0.026  # the other tail counts too


@given(st.floats(0.01, 1), st.integers(1, 500))
def test_what_is_detectable_needs_that_many_topics(sd: float, topics: int) -> None:
    assert topics_needed(sd, detectable(sd, topics)) == topics


def test_without_a_difference_power_is_the_rate_of_false_alarms() -> None:
    assert power_of(0.2, 0.0, 50) == pytest.approx(0.05)
    assert power_of(0.0, 0.0, 50) == 0.05
    assert power_of(0.0, 0.1, 1) == 1.0


def test_power_comes_near_what_simulation_gives() -> None:
    d = np.random.default_rng(1).normal(0.05, 0.2, (4000, 100))
    found = np.abs(d.mean(axis=1)) / (d.std(axis=1, ddof=1) / 10) > 1.96
    assert power_of(0.2, 0.05, 100) == pytest.approx(found.mean(), abs=0.03)


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
    with pytest.raises(ValueError, match="show nothing"):
        detectable(0.1, 0)
    with pytest.raises(ValueError, match="two topics"):
        sd_of_differences([[0.1, 0.2]])
