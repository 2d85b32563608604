"""Measures of answers by nuggets, by hand and over all of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.answers.nuggets import NUGGET_MEASURES, packed

FULL, HALF, NONE = 1.0, 0.5, 0.0
VITAL, OKAY = True, False

answers = st.lists(
    st.lists(st.tuples(st.booleans(), st.sampled_from([FULL, HALF, NONE])), max_size=8), max_size=6
)


def scores(*answers: list[tuple[bool, float]]) -> dict[str, list[float]]:
    return {name: each.function(packed(answers)).tolist() for name, each in NUGGET_MEASURES.items()}


def test_the_four_scores_of_an_answer_by_hand() -> None:
    # Two vital nuggets, one held whole and one in part; one okay nugget that is not held.
    assert scores([(VITAL, FULL), (VITAL, HALF), (OKAY, NONE)]) == {
        "strict_vital_score": [1 / 2],
        "strict_all_score": [1 / 3],
        "vital_score": [0.75],
        "all_score": [0.5],
    }


def test_an_answer_to_a_topic_without_such_nuggets_has_zero() -> None:
    assert scores([], [(OKAY, FULL)]) == {
        "strict_vital_score": [0, 0],
        "strict_all_score": [0, 1],
        "vital_score": [0, 0],
        "all_score": [0, 1],
    }


def test_no_answers_have_no_scores() -> None:
    assert set(map(len, scores().values())) == {0}


@pytest.mark.parametrize("name", NUGGET_MEASURES)
@given(answers)
def test_each_score_is_its_share_in_exact_numbers_rounded_once(
    name: str, answers: list[list[tuple[bool, float]]]
) -> None:
    strict, only_vital = "strict" in name, "vital" in name

    def share(nuggets: list[tuple[bool, float]]) -> float:
        held = [part for is_vital, part in nuggets if is_vital or not only_vital]
        parts = [Fraction(int(part)) if strict else Fraction(part) for part in held]
        return float(sum(parts, Fraction()) / len(parts)) if parts else 0.0

    assert NUGGET_MEASURES[name].function(packed(answers)).tolist() == [share(each) for each in answers]


@pytest.mark.parametrize("name", NUGGET_MEASURES)
def test_every_measure_says_its_formula_and_source(name: str) -> None:
    assert all(f"\n\n{word}:" in NUGGET_MEASURES[name].prose for word in ("Formula", "Source"))
