"""Tests of one difference, by hand, against scipy, and with published values for two systems of TREC-8; corrections."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy import stats

from tests.sentences import refused, says
from workbench.methods.statistics.paired import (
    PairedTest,
    benjamini_hochberg,
    effect_size,
    holm,
    paired_t,
    randomisation,
    sign_test,
    wilcoxon,
)

FloatArray = NDArray[np.float64]

differences = st.lists(st.integers(-20, 20).map(lambda number: number / 16), min_size=2, max_size=12).map(
    np.array
)


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.data
def test_t_of_two_systems_of_trec_8(pair: FloatArray) -> None:
    assert paired_t(pair).p_value == pytest.approx(0.0013193972, abs=5e-11)
    assert effect_size(pair) == pytest.approx(0.48186, abs=5e-6)


@pytest.mark.data
def test_wilcoxon_is_that_of_r_with_the_tie_that_rounding_hides(pair: FloatArray) -> None:
    # R's wilcox.test(exact = FALSE) has .003445188 for the differences as the computer subtracts them. The scores have
    # four digits: two topics differ by .0312, and in ten-thousandths the same convention gives .003391943.
    tests = {"zero_method": "wilcox", "correction": True, "method": "asymptotic"}
    assert stats.wilcoxon(pair, **tests).pvalue == pytest.approx(0.003445188, abs=5e-10)
    assert stats.wilcoxon(np.rint(1e4 * pair), **tests).pvalue == pytest.approx(0.003391943, abs=5e-10)
    assert wilcoxon(pair).p_value == pytest.approx(0.003391943, abs=5e-10)


@pytest.mark.data
def test_sign_of_two_systems_of_trec_8(pair: FloatArray) -> None:
    assert sign_test(pair).p_value == pytest.approx(0.0153467, abs=5e-8)


@pytest.mark.data
def test_randomisation_is_near_the_value_of_a_million_permutations(pair: FloatArray) -> None:
    found = randomisation(pair, permutations=100_000, rng=rng())
    assert found.p_value == pytest.approx(0.00119, abs=4 * math.sqrt(0.00119 / 100_000))
    assert found.note == "B = 100,000"


@given(differences)
def test_t_is_that_of_scipy(d: FloatArray) -> None:
    assume(np.ptp(d) > 0)
    reference = stats.ttest_rel(d, np.zeros(len(d)))
    found = paired_t(d)
    assert found.statistic == pytest.approx(float(reference.statistic))
    assert found.p_value == pytest.approx(float(reference.pvalue))


def test_wilcoxon_leaves_out_topics_without_a_difference_and_ties_what_rounding_parts() -> None:
    found = wilcoxon([0.0, -0.1, 0.2, 0.3, 0.4])
    assert (found.n, found.statistic) == (4, 1.0)
    assert says(found.note)
    assert wilcoxon([0.3 - 0.2, -(0.1 - 0.0), 0.5, 0.6]).statistic == 1.5


tenths = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=12).map(np.array)


@given(tenths)
def test_no_test_takes_rounding_for_a_difference(scores: NDArray[np.int64]) -> None:
    exact = (scores[:, 0] - scores[:, 1]).astype(np.float64)
    told = scores[:, 0] / 10 - scores[:, 1] / 10
    by_chance = [lambda d: randomisation(d, permutations=200, rng=rng())]
    ranked = [wilcoxon, sign_test, *by_chance]
    assert [(test(told).p_value, test(told).n) for test in ranked] == [
        (test(exact).p_value, test(exact).n) for test in ranked
    ]
    assert paired_t(told).p_value == pytest.approx(paired_t(exact).p_value)


def test_the_sign_test_is_a_fair_coin() -> None:
    found = sign_test([0.1, 0.2, 0.3, 0.4, -0.1, 0.0])
    assert found.p_value == pytest.approx(2 * (1 + 5) / 32)


@given(differences)
def test_with_few_topics_randomisation_looks_at_every_assignment_of_signs(d: FloatArray) -> None:
    d = d[:8]
    means = [abs(np.dot(signs, d)) for signs in product((1, -1), repeat=len(d))]
    expected = sum(mean >= abs(d.sum()) - 1e-9 for mean in means) / len(means)
    found = randomisation(d, permutations=1000, rng=rng())
    assert found.p_value == pytest.approx(expected)
    assert found.note == f"all {2 ** len(d):,} assignments of signs"


def test_randomisation_is_that_of_scipy_and_never_0() -> None:
    d = np.random.default_rng(1).normal(0.2, 1, 11)
    exact = stats.permutation_test(
        (d, np.zeros(11)), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=np.inf
    )
    assert randomisation(d, permutations=2047, rng=rng()).p_value == pytest.approx(float(exact.pvalue))
    assert randomisation(np.arange(1.0, 41.0), permutations=99, rng=rng()).p_value == 1 / 100


@given(differences)
def test_no_test_cares_which_of_the_two_comes_first(d: FloatArray) -> None:
    for test in (paired_t, wilcoxon, sign_test, lambda x: randomisation(x, permutations=200, rng=rng())):
        one, other = test(d).p_value, test(-d).p_value
        assert (one is None and other is None) or one == pytest.approx(other)


def test_values_that_are_not_finite_are_refused() -> None:
    with refused(ValueError):
        paired_t([0.1, math.nan])


def test_what_is_not_defined_has_its_name_and_number_of_topics_and_says_why() -> None:
    none, few = "not defined: no topic differs", "not defined: fewer than two topics"
    same = "not defined: the difference is the same on every topic"
    for found, name, n, why in (
        (randomisation([0.1], rng=rng()), "randomisation", 1, few),
        (paired_t([]), "paired t", 0, few),
        (paired_t([0.1]), "paired t", 1, few),
        (paired_t([0.3 - 0.2, 0.1, 0.1]), "paired t", 3, same),
        (wilcoxon([0.0, 0.0]), "Wilcoxon signed ranks", 0, none),
        (sign_test([0.0, 0.0]), "sign", 0, none),
    ):
        assert found == PairedTest(name, None, None, n, why)
    assert [effect_size(d) for d in ([], [0.1], [0.3 - 0.2, 0.1, 0.1])] == [None] * 3


p_values = st.lists(st.floats(0, 1), min_size=1, max_size=20).map(np.array)


def test_holm_and_benjamini_hochberg_by_hand() -> None:
    # .01 * 4, .03 * 3 = .09, .04 * 2 = .08 but no smaller than .09, .2 * 1
    assert_allclose(holm([0.04, 0.01, 0.2, 0.03]), [0.09, 0.04, 0.2, 0.09])
    # .01 * 4/1, .03 * 4/2 = .06 and .04 * 4/3 = .0533, of which the smaller counts for both, .2
    assert_allclose(benjamini_hochberg([0.04, 0.01, 0.2, 0.03]), [0.16 / 3, 0.04, 0.2, 0.16 / 3])


@pytest.mark.data
def test_as_many_pairs_of_trec_8_are_left_as_known(top30: NDArray[np.float64]) -> None:
    from workbench.methods.statistics.all_pairs import of_pairs, pairwise_t

    p = of_pairs(pairwise_t(top30))
    assert [(given < 0.05).sum() for given in (p, holm(p), benjamini_hochberg(p))] == [148, 21, 75]


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_nothing_is_corrected_to_nothing(correct: type) -> None:
    assert correct([]).shape == (0,)


@given(p_values)
def test_a_correction_keeps_shape_and_order_and_never_lowers(p: NDArray[np.float64]) -> None:
    for correct in (holm, benjamini_hochberg):
        corrected = correct(p.reshape(-1, 1))
        assert corrected.shape == (len(p), 1)
        assert (corrected.ravel() >= p - 1e-15).all()
        assert corrected.max() <= 1
        assert (np.diff(corrected.ravel()[np.argsort(p, kind="stable")]) >= 0).all()


@given(p_values)
def test_holm_is_at_least_as_strict_as_benjamini_hochberg_and_at_most_bonferroni(
    p: NDArray[np.float64],
) -> None:
    assert (holm(p) >= benjamini_hochberg(p) - 1e-12).all()
    assert (holm(p) <= np.minimum(p * len(p), 1) + 1e-12).all()
