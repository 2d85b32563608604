"""Tables of runs: columns run (or tag), file, team, depth and priority; others are passed over, and cells may be empty.

One table serves for adding many runs at once, where `file` names what is added, and for pools, which take depths and
priorities from it. What `workbench campaign runs --format csv` writes is such a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.records import Columns
from workbench.formats.text.content import Content
from workbench.formats.text.lines import shown

RUN_COLUMNS = ("run", "tag")
NUMBERS = ("depth", "priority")
NAMES = {**dict.fromkeys(RUN_COLUMNS, "run"), **{name: name for name in ("file", "team", *NUMBERS)}}
OF_RUNS = Columns("run,depth,priority", NAMES, needed=(("run",), NUMBERS), last=True)
OF_CORRECTIONS = Columns("run,team,new_tag", NAMES, needed=(("run",),), last=True)
OF_FILES = Columns("file,team,tag,priority,depth", NAMES, needed=(("file",),), last=True)
"""A table of files names each once, the others each run; tags are different in all."""
LONGEST_NUMBER = 9
"""Digits of a depth or priority."""


class TableRun(NamedTuple):
    """One line: numbers are None and texts "" where the cell is empty; `cells` are all that are not, in small names."""

    tag: str
    depth: int | None
    priority: int | None
    line: int
    file: str
    team: str
    cells: Mapping[str, str]


def read_run_table(content: Content, columns: Columns = OF_RUNS) -> list[TableRun]:
    """The runs of a table in its order. Raises InputError with all that is wrong with it."""
    key = columns.needed[0][0]
    first: dict[tuple[str, str], tuple[int, Mapping[str, str]]] = {}

    def read(line: int, node: Node) -> Iterator[TableRun]:
        cells = {name.lower(): text for name, text in node.cells().items()}
        if key not in cells:
            node.wrong(key, "write its tag" if key == "run" else "write its name")
        for name in NUMBERS:
            number = cells.get(name, "0")
            if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
                node.wrong(name, "write a whole number such as 50, or leave the cell empty")
        for name in dict.fromkeys((key, "run")):
            if name not in cells:
                continue
            before, other = first.setdefault((name, cells[name]), (line, cells))
            if other is not cells:
                node.fault(
                    _twice(f"{name} {shown(cells[name])}", before, other.get("team"), cells.get("team"))
                )
        if not node.faults:
            depth, priority = (int(cells[name]) if name in cells else None for name in NUMBERS)
            tag, file, team = (cells.get(name, "") for name in ("run", "file", "team"))
            yield TableRun(tag, depth, priority, line, file, team, cells)

    return read_each(content, "runs", read, columns=columns)


def _twice(what: str, before: int, team: str | None, other: str | None) -> str:
    said = f"{what} is listed twice, first at line {before}"
    if team == other:
        return f"{said}; keep one of the two lines"
    return f"{said} with team {shown(team or '')}, here with {shown(other or '')}; keep the line of the right team"
