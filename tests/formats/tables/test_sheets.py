"""Cells as people read them, and which of them are the best."""

from __future__ import annotations

import pytest

from workbench.core.results import Column
from workbench.formats.tables.sheets import Cell, printed, with_best

RUN, TOPIC = Column("Run", "run", "text"), Column("Topic", "topic", "text")
AP, P5 = Column("AP", "ap", "value", "highest"), Column("P@5", "p5", "value", "highest")
ERROR, RETRIEVED = Column("SetE", "sete", "value", "lowest"), Column("NumRet", "numret", "count")


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (None, "p", ""),
        ("run_1", "text", "run_1"),
        ("n.d.", "score", "n.d."),
        (0.123456, "score", "0.1235"),
        (-1e-17, "score", "0.0000"),
        (-1e-17, "value", "-0.0000"),
        (1 / 3, "value", "0.3333"),
        (0.01, "signed", "+0.0100"),
        (-1e-17, "signed", "+0.0000"),
        (-0.01, "signed", "-0.0100"),
        (0.0001, "p", "0.0001"),
        (0.00009, "p", "<0.0001"),
        (1234, "count", "1,234"),
        (0.481, "size", "0.48"),
    ],
)
def test_cells_have_as_many_digits_as_they_deserve(cell: Cell, kind: str, text: str) -> None:
    assert printed(cell, kind) == text


@pytest.mark.parametrize(
    ("column", "values", "best"),
    [
        (AP, (0.5, 0.25), {0}),
        (AP, (0.25, 0.5, 0.5), {1, 2}),
        (ERROR, (0.5, 0.25), {1}),
        (RETRIEVED, (1000, 2), set()),
        (AP, (0.5, 0.5), set()),
        (AP, (0.5, None, 0.25), {0}),
        (AP, (0.5,), set()),
        (AP, (), set()),
    ],
)
def test_the_best_of_a_column_is_marked_unless_all_are_alike(
    column: Column, values: tuple[float | None, ...], best: set[int]
) -> None:
    sheet = with_best([RUN, column], [("a run", value) for value in values])
    assert sheet.best == {(row, 1) for row in best}
