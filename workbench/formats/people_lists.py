"""Lists of people: who judges which topics, and people to invite. Tables are separated by commas, semicolons or tabs.

Who judges is JSON lines with an account and its topics, or a table with a header.
JSON lines: {"account": "anna", "topics": ["3", "17"]}, with "part": "second" for topics of which the account judges
the pairs drawn for a second judgment; "assessor" may be written for "account". The columns of a
table are topic, assessor (or account) and, if wanted, part.

In a table of people to invite the column name (or email) says who an invitation is for; role, team and topics (ids with
blanks between them) are optional.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.answers.nodes import Node
from workbench.formats.tables.csv_cells import csv_lines
from workbench.formats.tables.records import Columns, records, spellings
from workbench.formats.text.content import Content

PARTS = ("whole", "second")
LONGEST_NAME = 200
ASSIGNED = Columns(
    "topic,assessor,part",
    spellings(
        {"topic": ("topic", "topic_id", "qid"), "assessor": ("assessor", "account", "name"), "part": ["part"]}
    ),
    needed=(("topic",), ("assessor",)),
)


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
    for line, value in records(content, ASSIGNED):
        try:
            found.extend(_listed(value, line))
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


def _listed(value: object, line: int) -> list[Listed]:
    if not isinstance(value, Mapping):
        raise Wrong('an object is expected, such as {"account": "anna", "topics": ["3", "17"]}')
    assessor, part = _name(value.get("assessor")), _part(value.get("part", "whole"))
    topics = value.get("topics", [value.get("topic")])
    if not isinstance(topics, list) or not all(isinstance(topic, str) and topic for topic in topics):
        raise Wrong(
            "the topic is missing" if "topics" not in value else '"topics" must be a list of topic ids'
        )
    return [Listed(str(topic), assessor, part, line) for topic in topics]


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
INVITED = Columns(
    ",".join(COLUMNS), {each: each for each in COLUMNS} | {"email": "name"}, needed=(("name",),), only=True
)


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
    found, problems = list[Invited](), list[Problem]()
    for line, value in records(content, INVITED):
        node = Node(value)
        found.append(_invited(node, line))
        problems += (Problem(content.file, line, message) for message in node.faults)
    problems += _problems(found, content.file)
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


def _invited(node: Node, line: int) -> Invited:
    name, role, team, topics = (" ".join(node.text(each).split()) for each in COLUMNS)
    named = dict.fromkeys(topics.replace(",", " ").replace(";", " ").split())
    return Invited(name, role.lower(), team, tuple(named), line)


def _problems(found: Iterable[Invited], file: str) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for row in found:
        if not row.name:
            yield Problem(file, row.line, "the name is missing; write who the invitation is for")
        elif (line := first.setdefault(row.name.casefold(), row.line)) != row.line:
            yield Problem(
                file, row.line, f"{row.name} is invited in line {line} already; take one of the rows out"
            )
