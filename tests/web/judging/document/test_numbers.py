"""Cells of columns that hold numbers are marked as such, with their heads; no other cell is."""

from __future__ import annotations

import re

import pytest

from workbench.core.records import Document
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Look, body_of


def numeric_cells(rows: list[list[str]], head: str = "th") -> list[str]:
    """The texts of the cells that are shown at the right, of a table whose first row has cells of `head`."""
    first, *others = [[cell if cell.startswith("<") else f"<td>{cell}</td>" for cell in row] for row in rows]
    named = [cell.replace("td>", f"{head}>") for cell in first]
    table = "".join(f"<tr>{''.join(row)}</tr>" for row in (named, *others))
    html = body_of(
        Document("d", "", f"<table>{table}</table>", "text/html"), Look((Term("none"),), "en")
    ).html
    return re.findall(r'<t[dh] class="numeric"[^>]*>([^<]*)<', str(html))


@pytest.mark.parametrize("head", ["th", "td"])
def test_a_column_of_numbers_is_at_the_right_with_its_head(head: str) -> None:
    table = "River|Length|Froze\nElbe|1,094|1895\nOder|840.5|often\nPo||—"
    rows = [row.split("|") for row in table.split("\n")]
    assert numeric_cells(rows, head) == ["Length", "1,094", "840.5", ""]


@pytest.mark.parametrize(
    "numbers", ["-3 +4.5", "12\u00a0% 7‰", "$1,200.00 €3", "(12) (4.5)", "&lt;0.001 ≈\u00a02", "0.31* 0.2**"]
)
def test_signs_and_separators_are_parts_of_numbers(numbers: str) -> None:
    cells = [number.replace("\u00a0", " ") for number in numbers.split(" ")]
    assert numeric_cells([["x"], *([each] for each in cells)]) == ["x", *cells]


@pytest.mark.parametrize(
    "cells",
    ["1", "1|two|3", "1a|2a", f"{'1' * 31}|2|x", '<td rowspan="2">1</td>|2|3'],
    ids=["one number", "a word", "numbers of a kind", "long", "rows that are spanned"],
)
def test_other_columns_stay_as_they_are(cells: str) -> None:
    assert numeric_cells([["a"], *([cell] for cell in cells.split("|"))]) == []


def test_cells_that_span_columns_are_left_and_a_table_within_a_cell_has_columns_of_its_own() -> None:
    rows = [['<th colspan="2">both</th>', "c"], ["x", "1", "y"], ["x", "2", "y"]]
    assert numeric_cells(rows) == ["1", "2"]
    inner = "<td><table><tr><td>1</td></tr><tr><td>2</td></tr></table></td>"
    assert numeric_cells([["a", "b"], [inner, "7"], ["x", "8"]]) == ["b", "1", "2", "7", "8"]


def test_an_outer_table_that_ends_within_no_row_is_no_obstacle() -> None:
    html = body_of(Document("d", "", "<td>1<td>2</table><table></table>", "text/html"), Look((), "en")).html
    assert "numeric" not in html
