"""Ratios over users by hand and against the linear model, and their claims in simulated worlds."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_ind

from tests.conftest import ROOT
from tests.document_tables import table
from workbench.methods.online.ratios import NONE, RARE, TOO_FEW, difference, even_split, ratio


def test_with_one_list_for_each_user_a_ratio_is_a_mean_and_the_test_is_that_of_welch() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.random(40), 0.3 + rng.random(25)
    found = difference(ratio(one, np.ones(40)), ratio(other, np.ones(25)))
    known = ttest_ind(one, other, equal_var=False)
    assert (found.value, found.p) == pytest.approx((one.mean() - other.mean(), known.pvalue))
    assert found.interval() == pytest.approx(known.confidence_interval(0.95))
    assert ratio(one, np.ones(40)).interval() == pytest.approx(ttest_1samp(one, 0).confidence_interval(0.95))


def test_the_error_of_a_ratio_is_that_of_the_delta_method() -> None:
    rng = np.random.default_rng(2)
    wholes = 1.0 + rng.poisson(3, 60)
    parts = rng.binomial(wholes.astype(int), 0.4).astype(float)
    x, n, (xx, xn, _, nn) = parts.mean(), wholes.mean(), np.cov(parts, wholes).ravel()
    variance = (xx / n**2 - 2 * x * xn / n**3 + x**2 * nn / n**4) / 60  # Deng, Knoblich, Lu 2018, section 3
    found = ratio(parts, wholes)
    assert (found.value, found.error) == pytest.approx((x / n, variance**0.5))


def test_nothing_is_claimed_of_few_users_or_of_few_that_differ() -> None:
    assert ratio(np.ones(0), np.ones(0)).note == NONE
    assert ratio(np.arange(19.0), np.ones(19)).note == TOO_FEW
    heavy = np.array([1000.0] + 30 * [1.0])
    assert ratio(heavy / 2, heavy).note == TOO_FEW
    rare = ratio(np.array(9 * [1.0] + 91 * [0.0]), np.ones(100))
    assert (rare.value, rare.error, rare.note) == (0.09, None, RARE)
    assert difference(rare, rare) == (0.0, None, 0.0, RARE)


def test_an_uneven_split_is_unlikely() -> None:
    assert even_split([500, 500]) == 1
    assert even_split([5_200, 4_800]) < 1e-4 < 0.3 < even_split([510, 490])


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    import users  # type: ignore[import-not-found]

    return users  # type: ignore[no-any-return]


@pytest.mark.slow
def test_intervals_and_tests_of_users_are_right_as_often_as_they_claim(benchmark: ModuleType) -> None:
    known = table("users of each group", "50", "200", "1000")
    for metric in benchmark.METRICS:
        held, there = benchmark.coverage(metric, 200, 1000)
        false, by_lists, _ = benchmark.ab(metric, 200, 1.0, 1000)
        found, _, _ = benchmark.ab(metric, 200, 1.1, 1000)
        rates = {"held": held, "A/A": false, "A/B": found}
        rates |= {"A/A as if lists were independent": by_lists} if by_lists else {}
        for name, rate in rates.items():
            assert 100 * rate == pytest.approx(float(known[f"{name}, {metric}"][1]), abs=4), (name, metric)
        assert (0.92 <= held <= 0.97, there, 0.03 <= false <= 0.07) == (True, 1, True)


@pytest.mark.slow
def test_interleaving_is_right_as_often_as_documented(benchmark: ModuleType) -> None:
    known = table("users of interleaved lists; the sample", "10", "50", "200")
    blind, equal, better = "clicks by rank alone", "equal runs", "one better on 3 of 10 topics"
    one_list = f"{blind}, one list for all users"
    names = (blind, f"{blind}, published", one_list, equal, better, f"{better}, published")
    found = {}
    for name, world in zip(names, benchmark.WORLDS, strict=True):
        for unit in ("users", "topics")[: 2 - world.original]:
            found[name, unit] = benchmark.interleaved(world, 50, 200, by_topic=unit == "topics")
            rates = [float(rate) for rate in known[f"{name}; {unit}"][1].split(" / ")]
            assert [100 * rate for rate in found[name, unit]] == pytest.approx(rates, abs=7)
    honest = [(blind, "users"), *((name, "topics") for name in (blind, one_list, equal))]
    assert max(rate for each in honest for rate in found[each]) <= 0.09
