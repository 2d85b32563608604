"""What an address of the comparing pages may ask for."""

from __future__ import annotations

import pytest
from werkzeug.datastructures import MultiDict

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
