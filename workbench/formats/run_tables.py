"""Tables of runs: columns run (or tag), file, team, depth and priority; others are passed over, and cells may be empty.

One table serves for adding many runs at once, where `file` names what is added, and for pools, which take depths and
priorities from it. What `workbench campaign runs --format csv` writes is such a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.content import Content
from workbench.formats.text.lines import shown

RUN_COLUMNS = ("run", "tag")
NUMBER_COLUMNS = ("depth", "priority")
TEXT_COLUMNS = ("file", "team")
LONGEST_NUMBER = 9
"""Digits of a depth or priority."""


class TableRun(NamedTuple):
    """One line: numbers are None and texts "" where the cell is empty; `line` counts from 1, `cells` are all."""

    tag: str
    depth: int | None
    priority: int | None
    line: int
    file: str = ""
    team: str = ""
    cells: Mapping[str, str] = MappingProxyType({})


def read_run_table(content: Content, key: str = "tag", *, alone: bool = False) -> list[TableRun]:
    """The runs of a table in its order: of a table of files with `key` 'file'; else each by its tag, with a depth or
    priority, or whatever is to be corrected of it where the tag `alone` is enough.

    Raises InputError with all that is wrong with it.
    """
    rows = table_rows(content)
    _, header = next(rows, (1, []))
    header = [name.lower() for name in header]
    places = _places(header)
    if message := "" if alone and key in places else _lacking(places, key):
        raise InputError([Problem(content.file, 1, message)])
    found: list[TableRun] = []
    problems: list[Problem] = []
    seen: dict[tuple[str, str], TableRun] = {}
    for line, row in rows:
        cells = {name: row[place] if place < len(row) else "" for name, place in places.items()}
        messages = list(_wrong(cells, key))
        depth, priority = (
            int(cells[name]) if cells.get(name) and not messages else None for name in NUMBER_COLUMNS
        )
        file, team = (cells.get(name, "") for name in TEXT_COLUMNS)
        every = {name: cell for name, cell in zip(header, row, strict=False) if cell}
        one = TableRun(cells.get("tag", ""), depth, priority, line, file, team, every)
        for name in dict.fromkeys((key, "tag")):
            if value := getattr(one, name):
                first = seen.setdefault((name, value), one)
                messages += [] if first is one else [_twice(name, value, first, one)]
        problems += [Problem(content.file, line, message) for message in messages]
        found.append(one)
    if not found:
        problems.append(Problem(content.file, None, "the table names no runs; add a line for each run"))
    if problems:
        raise InputError(problems)
    return found


def _places(header: Sequence[str]) -> dict[str, int]:
    """Where the columns stand that are read; of two of one name the one that was added at the end."""
    last = {name: place for place, name in enumerate(header)}
    named = {name: last[name] for name in (*NUMBER_COLUMNS, *TEXT_COLUMNS) if name in last}
    run = next((header.index(name) for name in RUN_COLUMNS if name in header), None)
    return named if run is None else {"tag": run, **named}


def _lacking(places: Mapping[str, int], key: str) -> str:
    """What a table of files, or of depths and priorities, lacks; "" for nothing."""
    if key in places and (key == "file" or places.keys() & set(NUMBER_COLUMNS)):
        return ""
    lacking, names = "file", "file,team,tag,priority,depth"
    if key == "tag":
        lacking, names = "depth or priority" if key in places else "run (or tag)", "run,depth,priority"
    return f"the first line names no column {lacking}; write a line of names such as {names} above"


def _wrong(cells: Mapping[str, str], key: str) -> Iterator[str]:
    if not cells[key]:
        yield "the run is missing; write its tag" if key == "tag" else "the file is missing; write its name"
    for name in NUMBER_COLUMNS:
        number = cells.get(name, "")
        if number and not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
            yield f"{name} {shown(number)} is not a whole number; write it like 50, or leave the cell empty"


def _twice(name: str, value: str, first: TableRun, other: TableRun) -> str:
    what = f"run {shown(value)}" if name == "tag" else f"file {shown(value)}"
    if name == "file" and first.team != other.team:
        teams = f"with team {shown(first.team)}, here with {shown(other.team)}"
        return f"{what} is listed twice, first at line {first.line} {teams}; keep the line of the right team"
    return f"{what} is listed twice, first at line {first.line}; keep one of the two lines"
