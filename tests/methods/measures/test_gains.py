from __future__ import annotations

import numpy as np
import pytest

from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures.gains import EXPONENTIAL, LINEAR, Gains, read_gains


def gains_of(gains: Gains, *grades: int) -> list[float]:
    found: list[float] = gains.of(np.array(grades, np.int16)).tolist()
    return found


def test_linear_gains_are_the_positive_grades() -> None:
    assert gains_of(LINEAR, 0, 1, 3, -1, POOLED, UNJUDGED) == [0, 1, 3, 0, 0, 0]


def test_exponential_gains_are_exact_to_the_last_digit() -> None:
    assert gains_of(EXPONENTIAL, *range(50)) == [float(2**grade - 1) for grade in range(50)]


def test_exponential_gains_of_absurd_grades_stay_numbers() -> None:
    assert np.isfinite(gains_of(EXPONENTIAL, 32767)).all()


def test_a_table_settles_the_grades_that_it_lists_and_no_others() -> None:
    assert gains_of(read_gains("0:0.5,1:-2,3:9"), 0, 1, 2, 3, 4, -1, UNJUDGED) == [0.5, -2, 2, 9, 4, 0, 0]


@pytest.mark.parametrize("text", ["1=3.5,2=9", "1:3.5,2:9", "{1:3.5,2:9}", " {2: 9, 1: 3.5} ", "'1:3.5,2:9'"])
def test_a_table_is_read_in_every_notation(text: str) -> None:
    assert read_gains(text) == Gains("table", ((1, 3.5), (2, 9.0)))


@pytest.mark.parametrize(
    "text", ["", "1", "1:", ":1", "x:1", "1:x", "1:2,1:3", "-1:2", "1:nan", "1:inf", "expo"]
)
def test_what_is_no_gains_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_gains(text)


@pytest.mark.parametrize("text", ["linear", "exp", "{1:3,2:9}", "{0:0,1:0.123456789012,2:1e-09,3:-4.5}"])
def test_gains_are_written_as_they_are_read(text: str) -> None:
    assert str(read_gains(text)) == text
    assert read_gains(str(read_gains(text))) == read_gains(text)


@pytest.mark.parametrize(
    ("text", "lowest"), [("linear", 1), ("exp", 1), ("2:9", 1), ("0:1,2:9", 0), ("0:0,1:1", 1)]
)
def test_documents_are_looked_at_from_the_lowest_grade_that_can_be_worth_something(
    text: str, lowest: int
) -> None:
    assert read_gains(text).lowest_grade == lowest
