"""Parameters from the signature of a function: what they take, and what is said of what they do not take."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from tests.sentences import says
from workbench.core.parameters import NO_LIMITS, Limits, Parameter, listed_values, parameters_of, written
from workbench.core.registry import Entry


def example(
    *,
    number: Annotated[int, Limits("how many", least=1, most=5)],
    share: Annotated[float, Limits("of all", above=0, below=1)] = 0.5,
    mass: Annotated[float | None, Limits("in kg", least=0)] = None,
    kind: Literal["hard", "soft"] = "hard",
    runs: Annotated[Sequence[str], Limits("which")] = (),
    depths: Annotated[Sequence[int], Limits("how deep", least=1)] = (),
    ways: Sequence[Literal["a", "b"]] = (),
    text: str = "",
    sure: bool = False,
) -> None:
    """Takes one parameter of each sort."""


BY_NAME = {one.name: one for one in parameters_of(example)}


def test_a_parameter_is_what_the_signature_says() -> None:
    assert [(one.name, one.kind, one.default, one.required, one.repeated) for one in BY_NAME.values()] == [
        ("number", int, None, True, False),
        ("share", float, 0.5, False, False),
        ("mass", float, None, False, False),
        ("kind", str, "hard", False, False),
        ("runs", str, (), False, True),
        ("depths", int, (), False, True),
        ("ways", str, (), False, True),
        ("text", str, "", False, False),
        ("sure", bool, False, False, False),
    ]
    assert [one.usage for one in BY_NAME.values()][:2] == ["number=...", "[share=...]"]
    assert [name for name, one in BY_NAME.items() if one.takes_commas] == ["depths", "ways"]
    assert BY_NAME["ways"].limits == BY_NAME["kind"].limits._replace(choices=("a", "b"))
    assert BY_NAME["text"].limits == NO_LIMITS


def test_help_says_what_it_means_what_it_takes_and_its_default() -> None:
    assert [one.help for one in BY_NAME.values()] == [
        "how many; a whole number at least 1 and at most 5",
        "of all; a number above 0 and below 1; default 0.5",
        "in kg; a number at least 0",
        "one of hard, soft; default hard",
        "which; several, each text",
        "how deep; several, each a whole number at least 1",
        "several, each one of a, b",
        "text",
        "true or false; default false",
    ]
    assert Parameter("x", float, None, True, Limits("what", least=-inf)).help == "what; a number"


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("number", [1, 5, np.int64(3)]),
        ("share", [0.001, 0.999, np.float64(0.5)]),
        ("mass", [None, 0, 0.0, 1e15]),
        ("kind", ["hard", "soft"]),
        ("runs", [[], ["a"], ("a", "b,c")]),
        ("depths", [[], [1], (1, 2)]),
        ("ways", [["a", "b"]]),
        ("text", ["", "x"]),
        ("sure", [True, False]),
    ],
)
def test_what_is_within_the_limits_is_taken(name: str, taken: list[Any]) -> None:
    for value in taken:
        BY_NAME[name].check(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", 0),
        ("number", 6),
        ("number", True),
        ("number", 2.0),
        ("number", None),
        ("share", 0.0),
        ("share", 1.0),
        ("share", nan),
        ("mass", -0.5),
        ("mass", 1.1e15),
        ("kind", "wet"),
        ("kind", 1),
        ("runs", "a"),
        ("depths", [1, 0]),
        ("depths", None),
        ("sure", 1),
    ],
)
def test_what_is_not_is_refused_with_the_limits(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r".") as told:
        BY_NAME[name].check(value)
    assert says(str(told.value))


@pytest.mark.parametrize(
    ("name", "texts", "value"),
    [
        ("number", ["3"], 3),
        ("number", ["9", "2"], 2),
        ("share", ["0.25"], 0.25),
        ("kind", ["'soft'"], "soft"),
        ("text", ["'x'"], "'x'"),
        ("sure", ["YES"], True),
        ("sure", ["0"], False),
        ("runs", ["a,b", "", " c "], ["a,b", "c"]),
        ("depths", ["1, 2", "3,"], [1, 2, 3]),
        ("ways", ["a,'b'"], ["a", "b"]),
    ],
)
def test_text_is_read_as_the_parameter_is_written(name: str, texts: list[str], value: Any) -> None:
    assert BY_NAME[name].read_all(texts) == value


@pytest.mark.parametrize(
    ("name", "text"), [("number", "2.5"), ("number", "7"), ("sure", "perhaps"), ("depths", "1,x")]
)
def test_text_that_is_no_value_is_refused(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=r".") as told:
        BY_NAME[name].read_all([text])
    assert says(str(told.value))


def test_values_are_kept_as_plain_ones_and_written_as_they_are_read() -> None:
    assert [type(BY_NAME[name].plain(value)) for name, value in (("number", np.int64(3)), ("share", 1))] == [
        int,
        float,
    ]
    assert BY_NAME["depths"].plain((np.int64(1), 2)) == [1, 2]
    assert BY_NAME["runs"].plain(("a", "b")) == ["a", "b"]
    assert BY_NAME["mass"].plain(None) is BY_NAME["runs"].plain(None) is None
    assert BY_NAME["kind"].plain("hard") == "hard"
    assert [*map(written, (True, 0.5, (1, 2), ["a", "b"], "x"))] == ["true", "0.5", "1,2", "a,b", "x"]
    few, many = [1, 2, 3, 4, 5], list(range(1, 1007))
    values = {"n": 3, "none": None, "empty": [], "sure": False, "few": few, "many": many}
    assert listed_values(values) == "n 3, sure false, few 1,2,3,4,5, many 1,2,3,4,5 and 1,001 more"


Share = Annotated[float, Limits("the share", said="{:g}% of all")]
Sure = Annotated[bool, Limits("whether it is sure", said="for sure")]


def told(
    *,
    n: Annotated[int, Limits("how many", said="only {:,} papers")],
    share: Share | None = None,
    sure: Sure = False,
    per_topic: bool = True,
    few: list[int] | None = None,
    burn_in: int = 0,
) -> None:
    """Sentences about its parameters."""


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"n": 1000}, "only 1,000 papers"),
        ({"n": 1, "sure": False, "per_topic": True, "burn_in": 0, "share": None, "few": []}, "only 1 papers"),
        ({"n": 2, "sure": True, "share": 2.5}, "only 2 papers, 2.5% of all, for sure"),
        ({"n": 2, "per_topic": False, "burn_in": 5}, "only 2 papers, not per topic, burn in 5"),
        ({"n": 2, "few": [1, 2, 3, 4, 5, 6]}, "only 2 papers, few 1,2,3,4,5 and 1 more"),
    ],
)
def test_a_sentence_leaves_out_defaults_and_says_the_others(values: dict[str, object], words: str) -> None:
    assert Entry("told", told).words(values) == words


def test_a_type_that_is_not_known_is_an_error_of_who_wrote_the_function() -> None:
    def wrong(*, where: complex) -> None:
        """Takes what no parameter is."""

    with pytest.raises(
        TypeError, match=r"^where of .*wrong is of type <class 'complex'>; write one of int, float, bool, str"
    ):
        parameters_of(wrong)
