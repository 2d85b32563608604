"""Holm and Benjamini-Hochberg by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from workbench.methods.statistics.paired import benjamini_hochberg, holm

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=20).map(np.array)


def test_holm_by_hand() -> None:
    # .01 * 4, .03 * 3 = .09, .04 * 2 = .08 but no smaller than .09, .2 * 1
    assert_allclose(holm([0.04, 0.01, 0.2, 0.03]), [0.09, 0.04, 0.2, 0.09])


def test_benjamini_hochberg_by_hand() -> None:
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
