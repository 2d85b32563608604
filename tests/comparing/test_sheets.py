"""Comparisons as rows and columns, as CSV and as LaTeX."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from workbench.campaign import Campaign
from workbench.comparing import all_pairs, compare_runs, leaderboard, plan_topics, two_leaderboards
from workbench.comparing.sheets import (
    Column,
    Sheet,
    as_csv,
    as_latex,
    printed,
    sheet_of_groups,
    sheet_of_pairs,
    sheet_of_plan,
    sheet_of_positions,
    sheet_of_runs,
)


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (None, "p", ""),
        ("run_1", "text", "run_1"),
        (0.123456, "score", "0.1235"),
        (-1e-17, "score", "0.0000"),
        (0.01, "signed", "+0.0100"),
        (-1e-17, "signed", "+0.0000"),
        (-0.01, "signed", "-0.0100"),
        (0.0001, "p", "0.0001"),
        (0.00009, "p", "<0.0001"),
        (1234, "count", "1,234"),
        (0.481, "size", "0.48"),
    ],
)
def test_cells_have_as_many_digits_as_they_deserve(cell: str | float | None, kind: str, text: str) -> None:
    assert printed(cell, Column("", "", kind)) == text


def test_the_baseline_stands_first_without_a_difference(judged: Campaign) -> None:
    sheet = sheet_of_runs(compare_runs(judged, ["alpha", "beta"]))
    heads = [column.name for column in sheet.columns]
    alpha, beta = (dict(zip(heads, row, strict=True)) for row in sheet.rows)
    assert (alpha["run"], alpha["mean"], alpha["difference"]) == ("alpha", 0.5, None)
    assert (beta["wins"], beta["ties"], beta["losses"], beta["p_randomisation"]) == (2, 0, 1, 0.75)


def test_every_pair_has_a_row_with_the_better_run_first(judged: Campaign) -> None:
    found = all_pairs(judged, permutations=20, baseline="alpha")
    (row,) = sheet_of_pairs(found).rows
    assert row[:2] == ("beta", "alpha")
    assert row[2] == pytest.approx(7 / 9 - 0.5)
    groups = sheet_of_groups(found)
    assert [column.head for column in groups.columns][-1] == "max-T p to alpha"
    assert [row[0] for row in groups.rows] == ["beta", "alpha"]
    assert groups.rows[1][-1] is None


def test_positions_and_plans_have_their_columns(judged: Campaign) -> None:
    one = leaderboard(judged, "AP")
    sheet = sheet_of_positions(two_leaderboards(one, leaderboard(judged, "P@1")))
    assert [column.head for column in sheet.columns] == ["Run", "AP", "P@1", "Rank", "Other rank"]
    assert sheet.rows[0] == ("beta", pytest.approx(7 / 9), pytest.approx(2 / 3), 1, 1)
    assert len(sheet_of_plan(plan_topics(judged, differences=(0.1, 0.2))).rows) == 2


SHEET = Sheet(
    (Column("Run", "run", "text"), Column("p_t %", "p", "p"), Column("Δ", "difference", "signed")),
    (("a_b & c", 0.00001, -0.25), ("=1+1", None, 0.1)),
)


def test_csv_has_all_digits_and_starts_no_formula() -> None:
    rows = list(csv.reader(as_csv(SHEET)))
    assert rows == [["run", "p", "difference"], ["a_b & c", "1e-05", "-0.25"], ["'=1+1", "", "0.1"]]


def test_latex_keeps_its_own_characters_harmless_and_signs_as_mathematics() -> None:
    lines = "".join(as_latex(SHEET)).splitlines()
    assert lines[0] == r"\begin{tabular}{lrr}"
    assert lines[2] == r"Run & p\_t \% & Δ \\"
    assert lines[4] == r"a\_b \& c & $<0.0001$ & $-0.2500$ \\"
    assert lines[5] == r"=1+1 &  & $+0.1000$ \\"


def test_numbers_are_plain_python_numbers(judged: Campaign) -> None:
    found = all_pairs(judged, permutations=20, baseline="alpha")
    for sheet in (
        sheet_of_runs(compare_runs(judged, ["alpha", "beta"])),
        sheet_of_pairs(found),
        sheet_of_groups(found),
    ):
        assert not any(isinstance(cell, np.generic) for row in sheet.rows for cell in row)
