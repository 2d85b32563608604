"""CSV cells are safe in a spreadsheet, and numbers keep all their digits."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from workbench.core.results import Column
from workbench.formats.tables.csv_cells import as_csv, csv_lines
from workbench.formats.tables.sheets import Sheet


def cell(value: object) -> str:
    """A value written beside another one and read again."""
    ((_, read),) = csv.reader(csv_lines([("x", value)]))
    return read


@pytest.mark.parametrize(
    "text",
    ["=cmd|' /C calc'!A0", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x"],
)
def test_text_that_would_run_as_a_formula_gets_an_apostrophe(text: str) -> None:
    assert cell(text).startswith("'")


@pytest.mark.parametrize("text", ["bm25", "1=1", "a-b", "", "a,b", 'say "x"', "two\nlines", "雪", "'quoted'"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize("number", [0.1 + 0.2, -1.5, 1e-320, np.float64(0.1), 1e22])
def test_a_number_is_read_again_as_the_same_number(number: float) -> None:
    assert float(cell(number)) == number


def test_lines_end_in_a_line_feed_alone() -> None:
    assert list(csv_lines([("a", 1), ("b", -2)])) == ["a,1\n", "b,-2\n"]


def test_a_sheet_has_the_names_of_its_columns_and_all_digits() -> None:
    columns = Column("Run", "run", "text"), Column("p", "p_t", "p"), Column("Δ", "difference", "signed")
    sheet = Sheet(columns, (("a_b & c", 0.00001, -0.25), ("=1+1", None, 0.1)))
    assert list(as_csv(sheet)) == ["run,p_t,difference\n", "a_b & c,1e-05,-0.25\n", "'=1+1,,0.1\n"]
