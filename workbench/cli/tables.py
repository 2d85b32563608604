"""Sheets on standard output: as people read them, or in a format for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import table_console

if TYPE_CHECKING:
    from workbench.formats.tables.sheets import Sheet

Printed = tuple[str, bool]
"""What stands in a cell of a table, and whether it is the best of its column."""


def write_sheet(
    kind: str, sheet: Callable[[], Sheet], content: Callable[[], object], *, allow_nan: bool = False
) -> None:
    """What a command has found as "table", "csv", "json" or "latex"; `content` is what JSON has of it."""
    from workbench.formats.tables.csv_cells import as_csv
    from workbench.formats.tables.json_text import json_text
    from workbench.formats.tables.latex import as_latex

    if kind == "table":
        show_sheet(sheet())
        return
    writers: dict[str, Callable[[], str]] = {
        "csv": lambda: "".join(as_csv(sheet())),
        "json": lambda: json_text(content(), allow_nan=allow_nan),
        "latex": lambda: "".join(as_latex(sheet())),
    }
    click.echo(writers[kind](), nl=False)


def show_sheet(sheet: Sheet) -> None:
    """A sheet as people read it: text on the left, numbers on the right, the best values in bold."""
    show_grid(grid_of(sheet), [column.kind == "text" for column in sheet.columns])


def grid_of(sheet: Sheet) -> list[list[Printed]]:
    """The heads of a sheet and then its rows, as they are printed."""
    from workbench.formats.tables.sheets import printed_rows

    heads = [(column.head, False) for column in sheet.columns]
    rows = (
        [(text, (row, place) in sheet.best) for place, text in enumerate(texts)]
        for row, texts in enumerate(printed_rows(sheet))
    )
    return [heads, *rows]


def show_grid(grid: Sequence[Sequence[Printed]], is_text: Sequence[bool]) -> None:
    """Heads and rows; columns of text stand on the left, the best cells are bold."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=None)
    for (head, _), on_the_left in zip(grid[0], is_text, strict=True):
        shown.add_column(Text(head), justify="left" if on_the_left else "right", no_wrap=True)
    for line in grid[1:]:
        shown.add_row(*(Text(text, style="bold" if is_best else "") for text, is_best in line))
    table_console().print(shown)
