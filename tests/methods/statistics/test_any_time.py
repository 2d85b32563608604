"""Evidence that may be looked at after every topic."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from workbench.methods.statistics.betting import BETS, against_mean, against_symmetry


def test_the_mean_of_the_stake_is_one_over_all_signs_of_the_values() -> None:
    sizes = [0.5, 3.0, 1.0, 40.0, 0.0, 2.0]
    stakes = [
        math.exp(against_symmetry(np.multiply(sizes, signs)))
        for signs in itertools.product((-1, 1), repeat=6)
    ]
    assert np.mean(stakes) == pytest.approx(1)


def test_the_stake_of_one_value_is_that_of_the_formula() -> None:
    of_two = [math.cosh(bet * (2 - 1)) / (math.cosh(2 * bet) * math.cosh(bet)) for bet in BETS]
    assert math.exp(against_symmetry([2.0, -1.0])) == pytest.approx(np.mean(of_two))
    assert against_symmetry([]) == 0
    assert against_symmetry([3.0]) == pytest.approx(0)


def test_ten_topics_to_the_same_side_are_evidence_and_one_huge_topic_is_none() -> None:
    assert against_symmetry([5.0] * 10) > math.log(100) > against_symmetry([5.0] * 7)
    assert against_symmetry([1000.0]) == pytest.approx(0)
    assert math.isfinite(against_symmetry([1e6] * 10_000))


def test_the_mean_of_the_stake_is_one_where_the_mean_is_just_the_least() -> None:
    stakes = [
        math.exp(against_mean(values, 0.7)) * math.prod(0.7 if value else 0.3 for value in values)
        for values in itertools.product((0, 1), repeat=5)
    ]
    assert sum(stakes) == pytest.approx(1)
    assert against_mean([1.0] * 50, 0.7) < 0 < math.log(100) < against_mean([0.2] * 20, 0.7)
