"""Significant differences that stay, go, come, or turn round."""

from __future__ import annotations

import numpy as np
from scipy.stats import false_discovery_control, ttest_rel

from workbench.analysis.reuse.rows import Preserved, preserved, significant_pairs


def test_each_pair_of_runs_is_counted_once() -> None:
    before = np.array([1, 1, 1, 0, 0, -1], np.int8)
    after = np.array([1, 0, -1, 1, 0, -1], np.int8)
    found = preserved(before, after)
    assert found == Preserved(agree=2, lost=1, gained=1, reversed=1)
    assert found.before == 4


def test_significance_is_that_of_scipy() -> None:
    rng = np.random.default_rng(5)
    values = rng.random((20, 4)) + np.array([0.0, 0.0, 0.3, 0.5])
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    p = false_discovery_control([ttest_rel(values[:, one], values[:, other]).pvalue for one, other in pairs])
    expected = [
        int(np.sign((values[:, one] - values[:, other]).mean())) if each <= 0.05 else 0
        for (one, other), each in zip(pairs, p, strict=True)
    ]
    assert significant_pairs(values).tolist() == expected
    assert 0 in expected
    assert -1 in expected


def test_one_run_or_no_topic_has_no_significant_pair() -> None:
    assert significant_pairs(np.ones((5, 1))).tolist() == []
    assert significant_pairs(np.ones((0, 3))).tolist() == [0, 0, 0]
