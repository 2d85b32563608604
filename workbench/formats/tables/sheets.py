"""A sheet: rows under columns that say what is in them, whatever the sheet is then written as.

`csv_cells` writes sheets as CSV, `latex` as LaTeX, `json_text` their content as JSON, `aligned` and the command line's
`tables` as text for people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from workbench.core.results import Column, fields_of, is_result

Cell = str | int | float | None
"""What is in a row; None where there is no value."""

SMALLEST_P = 0.0001


class Sheet(NamedTuple):
    """Rows under columns; `best` are the places (row, column), from 0, of the values that are the best."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()


PRINTED: dict[str, Callable[[float], str]] = {
    "count": lambda value: f"{value:,.0f}",
    "value": lambda value: f"{value:.4f}",
    "score": lambda value: f"{value:z.4f}",
    "signed": lambda value: f"{value:+z.4f}",
    "p": lambda value: f"<{SMALLEST_P}" if value < SMALLEST_P else f"{value:.4f}",
    "size": lambda value: f"{value:.2f}",
    "quantity": lambda value: f"{value:,.0f}" if value >= 1e5 else f"{value:.4g}",
}
"""How numbers of each kind are printed; a "value" is printed as C's %.4f prints it, so -0.0000 too."""


def printed(cell: Cell, kind: str) -> str:
    """A cell as people read it: scores with four digits, p-values below .0001 as such, text as it is."""
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else PRINTED[kind](cell)


def printed_rows(sheet: Sheet) -> list[list[str]]:
    """The cells of all rows as people read them."""
    kinds = [column.kind for column in sheet.columns]
    return [[printed(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in sheet.rows]


def sheet_of(
    kind: Any,
    results: Iterable[Any],
    names: Sequence[str] = (),
    heads: Mapping[str, str] = MappingProxyType({}),
) -> Sheet:
    """Results of one kind as a table with a row for each.

    A value that is true or false is "yes" or "no"; several values have blanks between them, records semicolons.

    Args:
        kind: the kind of result.
        results: the results.
        names: the columns to show, in this order; all by default.
        heads: heads in the place of those declared, by the names of their columns.
    """
    by_name = {field.column.name: field for field in fields_of(kind) if field.in_tables}
    fields = [by_name[name] for name in names or by_name]
    columns = (each.column._replace(head=heads.get(each.column.name, each.column.head)) for each in fields)
    return Sheet(tuple(columns), tuple(tuple(_cell(each.of(row)) for each in fields) for row in results))


def _cell(value: Any) -> Cell:
    if isinstance(value, tuple | list):
        return ("; " if value and is_result(type(value[0])) else " ").join(map(str, value))
    return ("no", "yes")[value] if isinstance(value, bool) else value


def records(sheet: Sheet) -> list[dict[str, Cell]]:
    """The rows of a sheet for JSON, each with the names of its columns."""
    names = [column.name for column in sheet.columns]
    return [dict(zip(names, row, strict=True)) for row in sheet.rows]


BEST: dict[str, Callable[[Iterable[float]], float]] = {"highest": max, "lowest": min}


def with_best(
    columns: Sequence[Column], rows: Iterable[Sequence[Cell]], groups: Sequence[str] | None = None
) -> Sheet:
    """A sheet that knows the best value of each column, none where all have the same.

    Args:
        columns: the columns; those with a `best` are compared.
        rows: the rows.
        groups: for each row the name of those that it competes with; None when all compete.
    """
    filled = tuple(map(tuple, rows))
    rivals: dict[str, list[int]] = {}
    for place, group in enumerate(groups if groups is not None else [""] * len(filled)):
        rivals.setdefault(group, []).append(place)
    best = frozenset(
        (row, place)
        for same in rivals.values()
        for place, column in enumerate(columns)
        if column.best in BEST
        for row in _best(column.best, {row: filled[row][place] for row in same})
    )
    return Sheet(tuple(columns), filled, best)


def _best(best: str, cells: dict[int, Cell]) -> list[int]:
    values = {row: value for row, value in cells.items() if value is not None and not isinstance(value, str)}
    distinct = set(values.values())
    if len(distinct) < 2:
        return []
    top = BEST[best](distinct)
    return [row for row, value in values.items() if value == top]


GAP = "  "


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table with its columns below one another; every line has as many cells."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for first, *others in lines:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield GAP.join([first.ljust(widths[0]), *cells]).rstrip() + "\n"
