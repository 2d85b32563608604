"""Sheets as frames of polars or pandas, and as a few lines for people."""

from __future__ import annotations

import sys

import polars as pl
import pytest

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.results import Column
from workbench.formats.tables.frames import SHOWN_ROWS, NoSuchLibrary, frame_of, short_html, short_text
from workbench.formats.tables.sheets import Sheet

COLUMNS = (
    Column("Run", "run", "text"),
    Column("Teams", "team", "text"),
    Column("Topics", "topics", "count"),
    Column("Mean", "mean", "score"),
    Column("Ranks", "ranks", "score"),
    Column("Either", "either", "score"),
)
SHEET = Sheet(COLUMNS, (("a<b", None, 3, 0.5, 1, "x"), ("c", None, None, 1, 2, None)))
EMPTY = Sheet(COLUMNS, ())


def test_the_columns_of_a_frame_have_types_by_their_kind_and_by_what_is_in_them() -> None:
    frame = frame_of(SHEET)
    assert dict(frame.schema) == {
        "run": pl.String,
        "team": pl.String,
        "topics": pl.Int64,
        "mean": pl.Float64,
        "ranks": pl.Int64,
        "either": pl.String,
    }
    assert frame.rows() == [("a<b", None, 3, 0.5, 1, "x"), ("c", None, None, 1.0, 2, None)]
    assert list(frame_of(EMPTY).schema.values()) == [
        *(pl.String, pl.String, pl.Int64),
        *(pl.Float64, pl.Float64, pl.Float64),
    ]


def test_a_frame_of_pandas_has_the_same_values() -> None:
    pytest.importorskip("pandas")
    frame = frame_of(SHEET, "pandas")
    assert list(frame.columns) == [column.name for column in COLUMNS]
    assert frame["mean"].tolist() == [0.5, 1.0]
    assert frame["run"].tolist() == ["a<b", "c"]


@pytest.mark.parametrize("more", [0, 1, 1200])
def test_the_first_rows_are_shown_and_the_others_counted(more: int) -> None:
    sheet = Sheet((Column("Run", "run", "text"),), tuple((f"r{row}",) for row in range(SHOWN_ROWS + more)))
    below = [f"… and {more:,} more"] if more else []
    rows = [f"r{row}" for row in range(SHOWN_ROWS)]
    assert [line.strip() for line in short_text(sheet, "All runs").splitlines()] == [
        "All runs",
        "Run",
        *rows,
        *below,
    ]
    html = short_html(sheet)
    assert html.count("<tr>") == 1 + SHOWN_ROWS
    assert ("".join(f"<p>{line}</p>" for line in below)) in html
    assert ("<p>" in html) == bool(more)
    assert "<caption>" not in html


def test_for_notebooks_everything_is_text_and_numbers_stand_at_the_right() -> None:
    html = short_html(Sheet(COLUMNS[:3], (("a<b", None, 3),)), "<all>")
    assert html.startswith("<table><caption>&lt;all&gt;</caption><thead><tr>")
    assert '<td style="text-align: left">a&lt;b</td>' in html
    assert '<th style="text-align: right">Topics</th>' in html
    assert '<td style="text-align: right">3</td>' in html


def test_a_library_that_is_not_known_or_not_there_is_refused_whatever_is_in_the_sheet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(UnknownName, match="no frames of 'arrow'; write 'polars' or 'pandas'"):
        frame_of(EMPTY, "arrow")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with refused(NoSuchLibrary):
        frame_of(EMPTY, "pandas")
