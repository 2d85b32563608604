from __future__ import annotations

from math import inf

import pytest

from workbench.core.parameters import Limits, parameters_of
from workbench.methods.measures import MEASURES
from workbench.methods.measures.gains import Gains


def test_parameters_are_read_from_the_signature() -> None:
    found = parameters_of(MEASURES["RBP"].function)
    assert [(p.name, p.kind, p.default, p.required) for p in found] == [
        ("p", float, 0.8, False),
        ("rel", int, 1, False),
        ("gains", Gains, None, False),
        ("cutoff", int, None, False),
    ]


def test_a_parameter_without_default_is_required() -> None:
    cutoff = MEASURES["P"].parameter("cutoff")
    assert cutoff is not None
    assert cutoff.required


@pytest.mark.parametrize(
    ("limits", "text", "inside", "outside"),
    [
        (Limits("", least=1), "at least 1", [1, 2], [0, -1]),
        (Limits("", above=0, below=1), "above 0 and below 1", [0.5], [0, 1, float("nan")]),
        (Limits("", above=0, below=inf), "above 0", [1e300], [0, inf]),
        (Limits("", above=-inf, below=inf), "finite", [-1e300], [inf, -inf, float("nan")]),
        (Limits("", least=0, most=1e6), "at least 0 and at most 1e+06", [1e6], [2e6]),
        (Limits(""), "", [-1e9], []),
    ],
)
def test_limits_say_what_they_allow(
    limits: Limits, text: str, inside: list[float], outside: list[float]
) -> None:
    assert str(limits) == text
    assert all(limits.allow(value) for value in inside)
    assert not any(limits.allow(value) for value in outside)
