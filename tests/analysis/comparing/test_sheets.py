"""Comparisons as rows and columns."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sentences import says
from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.comparing.runs import compare_runs
from workbench.analysis.comparing.sheets import sheet_of_groups, sheet_of_pairs, sheet_of_runs
from workbench.storage.campaign import Campaign


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
    assert says([column.head for column in groups.columns][-1])
    assert [row[0] for row in groups.rows] == ["beta", "alpha"]
    assert groups.rows[1][-1] is None


def test_numbers_are_plain_python_numbers(judged: Campaign) -> None:
    found = all_pairs(judged, permutations=20, baseline="alpha")
    for sheet in (
        sheet_of_runs(compare_runs(judged, ["alpha", "beta"])),
        sheet_of_pairs(found),
        sheet_of_groups(found),
    ):
        assert not any(isinstance(cell, np.generic) for row in sheet.rows for cell in row)
