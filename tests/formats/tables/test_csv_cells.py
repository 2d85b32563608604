"""CSV cells are safe in a spreadsheet, and numbers keep all their digits."""

from __future__ import annotations

import csv

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.core.results import Column
from workbench.formats.tables.csv_cells import as_csv, csv_lines, table_rows
from workbench.formats.tables.sheets import Sheet
from workbench.formats.text.content import Content


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


def test_a_sheet_has_the_names_of_its_columns_and_all_digits() -> None:
    columns = Column("Run", "run", "text"), Column("p", "p_t", "p"), Column("Δ", "difference", "signed")
    sheet = Sheet(columns, (("a_b & c", 0.00001, -0.25), ("=1+1", None, 0.1)))
    assert list(as_csv(sheet)) == ["run,p_t,difference\n", "a_b & c,1e-05,-0.25\n", "'=1+1,,0.1\n"]


def rows(data: bytes) -> list[tuple[int, list[str]]]:
    return list(table_rows(Content("people.csv", data)))


@pytest.mark.parametrize(
    ("data", "line"), [(b"name\nx\ry\n", 2), (b"name\nAnn\n" + b"x" * 131_073, 3), (b"name\nZo\xeb\n", 2)]
)
def test_a_table_that_cannot_be_read_is_refused_with_its_line(data: bytes, line: int) -> None:
    with refused(InputError, f"people.csv:{line}: "):
        rows(data)
