"""How many inputs a check is given, and that it was given no fewer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.at_length import at_length

Input = TypeVar("Input")


class Numbers(NamedTuple):
    """How many inputs a check is given in the normal tests, and in the slow ones at length."""

    few: int
    whole: int

    @property
    def many(self) -> int:
        """How many in the slow tests, the same ones each time."""
        return at_length(self.whole, self.whole // USUAL_PART)


USUAL_PART = 8
"""One in so many of the inputs is tried where the slow tests do not run at length."""


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

PROMISED = 100_000


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
