"""Assignments of signs: all where there are few, else as many as asked for."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from workbench.methods.statistics import arrays
from workbench.methods.statistics.shuffles import number_of_signs, signs, sums_by_chance


def drawn(topics: int, permutations: int) -> list[tuple[float, ...]]:
    found = np.concatenate(list(signs(topics, permutations, np.random.default_rng(1))))
    return [tuple(row) for row in found.tolist()]


def test_few_topics_have_each_assignment_once_without_the_observed_one() -> None:
    assert sorted(drawn(3, 7)) == sorted(set(product((1.0, -1.0), repeat=3)) - {(1.0, 1.0, 1.0)})
    assert number_of_signs(3, 7) == 7


def test_assignments_that_are_made_a_few_at_a_time_are_still_each_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arrays, "CELLS_AT_A_TIME", 12)
    assert [len(some) for some in signs(4, 15, np.random.default_rng(1))] == [3, 3, 3, 3, 3]
    assert sorted(drawn(4, 15)) == sorted(set(product((1.0, -1.0), repeat=4)) - {(1.0,) * 4})


def test_many_topics_have_as_many_as_asked_for() -> None:
    found = drawn(3, 6)
    assert len(found) == number_of_signs(3, 6) == 6
    assert set(np.ravel(found)) == {1.0, -1.0}


def test_a_hundred_topics_do_not_overflow() -> None:
    assert len(drawn(100, 50)) == 50


def test_signs_are_fair() -> None:
    assert abs(np.mean(drawn(50, 4000))) < 0.01


@pytest.mark.parametrize("topics", [3, 8, 21])
def test_sums_by_chance_are_those_of_the_signs(topics: int) -> None:
    d = np.random.default_rng(5).normal(size=topics)
    sums = np.concatenate(list(sums_by_chance(d, 40, np.random.default_rng(1))))
    assert sums.tolist() == pytest.approx([float(np.dot(row, d)) for row in drawn(topics, 40)])
