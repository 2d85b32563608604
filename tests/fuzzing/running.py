"""How many inputs a check is given, and that it was given no fewer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.at_length import at_length

Input = TypeVar("Input")


class Numbers(NamedTuple):
    """How many inputs a check is given in the normal tests, and in the slow ones at length."""

    few: int
    whole: int

    def some(self, many: bool) -> int:
        """How many in the slow tests, or in the normal ones; the same each time unless the tests run at length."""
        return at_length(self.whole, self.whole // USUAL_PART) if many else self.few


USUAL_PART = 16
"""One in so many of the inputs is tried where the slow tests do not run at length."""

few_or_many = pytest.mark.parametrize(
    "many", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["few", "many"]
)


NUMBERS = {
    "run": Numbers(30, 8_000),
    "qrels": Numbers(30, 7_000),
    "run table": Numbers(10, 2_000),
    "pairs": Numbers(10, 2_000),
    "subtopic qrels": Numbers(15, 6_000),
    "topics": Numbers(50, 10_000),
    "documents": Numbers(40, 6_000),
    "pages of a PDF": Numbers(3, 400),
    "z-scores": Numbers(15, 6_000),
    "labels of six columns": Numbers(15, 3_000),
    "labels of AutoJudge": Numbers(15, 3_000),
    "labels of UMBRELA": Numbers(20, 4_000),
    "own labels": Numbers(20, 4_000),
    "assignments": Numbers(30, 3_000),
    "scale": Numbers(30, 8_000),
    "measure": Numbers(80, 30_000),
    "score": Numbers(25, 3_000),
    "campaign file": Numbers(15, 3_000),
    "command on a campaign file": Numbers(0, 300),
    "bundle": Numbers(3, 100),
    "file for a campaign": Numbers(10, 500),
    "page": Numbers(25, 3_000),
    "page for a role": Numbers(6, 2_400),
    "field": Numbers(0, 4_000),
    "judgment": Numbers(20, 1_500),
}
"""By what is broken; those of the slow tests at length add up to what is promised."""

assert sum(numbers.whole for numbers in NUMBERS.values()) >= 100_000, "as is promised"


def feed(inputs: st.SearchStrategy[Input], check: Callable[[Input], object], number: int) -> None:
    """Call the check with so many inputs; the first that it fails for is made as small as can be."""
    given_to_it = 0

    @settings(max_examples=number, suppress_health_check=list(HealthCheck), print_blob=True)
    @given(inputs)
    def fuzz(broken: Input) -> None:
        nonlocal given_to_it
        given_to_it += 1
        check(broken)

    fuzz()
    assert given_to_it >= number
