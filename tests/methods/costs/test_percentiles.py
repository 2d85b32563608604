"""Percentiles are numpy's, and their intervals are the narrowest order statistics that cover as they say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from workbench.methods.costs.percentiles import percentile

TAIL = 0.025


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95, 0.99])
def test_the_interval_is_the_narrowest_that_covers_by_the_binomial_on_both_sides(share: float) -> None:
    for number in range(1, 600):
        value, low, high = percentile(np.arange(1, number + 1), share)
        assert value == np.quantile(np.arange(1, number + 1), share)
        if low is None or high is None:
            assert share**number > TAIL or (1 - share) ** number > TAIL
            continue
        below = binom(number, share).cdf
        assert below(low - 1) <= TAIL < below(low)
        assert 1 - below(high - 1) <= TAIL < 1 - below(high - 2)


def test_equal_times_have_an_interval_of_one_value() -> None:
    assert percentile([3.0] * 100, 0.5) == (3.0, 3.0, 3.0)
