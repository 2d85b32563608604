"""How many inputs a check is given, and that it was given no fewer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Input = TypeVar("Input")


class Numbers(NamedTuple):
    """How many inputs a check is given in the normal tests and in the slow ones."""

    few: int
    many: int


NUMBERS = {
    "run": Numbers(40, 10_000),
    "qrels": Numbers(40, 8_000),
    "subtopic qrels": Numbers(20, 4_000),
    "topics": Numbers(60, 12_000),
    "documents": Numbers(60, 12_000),
    "z-scores": Numbers(20, 4_000),
    "scale": Numbers(40, 6_000),
    "measure": Numbers(150, 25_000),
    "score": Numbers(40, 5_000),
    "campaign file": Numbers(15, 2_000),
    "bundle": Numbers(5, 500),
    "file for a campaign": Numbers(10, 1_000),
    "page": Numbers(50, 9_000),
    "judgment": Numbers(60, 4_000),
}
"""By what is broken; the sum of the slow ones is what is promised."""


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
