"""Lists of people: who judges which topics, and people to invite. Tables are separated by commas, semicolons or tabs.

Who judges is JSON lines with an account and its topics, or a table with a header.
JSON lines: {"account": "anna", "topics": ["3", "17"]}, with "part": "second" for topics of which the account judges
the pairs drawn for a second judgment; "assessor" may be written for "account". The columns of a
table are topic, assessor (or account) and, if wanted, part.

In a table of people to invite the column name (or email) says who an invitation is for; role, team and topics (ids with
blanks between them) are optional.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.tables.csv_cells import csv_lines, table_rows
from workbench.formats.text.content import Content
from workbench.formats.text.json_values import json_objects

PARTS = ("whole", "second")
LONGEST_NAME = 200
TOPIC_COLUMNS = ("topic", "topic_id", "qid")
ASSESSOR_COLUMNS = ("assessor", "account", "name")


class Listed(NamedTuple):
    """One line's word that an assessor judges a topic: `part` is one of PARTS, `line` counts from 1."""

    topic_id: str
    assessor: str
    part: str
    line: int


class Wrong(Exception):
    """What is wrong with a line."""


def read_assignments(content: Content) -> list[Listed]:
    """The assignments of a list, in its order; `InputError` with all that is wrong with it."""
    found: list[Listed] = []
    problems: list[Problem] = []
    first = content.data.lstrip()[:1]
    rows = _of_table(content)
    if first in (b"{", b"["):
        objects = json_objects(io.BytesIO(content.data), content.file)
        rows = ((line, _of_object(value, line)) for line, value in objects)
    for line, read in rows:
        try:
            found.extend(read)
        except Wrong as error:
            problems.append(Problem(content.file, line, str(error)))
    problems += _twice(found, content.file)
    if not found and not problems:
        problems.append(Problem(content.file, None, "the list names no topics"))
    if problems:
        raise InputError(problems)
    return found


def write_json_lines(rows: Iterable[tuple[str, str, str]]) -> str:
    """A list of topics, assessors and parts as JSON lines: one for each account and part, by their first topics."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for topic_id, assessor, part in rows:
        grouped.setdefault((assessor, part), []).append(topic_id)
    return "".join(
        json.dumps(
            {"account": assessor, "topics": topics} | ({} if part == "whole" else {"part": part}),
            ensure_ascii=False,
        )
        + "\n"
        for (assessor, part), topics in grouped.items()
    )


def write_table(rows: Iterable[tuple[str, str, str]]) -> str:
    """A list of topics, assessors and parts as a table separated by commas, with a header."""
    return "".join(csv_lines([("topic", "assessor", "part"), *rows]))


def _of_object(value: object, line: int) -> Iterator[Listed]:
    if not isinstance(value, Mapping):
        raise Wrong('an object is expected, such as {"account": "anna", "topics": ["3", "17"]}')
    assessor = _name(value.get("account", value.get("assessor")))
    topics = value.get("topics")
    if not isinstance(topics, list) or not all(isinstance(topic, str) and topic for topic in topics):
        raise Wrong('"topics" must be a list of topic ids')
    part = _part(value.get("part", "whole"))
    for topic in topics:
        yield Listed(str(topic), assessor, part, line)


def _of_table(content: Content) -> Iterator[tuple[int, Iterator[Listed]]]:
    rows = table_rows(content)
    _, header = next(rows, (1, []))
    names = [name.lower() for name in header]
    columns = tuple(_column(names, wanted, content.file) for wanted in (TOPIC_COLUMNS, ASSESSOR_COLUMNS))
    part = names.index("part") if "part" in names else None
    for line, row in rows:
        yield line, _of_row(row, columns, part, line)


def _of_row(row: Sequence[str], columns: Sequence[int], part: int | None, line: int) -> Iterator[Listed]:
    if len(row) <= max(columns):
        raise Wrong(f"{len(row)} columns, which are too few")
    topic, assessor = (row[column] for column in columns)
    if not topic:
        raise Wrong("the topic is missing")
    given = row[part] if part is not None and len(row) > part else ""
    yield Listed(topic, _name(assessor), _part(given or "whole"), line)


def _column(header: Sequence[str], names: Sequence[str], file: str) -> int:
    for name in names:
        if name in header:
            return header.index(name)
    message = f"the first line names no column {names[0]!r}; a table has the columns topic, assessor and part"
    raise InputError([Problem(file, 1, message)])


def _name(value: object) -> str:
    name = value.strip() if isinstance(value, str) else ""
    if wrong := wrong_with_name(name):
        raise Wrong(wrong)
    return name


def wrong_with_name(name: str) -> str:
    """What is wrong with a name to assign topics to, "" if nothing is."""
    if not name.strip():
        return "the account is missing"
    if len(name) > LONGEST_NAME or not name.isprintable():
        return f"a name has at most {LONGEST_NAME} characters, all of which can be printed"
    return ""


def _part(value: object) -> str:
    if value not in PARTS:
        raise Wrong(f"a part is one of {', '.join(PARTS)}")
    return str(value)


def _twice(found: Iterable[Listed], file: str) -> Iterator[Problem]:
    seen: dict[tuple[str, str], int] = {}
    for topic_id, assessor, _, line in found:
        first = seen.setdefault((topic_id, assessor), line)
        if first is not line:
            yield Problem(file, line, f"topic {topic_id!r} is given to {assessor!r} already, in line {first}")


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
        message = _invited_twice(header, names)
    else:
        return {name: place for place, name in enumerate(names)}
    raise InputError([Problem(file, 1, message)])


def _invited_twice(header: Sequence[str], names: Sequence[str]) -> str:
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
