"""A limit of what a population holds, from a random part of it: enumerated over all that can be drawn."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from workbench.methods.statistics.intervals import most_in_population


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("population", [1, 7, 20])
def test_the_true_number_is_above_the_limit_no_more_often_than_it_says(population: int, alpha: float) -> None:
    for drawn in range(population + 1):
        limit = [most_in_population(population, drawn, found, alpha) for found in range(drawn + 1)]
        for marked in range(population + 1):
            wrong = sum(
                Fraction(
                    comb(marked, found) * comb(population - marked, drawn - found), comb(population, drawn)
                )
                for found in range(drawn + 1)
                if limit[found] < marked
            )
            assert wrong <= alpha


def test_nothing_found_in_a_third_of_thirty_leaves_room_for_six() -> None:
    # With 6 of 30 marked, 10 drawn miss all of them with C(24, 10) / C(30, 10) = 0.0653, with 7 of 30 with 0.0381.
    assert most_in_population(30, 10, 0, 0.05) == 6


def test_all_drawn_leaves_nothing_open_and_nothing_drawn_everything() -> None:
    assert most_in_population(9, 9, 4, 0.05) == 4
    assert most_in_population(9, 0, 0, 0.05) == 9


def test_a_number_as_likely_as_the_risk_is_above_the_limit() -> None:
    # With 1 of 2 marked, the one that is drawn is the other one with 1/2.
    assert most_in_population(2, 1, 0, 0.5) == 0
    assert most_in_population(2, 1, 0, 0.49) == 1
