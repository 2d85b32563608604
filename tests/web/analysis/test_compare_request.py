"""What an address of the comparing pages may ask for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from werkzeug.datastructures import MultiDict

from workbench.analysis.comparing.all_pairs import STEPS
from workbench.core.errors import UnknownName
from workbench.web.analysis import compare_request as asked


def args(*pairs: tuple[str, str]) -> MultiDict[str, str]:
    return MultiDict(pairs)


def test_runs_keep_their_order_and_stand_once_the_baseline_first() -> None:
    found = asked.runs(args(("run", "b"), ("run", ""), ("run", "a"), ("run", "b"), ("baseline", "c")))
    assert found == asked.Runs(("c", "b", "a"), "AP", "", "")


def test_an_empty_address_asks_for_what_is_usual() -> None:
    nothing = args()
    assert asked.runs(nothing) == asked.Runs((), "AP", "", "")
    assert asked.pairs(nothing) == asked.Pairs("AP", None, None, 1, "tukey")
    assert asked.boards(nothing) == asked.Boards("AP", "nDCG@10", None, None)
    assert asked.plan(nothing) == asked.Plan("AP", 0.05, 0.8)


def test_two_moments_are_compared_by_one_measure() -> None:
    assert asked.boards(args(("two_at", "1,234"))) == asked.Boards("AP", "AP", None, 1234)


@pytest.mark.parametrize("text", ["-1", "1.5", "1e3", "²", "9" * 5000, "0x1", str(2**63)])
def test_what_is_no_row_of_a_log_is_refused(text: str) -> None:
    with pytest.raises(UnknownName, match="must be a whole number from 0"):
        asked.boards(args(("one_at", text)))


@pytest.mark.parametrize("text", ["0", "-0.1", "nan", "inf", "1e9"])
def test_what_is_no_difference_is_refused(text: str) -> None:
    with pytest.raises(UnknownName, match="the difference must be a number above 0"):
        asked.plan(args(("difference", text)))


def test_long_values_are_cut() -> None:
    assert len(asked.runs(args(("run", "x" * 2000))).tags[0]) == 1000


def test_the_best_two_are_those_at_the_top() -> None:
    assert asked.best_two(["a", "b", "c"], [0.1, 0.3, 0.2], lowest=False) == ("b", "c")
    assert asked.best_two(["a", "b", "c"], [0.1, 0.3, 0.2], lowest=True) == ("a", "c")


@pytest.mark.parametrize(
    ("ask", "name", "values"),
    [
        (asked.boards, "one_at", ("0", "9,223,372,036,854,775,807", "0" * 18 + "5")),
        (asked.pairs, "permutations", ("1", f"{STEPS[-1]:,}")),
        (asked.pairs, "seed", ("0", "9223372036854775807")),
        (asked.pairs, "correction", asked.CORRECTIONS),
        (asked.plan, "difference", ("0.0001", "1000")),
        (asked.plan, "power", tuple(map(str, asked.POWERS))),
        (asked.runs, "closer", ("x" * 1000,)),
        (asked.runs, "topic", ("x" * 1000,)),
    ],
)
def test_what_is_just_within_the_limits_is_taken(
    ask: Callable[[MultiDict[str, str]], tuple[object, ...]], name: str, values: tuple[str, ...]
) -> None:
    for value in values:
        found = ask(args((name, value)))
        assert value.replace(",", "") in map(str, found) or float(value) in found


CHOICES = ", ".join(asked.CORRECTIONS)
PERMUTATIONS = "the number of permutations must be a whole number from 1 to 10,000, not"


@pytest.mark.parametrize(
    ("ask", "given", "said"),
    [
        (
            asked.boards,
            ("two_at", "9" * 50),
            f"the row of the log must be a whole number from 0, not '{'9' * 40}'",
        ),
        (
            asked.boards,
            ("two_at", f"{5:020}"),
            f"the row of the log must be a whole number from 0, not '{5:020}'",
        ),
        (asked.pairs, ("permutations", "0"), f"{PERMUTATIONS} '0'"),
        (asked.pairs, ("permutations", "10,001"), f"{PERMUTATIONS} '10001'"),
        (asked.pairs, ("seed", "-1"), "the seed must be a whole number from 0, not '-1'"),
        (asked.pairs, ("correction", "x" * 50), f"the correction must be one of {CHOICES}, not '{'x' * 40}'"),
        (
            asked.plan,
            ("difference", "0.00009"),
            "the difference must be a number above 0, like 0.05, not 9e-05",
        ),
        (
            asked.plan,
            ("difference", "1000.1"),
            "the difference must be a number above 0, like 0.05, not 1000.1",
        ),
        (asked.plan, ("difference", "x" * 50), f"difference must be a number, not '{'x' * 40}'"),
        (asked.plan, ("power", "0.5"), "the chance must be one of 0.7, 0.8, 0.9, 0.95, not 0.5"),
        (
            asked.runs,
            ("measure", "AP_IA"),
            "AP_IA needs judgments of subtopics or a sample with its design, which comparisons do not take",
        ),
    ],
)
def test_what_is_beyond_the_limits_is_refused_in_a_sentence(
    ask: Callable[[MultiDict[str, str]], object], given: tuple[str, str], said: str
) -> None:
    with pytest.raises(UnknownName) as refused:
        ask(args(given))
    assert str(refused.value) == said


def test_five_runs_can_be_compared_at_once() -> None:
    five = [("run", name) for name in "abcde"]
    assert asked.runs(args(*five, ("baseline", "e"))).tags == tuple("eabcd")
    with pytest.raises(
        UnknownName, match="at most 5 runs can be compared at once, not 6; all pairs has them all"
    ):
        asked.runs(args(*five, ("baseline", "f")))
