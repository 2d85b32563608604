"""Sheets as data frames of polars or pandas, and as short tables for an interactive session and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import import_module
from typing import Any

from workbench.core.errors import UnknownName, WorkbenchError
from workbench.formats.tables.sheets import Sheet, aligned, printed_rows

LIBRARIES = ("polars", "pandas")
SHOWN_ROWS = 12


class NoSuchLibrary(WorkbenchError):
    """A library for frames that is not installed."""


def check_library(library: str) -> str:
    """The name of a library for frames that is there.

    Raises:
        UnknownName: it is none of LIBRARIES.
        NoSuchLibrary: it is not installed.
    """
    if library not in LIBRARIES:
        raise UnknownName(f"there are no frames of {library!r}; write {' or '.join(map(repr, LIBRARIES))}")
    try:
        import_module(library)
    except ModuleNotFoundError as error:
        message = f"{library} is not installed here: pip install {library}, or leave out library={library!r}"
        raise NoSuchLibrary(message) from error
    return library


def frame_of(sheet: Sheet, library: str = "polars") -> Any:
    """The rows of a sheet as a frame, with the names of its columns; missing values are null in polars, NaN or None in
    pandas. Pandas gets its frame without pyarrow, which `polars.DataFrame.to_pandas` needs.
    """
    check_library(library)
    cells = {column.name: [row[place] for row in sheet.rows] for place, column in enumerate(sheet.columns)}
    types = {column.name: _type_of(column.kind, cells[column.name]) for column in sheet.columns}
    filled = {
        name: [None if cell is None else types[name](cell) for cell in column]
        for name, column in cells.items()
    }
    if library == "pandas":
        return import_module("pandas").DataFrame(filled)
    import polars as pl

    polars = {str: pl.String, int: pl.Int64, float: pl.Float64}
    return pl.DataFrame(filled, {name: polars[kind] for name, kind in types.items()})


def _type_of(kind: str, cells: Sequence[Any]) -> type:
    """Text where there is any; whole numbers where a column counts, or has nothing else; else floats."""
    there = [cell for cell in cells if cell is not None]
    if (not there and kind == "text") or any(isinstance(cell, str) for cell in there):
        return str
    return int if kind == "count" or (there and all(isinstance(cell, int) for cell in there)) else float


def short_text(sheet: Sheet, title: str = "") -> str:
    """The first rows as people read them, below one another."""
    lines = [[column.head for column in sheet.columns], *printed_rows(sheet)[:SHOWN_ROWS]]
    table = "".join(aligned(lines)).rstrip("\n")
    return "\n".join(part for part in (title, table, _more(sheet)) if part)


def short_html(sheet: Sheet, title: str = "") -> str:
    """The same for notebooks; everything in it is text, whatever runs are called."""
    sides = ["left" if column.kind == "text" else "right" for column in sheet.columns]
    heads = _row("th", [column.head for column in sheet.columns], sides)
    rows = "".join(_row("td", cells, sides) for cells in printed_rows(sheet)[:SHOWN_ROWS])
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    below = f"<p>{escape(_more(sheet))}</p>" if _more(sheet) else ""
    return f"<table>{caption}<thead>{heads}</thead><tbody>{rows}</tbody></table>{below}"


def _row(tag: str, cells: list[str], sides: list[str]) -> str:
    filled = (
        f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(filled)}</tr>"


def _more(sheet: Sheet) -> str:
    more = len(sheet.rows) - SHOWN_ROWS
    return f"… and {more:,} more" if more > 0 else ""
