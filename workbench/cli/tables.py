"""Sheets on standard output: as people read them, or in a format for programs. No command prints a table otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import click

from workbench.cli.campaigns import drop_output, say, table_console
from workbench.cli.options import option
from workbench.formats.tables.score_layouts import LAYOUTS

if TYPE_CHECKING:
    from workbench.formats.tables.sheets import Cell, Sheet

AT_ONCE = 500
"""This many rows of a table are made before they are printed: rich takes seconds for ten thousand."""

Printed = tuple[str, bool]
"""What is in a cell of a table, and whether it is the best of its column."""


def format_option_of(*kinds: str, says: str = "Output format", full_precision: bool = False) -> Any:
    """The option --format: one of `kinds`, by default the first.

    Its help is what it `says`; `full_precision` adds that CSV and JSON have more digits than the table.
    """
    more = "; csv and json have full precision" if full_precision else ""
    return option(f"{says}{more}.", "--format", type=click.Choice(kinds), default=kinds[0])


format_option = format_option_of("table", "csv", "json")

layout_option = option(
    "Write a line for each score, in the columns that programs know by this name.",
    "--layout",
    type=click.Choice(tuple(LAYOUTS)),
)


def text_sheet(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Sheet:
    """A sheet of text and counts; `heads` are such as "Second assessor", in CSV and JSON second_assessor.

    A column that holds whole numbers is a count.
    """
    from workbench.core.results import Column
    from workbench.formats.tables.sheets import Sheet

    filled = tuple(map(tuple, rows))
    kinds = (
        "count" if any(isinstance(row[place], int) for row in filled) else "text"
        for place in range(len(heads))
    )
    columns = (
        Column(head, head.lower().replace(" ", "_"), kind) for head, kind in zip(heads, kinds, strict=True)
    )
    return Sheet(tuple(columns), filled)


def write_sheet(
    kind: str, sheet: Sheet, whole: Any = None, *, shown: Sequence[Sheet] | None = None, wrap: bool = False
) -> None:
    """Write what a command has found as "table", "csv", "json" or "latex".

    JSON has the `whole` in the place of the rows, people see the tables `shown` that have rows; `wrap` folds long cells
    to the width of a terminal. A reader who closes the pipe ends the output, not the command, which may have an exit
    status to tell.
    """
    from workbench.core.results import content
    from workbench.formats.tables.csv_cells import as_csv
    from workbench.formats.tables.json_text import json_text
    from workbench.formats.tables.latex import as_latex
    from workbench.formats.tables.sheets import records

    if kind == "table":
        _show([sheet] if shown is None else [each for each in shown if each.rows], wrap)
        return
    writers: dict[str, Callable[[], str]] = {
        "csv": lambda: "".join(as_csv(sheet)),
        "json": lambda: json_text(records(sheet) if whole is None else content(whole)),
        "latex": lambda: "".join(as_latex(sheet)),
    }
    text = writers[kind]()
    with until_closed():
        click.echo(text, nl=False)


def write_list(kind: str, sheet: Sheet, nothing: str = "", whole: Any = None) -> None:
    """Write a list as `write_sheet` does; where it is empty say `nothing`, in the place of the table for people."""
    if sheet.rows or kind != "table":
        write_sheet(kind, sheet, whole)
    if not sheet.rows and nothing:
        say(nothing)


def write_results(kind: str, of: type, results: Sequence[Any], whole: Any = None) -> None:
    """Write results of one kind, a row for each; JSON has `whole` instead, where it is given."""
    from workbench.formats.tables.sheets import sheet_of

    write_sheet(kind, sheet_of(of, results), results if whole is None else whole)


def write_sentences(kind: str, sentences: Iterable[str]) -> None:
    """Write what a table says below it; in another format than that for people, on standard error."""
    for sentence in filter(None, sentences):
        click.echo(sentence, err=kind != "table")


def _show(sheets: Sequence[Sheet], wrap: bool) -> None:
    grids = [(grid_of(each), [column.kind == "text" for column in each.columns]) for each in sheets]
    with until_closed():
        for place, (grid, is_text) in enumerate(grids):
            if place:
                click.echo()
            show_grid(grid, is_text, wrap=wrap)


@contextmanager
def until_closed() -> Iterator[None]:
    """Write to standard output until its reader closes it, which ends the output and nothing else."""
    try:
        yield
    except BrokenPipeError:
        drop_output()


def grid_of(sheet: Sheet) -> list[list[Printed]]:
    """The heads of a sheet and then its rows, as they are printed."""
    from workbench.formats.tables.sheets import printed_rows

    heads = [(column.head, False) for column in sheet.columns]
    rows = (
        [(text, (row, place) in sheet.best) for place, text in enumerate(texts)]
        for row, texts in enumerate(printed_rows(sheet))
    )
    return [heads, *rows]


def show_grid(grid: Sequence[Sequence[Printed]], is_text: Sequence[bool], *, wrap: bool = False) -> None:
    """Heads and rows; columns of text are on the left, the best cells are bold. Long tables are seen as they grow."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    console, rows = table_console(wrap=wrap), grid[1:]
    is_long = len(rows) > AT_ONCE and not wrap
    widths = [
        max(cell_len(text) for text, _ in column) if is_long else None for column in zip(*grid, strict=True)
    ]
    for first in range(0, max(len(rows), 1), AT_ONCE if is_long else max(len(rows), 1)):
        shown = Table(box=None, show_header=first == 0)
        for (head, _), on_the_left, width in zip(grid[0], is_text, widths, strict=True):
            side: Literal["left", "right"] = "left" if on_the_left else "right"
            shown.add_column(Text(head), justify=side, no_wrap=not wrap, width=width)
        for line in rows[first : first + AT_ONCE] if is_long else rows:
            shown.add_row(*(Text(text, style="bold" if is_best else "") for text, is_best in line))
        console.print(shown)
