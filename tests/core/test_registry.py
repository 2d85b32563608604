"""Registries: one decorator line, lookup with near names, parameters from the function's own signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import pytest

from tests.sentences import refused, says
from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits, parameters_of
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


def test_an_entry_explains_itself_by_its_docstring() -> None:
    assert (ENTRY.name, ENTRY.summary) == ("every", "Takes some of every ranking.")
    assert ENTRY.prose.endswith("And says more of it.")
    assert ENTRY.function(None, n=1) == "sampled"


def test_parameters_are_read_from_the_signature() -> None:
    found = [(one.name, one.kind, one.default, one.required, one.repeated) for one in ENTRY.parameters]
    assert found == [
        ("n", int, None, True, False),
        ("share", float, 0.5, False, False),
        ("order", str, "best", False, False),
        ("seed", int, None, False, False),
        ("strict", bool, False, False, False),
        ("rates", float, (), False, True),
        ("runs", str, None, False, True),
    ]
    assert SAMPLES["none"].parameters == ()


def test_parameters_say_how_they_are_written_and_what_they_take() -> None:
    assert [one.usage for one in ENTRY.parameters][:2] == ["n=...", "[share=...]"]
    assert says("\n".join([one.help for one in ENTRY.parameters]))


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ValueError, match="two ways of sampling are called every"):
        SAMPLES.register("every")(none)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"^there is no way of sampling 'evry'; did you mean every\?$"):
        SAMPLES.find("evry")
    with pytest.raises(UnknownName, match=r"^there is no way of sampling 'x'; there are every, none$"):
        SAMPLES.find("x")
    assert SAMPLES.find("none") is SAMPLES["none"]


def test_without_a_maker_the_functions_themselves_are_the_entries() -> None:
    orders: Registry[Any] = Registry("order", "orders")

    @orders.register("length")
    def by_length(text: str) -> int:
        return len(text)

    assert orders == {"length": by_length}


def test_text_becomes_values_of_the_types() -> None:
    asked = {
        "n": ["7"],
        "share": ["0.25"],
        "order": ["'worst'"],
        "seed": ["1", "2"],
        "strict": ["yes"],
        "rates": ["1, 0.5", "2"],
        "runs": ["a,b", "c"],
    }
    assert ENTRY.read(asked) == {
        "n": 7,
        "share": 0.25,
        "order": "worst",
        "seed": 2,
        "strict": True,
        "rates": [1.0, 0.5, 2.0],
        "runs": ["a,b", "c"],
    }


def test_values_are_kept_as_json_keeps_them_with_the_defaults() -> None:
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
    "asked",
    [
        {},
        {"n": [""]},
        {"n": ["0"]},
        {"n": ["1e3"]},
        {"n": ["9" * 20]},
        {"n": ["1"], "share": ["0,5"]},
        {"n": ["1"], "share": ["nan"]},
        {"n": ["1"], "order": ["beste"]},
        {"n": ["1"], "strict": ["maybe"]},
        {"n": ["1"], "rates": ["1,-1"]},
        {"n": ["1"], "sede": ["1"]},
    ],
)
def test_text_that_is_no_value_is_refused_with_the_reason(asked: dict[str, list[str]]) -> None:
    with pytest.raises(UnknownName) as told:
        ENTRY.read(asked)
    assert says(str(told.value))


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"n": "7"},
        {"n": True},
        {"n": None},
        {"n": 1, "share": 2},
        {"n": 1, "rates": 3.0},
        {"n": 1, "rates": [1, "x"]},
        {"n": 1, "order": None},
    ],
)
def test_values_of_another_type_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(UnknownName) as told:
        ENTRY.check(values)
    assert says(str(told.value))


def test_a_number_without_limits_is_no_nan() -> None:
    def free(rankings: object, *, weight: float) -> None:
        """Weighs."""

    with refused(UnknownName):
        Entry("free", free).read({"weight": ["nan"]})


def test_a_type_that_is_none_of_the_kinds_is_refused_at_once() -> None:
    def odd(rankings: object, *, where: dict[str, int]) -> None:
        """Has a table."""

    with pytest.raises(TypeError, match=r"where of .*odd is of type .*; write one of int, float, bool, str"):
        parameters_of(odd)
