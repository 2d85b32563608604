"""Lists of who is to judge which topics: JSON lines with an account and its topics, or a table with a header.

JSON lines: {"account": "anna", "topics": ["3", "17"]}, with "part": "second" for topics of which the account judges
the pairs drawn for a second judgment; "assessor" may be written for "account". Tables are separated by commas,
semicolons or tabs; the columns are topic, assessor (or account) and, if wanted, part.
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
