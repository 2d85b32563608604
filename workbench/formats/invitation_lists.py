"""Lists of people to invite: a table with a header, separated by commas, semicolons or tabs.

The column name (or email) says who an invitation is for; role, team and topics (ids with blanks between them) are
optional.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.tables.csv_cells import csv_lines, table_rows
from workbench.formats.text.content import Content

COLUMNS = ("name", "role", "team", "topics")
NAMES = ("name", "email")
"""What the first column may be called."""


class Invited(NamedTuple):
    """A row of a list: who the invitation is for, with which role ("" where none is named), team and topics.

    `line` counts from 1.
    """

    name: str
    role: str
    team: str
    topics: tuple[str, ...]
    line: int


def read_invitations(content: Content) -> list[Invited]:
    """The rows of a list in its order; `InputError` with all rows that have no name, or one that an earlier row has."""
    rows = table_rows(content)
    _, header = next(rows, (1, []))
    places = _places([name.strip().lower() for name in header], content.file)
    found = [_row(cells, places, line) for line, cells in rows]
    problems = list(_problems(found, content.file))
    if not found:
        problems.append(
            Problem(content.file, None, "the list has no rows below its header; name one person in each row")
        )
    if problems:
        raise InputError(problems)
    return found


def write_links(rows: Iterable[tuple[Invited, str]]) -> Iterator[str]:
    """The list with the link of each invitation, as a table separated by commas, line by line."""
    cells = ((row.name, row.role, row.team, " ".join(row.topics), link) for row, link in rows)
    return csv_lines([(*COLUMNS, "link"), *cells])


def _places(header: Sequence[str], file: str) -> dict[str, int]:
    names = ["name" if name in NAMES else name for name in header]
    unknown = [name for name in names if name not in COLUMNS]
    if "name" not in names:
        message = "the first line names no column 'name'; a list has the columns name, role, team and topics"
    elif unknown:
        message = f"there is no column {unknown[0]!r}; a list has the columns {', '.join(COLUMNS)}"
    elif len(set(names)) < len(names):
        message = _twice(header, names)
    else:
        return {name: place for place, name in enumerate(names)}
    raise InputError([Problem(file, 1, message)])


def _twice(header: Sequence[str], names: Sequence[str]) -> str:
    """Which columns of a header say the same, and the way out."""
    name = next(name for place, name in enumerate(names) if name in names[:place])
    same = [column for column, named in zip(header, names, strict=True) if named == name]
    if len(set(same)) == 1:
        return f"column {name!r} is there {len(same)} times; leave one"
    return f"the columns {' and '.join(map(repr, same))} both say who is invited; leave one of them"


def _row(cells: Sequence[str], places: dict[str, int], line: int) -> Invited:
    def cell(column: str) -> str:
        place = places.get(column, len(cells))
        return " ".join(cells[place].split()) if place < len(cells) else ""

    topics = tuple(dict.fromkeys(cell("topics").replace(",", " ").replace(";", " ").split()))
    return Invited(cell("name"), cell("role").lower(), cell("team"), topics, line)


def _problems(found: Iterable[Invited], file: str) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for row in found:
        if not row.name:
            yield Problem(file, row.line, "the name is missing; write who the invitation is for")
        elif (line := first.setdefault(row.name.casefold(), row.line)) != row.line:
            yield Problem(
                file, row.line, f"{row.name} is invited in line {line} already; take one of the rows out"
            )
