from __future__ import annotations

from collections.abc import Sequence
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.measures.conftest import value_of
from tests.sentences import refused
from workbench.core.errors import GradesDoNotFit, UnknownName
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 0, 1, 2, 3, 4])
rankings = st.lists(labels, max_size=20)
cutoffs = st.sampled_from([None, 1, 3, 10])


def slow_cascade(grades: Sequence[int], discounts: Sequence[float], max_grade: int = 4) -> float:
    total, going_on = 0.0, 1.0
    for grade, discount in zip(grades, discounts, strict=False):
        satisfied = (2 ** max(grade, 0) - 1) / 2**max_grade
        total += going_on * satisfied * discount
        going_on *= 1 - satisfied
    return total


def at(cutoff: int | None) -> str:
    return "" if cutoff is None else f"@{cutoff}"


def test_the_worked_example_of_a_textbook_with_four_as_the_highest_grade() -> None:
    assert value_of("ERR(max_grade=4)", [4, 0, 2]) == 0.9375 + 0.0625 * 0.1875 / 3


def test_the_value_depends_on_the_highest_grade_of_the_scale_which_is_always_named() -> None:
    assert str(parse_measure("ERR@20")) == "ERR(max_grade=4)@20"
    assert str(parse_measure("nERR")) == "nERR(max_grade=4)"
    assert str(parse_measure("Cascade")) == "Cascade(max_grade=4)"
    assert value_of("ERR(max_grade=2)", [2]) == 3 / 4
    # (2^1000 - 1) / 2^1000 is 1 in doubles.
    assert value_of("ERR(max_grade=1000)", [1000, 1000]) == 1.0


@pytest.mark.parametrize("measure", ["ERR(max_grade=2)@1", "nERR(max_grade=2)", "Cascade(max_grade=2)"])
def test_a_grade_above_the_highest_is_an_error_that_says_what_to_write(measure: str) -> None:
    with refused(GradesDoNotFit, "max_grade=3"):
        value_of(measure, [0, 1], [3])


@pytest.mark.parametrize("text", ["ERR(max_grade=0)", "ERR(max_grade=1001)", "Cascade(discount=cosine)"])
def test_what_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(UnknownName):
        parse_measure(text)


@given(ranked=rankings, cutoff=cutoffs)
def test_expected_reciprocal_rank_as_its_definition_says(ranked: list[int], cutoff: int | None) -> None:
    expected = slow_cascade(ranked[:cutoff], [1 / rank for rank in range(1, 21)])
    assert value_of(f"ERR{at(cutoff)}", ranked) == pytest.approx(expected)


@given(ranked=rankings, cutoff=cutoffs)
def test_a_cascade_with_other_discounts(ranked: list[int], cutoff: int | None) -> None:
    by_logarithm = slow_cascade(ranked[:cutoff], [1 / log2(rank + 1) for rank in range(1, 21)])
    assert value_of(f"Cascade(discount=log2){at(cutoff)}", ranked) == pytest.approx(by_logarithm)
    by_persistence = slow_cascade(ranked[:cutoff], [0.6**rank for rank in range(20)])
    assert value_of(f"Cascade(discount=rbp,p=0.6){at(cutoff)}", ranked) == pytest.approx(by_persistence)


@given(ranked=rankings, others=st.lists(labels, max_size=9), cutoff=cutoffs)
def test_the_ideal_has_all_judged_documents_by_their_grades_and_is_cut_as_the_ranking_is(
    ranked: list[int], others: list[int], cutoff: int | None
) -> None:
    discounts = [1 / rank for rank in range(1, 30)]
    ideal = slow_cascade(sorted([*ranked, *others], reverse=True)[:cutoff], discounts)
    expected = slow_cascade(ranked[:cutoff], discounts) / ideal if ideal else 0.0
    assert value_of(f"nERR{at(cutoff)}", ranked, others) == pytest.approx(expected)
