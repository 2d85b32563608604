"""Tables of runs with what a pool takes of each: columns run (or tag), depth and priority; others are passed over.

What `workbench runs --format csv` writes, with these columns added, is such a table. Cells may be empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.tables.csv_rows import table_rows
from workbench.formats.text.content import Content
from workbench.formats.text.lines import shown

RUN_COLUMNS = ("run", "tag")
NUMBER_COLUMNS = ("depth", "priority")
LONGEST_NUMBER = 9
"""Digits of a depth or priority."""


class TableRun(NamedTuple):
    """One line: `depth` and `priority` are None where the cell is empty; `line` counts from 1."""

    tag: str
    depth: int | None
    priority: int | None
    line: int


def read_run_table(content: Content) -> list[TableRun]:
    """The runs of a table, in its order; `InputError` with all that is wrong with it."""
    rows = table_rows(content)
    _, header = next(rows, (1, []))
    places = _places([name.lower() for name in header], content.file)
    found: list[TableRun] = []
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    for line, row in rows:
        tag, *numbers = (row[place] if place is not None and place < len(row) else "" for place in places)
        first = lines.setdefault(tag, line)
        messages = [*_wrong(tag, numbers), *([] if first == line else [_twice(tag, first)])]
        problems += [Problem(content.file, line, message) for message in messages]
        if not messages:
            depth, priority = (int(number) if number else None for number in numbers)
            found.append(TableRun(tag, depth, priority, line))
    if not found and not problems:
        problems.append(Problem(content.file, None, "the table names no runs; add a line for each run"))
    if problems:
        raise InputError(problems)
    return found


def _places(header: Sequence[str], file: str) -> tuple[int | None, ...]:
    """The places of the columns run, depth and priority."""
    run = next((header.index(name) for name in RUN_COLUMNS if name in header), None)
    numbers = [header.index(name) if name in header else None for name in NUMBER_COLUMNS]
    if run is None or numbers == [None, None]:
        lacking = "run (or tag)" if run is None else "depth or priority"
        message = f"the first line names no column {lacking}; write a line of names such as run,depth,priority above"
        raise InputError([Problem(file, 1, message)])
    return run, *numbers


def _wrong(tag: str, numbers: Sequence[str]) -> Iterator[str]:
    if not tag:
        yield "the run is missing; write its tag"
    for name, number in zip(NUMBER_COLUMNS, numbers, strict=True):
        if number and not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
            yield f"{name} {shown(number)} is not a whole number; write it like 50, or leave the cell empty"


def _twice(tag: str, first: int) -> str:
    return f"run {shown(tag)} is listed twice, first at line {first}; keep one of the two lines"
