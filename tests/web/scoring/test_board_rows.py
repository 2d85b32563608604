"""A table of scores in the words, columns and cells of the leaderboard."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sentences import says
from workbench.analysis.trust.bounds import Sides
from workbench.analysis.trust.intervals import NOT_AVERAGED, BoardIntervals, MeasureIntervals
from workbench.analysis.trust.stability import Agreement
from workbench.methods.measures import parse_measure
from workbench.methods.statistics.intervals import NO_SPREAD
from workbench.scoring.board.loading import NO_TOPICS
from workbench.storage.campaign.log.log import Head
from workbench.web.scoring.board_view import (
    Cell,
    IntervalCell,
    Reach,
    Row,
    SortedBy,
    agreement_words,
    as_of_words,
    in_order,
    interval_cells,
    judged_beside,
    percent,
    sorting,
)

HEAD = Head(3, b"")
AP, LOW, JUDGED = parse_measure("AP"), parse_measure("SetE"), parse_measure("Judged@10")
ROWS = [
    Row(run, team, None, (Cell(high, "", None, "", ""), Cell(low, "", None, "", "")))
    for run, team, high, low in (("b", "X", 0.3, 0.1), ("a", "Z", 0.3, 0.7), ("c", "Y", 0.5, 0.4))
]


@pytest.mark.parametrize(
    ("measure", "beside"),
    [
        ("nDCG@20", "Judged@20"),
        ("AP", "Judged@10"),
        ("RBP(p=0.8)", "Judged@10"),
        ("P(rel=2)@5", "Judged@5"),
        ("Judged@10", None),
        ("NumRel", None),
    ],
)
def test_a_score_stands_beside_the_judged_share_of_its_own_cutoff(measure: str, beside: str | None) -> None:
    assert judged_beside(parse_measure(measure)) == beside


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0 %"), (0.001, "1 %"), (0.5, "50 %"), (0.999, "99 %"), (1, "100 %")]
)
def test_only_nothing_is_no_percent_and_only_all_is_a_hundred(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("asked", "expected", "runs"),
    [
        (("", ""), ("AP", "descending"), "cab"),
        (("AP", "ascending"), ("AP", "ascending"), "abc"),
        (("SetE", ""), ("SetE", "ascending"), "bca"),
        (("SetE", "descending"), ("SetE", "descending"), "acb"),
        (("Run", ""), ("Run", "ascending"), "abc"),
        (("Team", "descending"), ("Team", "descending"), "acb"),
        (("not there", "sideways"), ("AP", "descending"), "cab"),
    ],
)
def test_rows_begin_with_the_best_which_may_be_the_lowest(
    asked: tuple[str, str], expected: tuple[str, str], runs: str
) -> None:
    by = sorting([AP, LOW], *asked)
    assert by == SortedBy(*expected)
    assert "".join(row.run for row in in_order(ROWS, [AP, LOW], by)) == runs


def test_an_order_chosen_for_a_column_that_is_gone_says_nothing_of_another() -> None:
    # AP was turned round twice, and SetE put in its place: its lowest value is the best.
    assert sorting([LOW], "AP", "descending") == SortedBy("SetE", "ascending")
    assert sorting([AP], "SetE", "ascending") == SortedBy("AP", "descending")


def test_without_measures_rows_go_by_the_names_of_runs() -> None:
    assert sorting([], "AP", "") == SortedBy("Run", "ascending")
    assert sorting([JUDGED], "", "") == SortedBy("Judged@10", "descending")


def test_a_moment_is_named_by_its_row_and_its_time() -> None:
    assert as_of_words(1200, 49_727, "2026-03-02T09:05:59.000+00:00") == (
        "As of row 1,200 of 49,727, written 2 Mar 2026, 09:05 UTC."
    )
    assert as_of_words(0, 3, None) == "As of row 0 of 3."


@pytest.mark.parametrize(
    "found", [Agreement(1, None, None), Agreement(3, None, None), Agreement(3, 1 / 3, -0.5)]
)
def test_the_agreement_with_today_is_explained(found: Agreement) -> None:
    assert says(agreement_words(found, AP))


def test_a_cell_says_its_interval_what_is_open_and_whether_it_is_level_with_the_best() -> None:
    found = MeasureIntervals(
        AP,
        np.array([0.3, 0.4]),
        Sides(np.array([0.1, 0.2]), np.array([0.5, 0.6])),
        np.array([[0.25, 0.35], [np.nan, np.nan]]),
        ("", NO_SPREAD),
        np.array([0.05, 0.0501]),
    )
    of_board = BoardIntervals(HEAD, ("a", "b"), (found,), NO_TOPICS)
    (far,), (level,) = interval_cells(of_board).values()
    assert far.open == Reach(0.1, 0.5, "0.1000 to 0.5000")
    assert far.interval == Reach(0.25, 0.35, "0.2500 to 0.3500")
    assert (far.why_none, level.interval, level.why_none) == ("", None, NO_SPREAD)
    assert (far.level, far.p) == (False, "0.0500")
    assert (level.level, level.p) == (True, "0.0501")
    assert says(level.test)
    unknown = MeasureIntervals(AP, np.zeros(1), None, None, (NOT_AVERAGED,), None)
    nothing = IntervalCell(None, None, NOT_AVERAGED, None, None, "")
    assert interval_cells(of_board._replace(tags=("a",), measures=(unknown,))) == {"a": (nothing,)}
