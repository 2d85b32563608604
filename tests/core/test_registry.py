"""Registries: one decorator line, lookup with near names, parameters from the function's own signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import pytest

from tests.sentences import says
from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.registry import Entry, Registry

Count = Annotated[int, Limits("how many documents", least=1, example="10")]
Share = Annotated[float, Limits("which share", above=0, most=1)]

SAMPLES = Registry("way of sampling", "ways of sampling", Entry)


@SAMPLES.register("every")
def every(
    rankings: object,
    *,
    n: Count,
    share: Share = 0.5,
    order: Literal["best", "worst"] = "best",
    seed: int | None = None,
    strict: bool = False,
    rates: Annotated[Sequence[float], Limits("a rate each", above=0)] = (),
    runs: list[str] | None = None,
) -> str:
    """Takes some of every ranking.

    And says more of it.
    """
    return "sampled"


@SAMPLES.register("none")
def none(rankings: object) -> str:
    """Takes nothing."""
    return "nothing"


ENTRY = SAMPLES["every"]


def test_an_entry_explains_itself_and_is_found_by_its_name() -> None:
    assert (ENTRY.name, ENTRY.summary) == ("every", "Takes some of every ranking.")
    assert ENTRY.prose.endswith("And says more of it.")
    assert ENTRY.function(None, n=1) == "sampled"
    with pytest.raises(UnknownName, match=r"^there is no way of sampling 'evry'; did you mean every\?$"):
        SAMPLES.find("evry")
    with pytest.raises(UnknownName, match=r"^there is no way of sampling 'x'; there are every, none$"):
        SAMPLES.find("x")
    assert SAMPLES.find("none") is SAMPLES["none"]
    with pytest.raises(ValueError, match="two ways of sampling are called every"):
        SAMPLES.register("every")(none)


def test_without_a_maker_the_functions_themselves_are_the_entries() -> None:
    orders: Registry[Any] = Registry("order", "orders")

    @orders.register("length")
    def by_length(text: str) -> int:
        return len(text)

    assert orders == {"length": by_length}


def test_text_becomes_values_which_are_kept_as_json_keeps_them_with_the_defaults() -> None:
    asked = {
        "n": ["7"],
        "share": ["0.25"],
        "order": ["'worst'"],
        "rates": ["1, 0.5", "2"],
        "runs": ["a,b", "c"],
    }
    read = {"n": 7, "share": 0.25, "order": "worst", "rates": [1.0, 0.5, 2.0], "runs": ["a,b", "c"]}
    assert ENTRY.read(asked) == read
    assert ENTRY.check({"n": 3, "share": 1, "rates": (1, 2.5)}) == {
        "n": 3,
        "share": 1.0,
        "order": "best",
        "seed": None,
        "strict": False,
        "rates": [1.0, 2.5],
        "runs": None,
    }


@pytest.mark.parametrize(
    "asked", [{}, {"n": ["0"]}, {"n": ["1"], "share": ["0,5"]}, {"n": ["1"], "sede": ["1"]}]
)
def test_text_that_is_no_value_is_refused_with_the_reason(asked: dict[str, list[str]]) -> None:
    with pytest.raises(UnknownName) as told:
        ENTRY.read(asked)
    assert says(str(told.value))
    for values in ({}, {"n": "7"}, {"n": 1, "share": 2}, {"n": 1, "rates": [1, "x"]}):
        with pytest.raises(UnknownName):
            ENTRY.check(values)
