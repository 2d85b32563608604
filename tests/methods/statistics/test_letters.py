"""Letters for groups: by hand, and the two things that make a letter display right."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from workbench.methods.statistics.all_pairs import as_matrix, groups, name_of


def test_neighbours_share_letters_and_the_best_has_a() -> None:
    # Of four runs the first differs from the last two, the second from the last.
    p = as_matrix(np.array([0.5, 0.01, 0.01, 0.5, 0.01, 0.5]), 4)
    assert groups(p, [0.4, 0.3, 0.2, 0.1]) == ["a", "ab", "bc", "c"]
    assert groups(p[::-1, ::-1], [0.1, 0.2, 0.3, 0.4]) == ["c", "bc", "ab", "a"]


def test_no_run_has_no_letter() -> None:
    assert groups(np.ones((0, 0)), []) == []


def test_letters_go_on_past_z() -> None:
    assert [name_of(number) for number in (0, 25, 26, 51, 52, 104)] == ["a", "z", "A", "Z", "a2", "a3"]


def letters_in(text: str) -> set[str]:
    return set(text)


@st.composite
def p_values(draw: st.DrawFn) -> NDArray[np.float64]:
    """Of up to seven runs, any pairs of which may differ."""
    runs = draw(st.integers(1, 7))
    number = runs * (runs - 1) // 2
    differs = draw(st.lists(st.booleans(), min_size=number, max_size=number))
    return as_matrix(np.where(np.array(differs, bool), 0.01, 0.9), runs)


@given(p_values())
def test_two_runs_share_a_letter_exactly_if_they_do_not_differ(p: NDArray[np.float64]) -> None:
    letters = groups(p, np.arange(len(p)))
    assert all(letters)
    for one, other in combinations(range(len(p)), 2):
        assert bool(letters_in(letters[one]) & letters_in(letters[other])) == (p[one, other] > 0.05)
    members = [{run for run, text in enumerate(letters) if name in text} for name in set("".join(letters))]
    assert not any(one < other for one in members for other in members)
