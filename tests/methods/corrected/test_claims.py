"""What an interval over topics claims of itself."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import skew

from workbench.methods.corrected.claims import Claim, claims, noise_of, topics_needed
from workbench.methods.statistics.intervals import t_interval


def of(values: list[float], taken_off: float = 0.0) -> Claim:
    (found,) = claims(np.array(values)[:, None], taken_off)
    return found


def test_ten_even_topics_have_an_interval_of_95_percent() -> None:
    found = of([0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9])
    assert (found.level, found.exact, found.why, found.words) == (0.95, True, "", "95 %")
    assert found.interval == t_interval([0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9])


def test_with_fewer_than_ten_a_wider_one_is_at_least_90_percent() -> None:
    values = [0.2, 0.3, 0.4, 0.5, 0.6]
    found = of(values)
    assert (found.level, found.exact, found.words) == (0.9, False, "at least 90 %")
    assert found.interval == t_interval(values, level=0.975)
    assert "10" in found.why


def test_four_topics_and_topics_without_spread_have_none() -> None:
    for values in ([0.1, 0.2, 0.3, 0.4], [0.5] * 12):
        found = of(values)
        assert (found.interval, found.level, found.words) == (None, None, "")
        assert found.why


def test_skewed_topics_have_a_wider_one_and_very_skewed_ones_none() -> None:
    skewed = [0.0] * 12 + [0.3, 0.6, 0.9, 0.9, 0.6, 0.4, 0.3, 0.5]
    assert of(skewed).words == "at least 90 %"
    assert topics_needed(np.array(skewed)[:, None])[0] == pytest.approx(25 * skew(skewed, bias=False) ** 2)
    one_of_all = of([0.0] * 19 + [1.0])
    assert one_of_all.interval is None
    assert "500" in one_of_all.why


def test_a_bias_as_large_as_the_error_leaves_nothing_to_claim() -> None:
    values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9]
    error = np.std(values, ddof=1) / np.sqrt(10)
    assert of(values, 0.24 * error).level == 0.95
    assert of(values, -0.26 * error).level is None


def test_each_column_has_a_claim_of_its_own() -> None:
    table = np.column_stack([np.linspace(0, 1, 12), np.full(12, 0.5)])
    assert [each.words for each in claims(table)] == ["95 %", ""]


def test_ratios_and_thin_samples_are_never_called_95_percent() -> None:
    assert claims(np.linspace(0, 1, 24)[:, None], noise=0.51)[0].interval is None
    values = np.linspace(0, 1, 25)[:, None]
    assert [each.words for each in claims(values)] == ["95 %"]
    assert [each.words for each in claims(values, of_sums=False)] == ["at least 90 %"]
    assert [each.words for each in claims(values, noise=0.51)] == ["at least 90 %"]
    assert [each.words for each in claims(values, noise=0.49)] == ["95 %"]


def test_noise_is_the_mean_variance_of_the_draw_over_that_between_topics() -> None:
    values = np.array([[0.0, 1.0, 0.5], [1.0, 1.0, 1.5]])
    variance = np.array([[0.1, 0.2, 0.0], [0.3, 0.2, 0.0]])
    assert noise_of(values, variance).tolist() == [0.4, 1.0, 0.0]
    # Where what counts is hardly drawn, a small variance of the few that were says nothing.
    assert noise_of(values, variance, 0.1).tolist() == [1.0, 1.0, 1.0]
