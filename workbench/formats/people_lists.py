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
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.csv_cells import csv_lines
from workbench.formats.tables.records import Columns, spellings
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


def read_assignments(content: Content) -> list[Listed]:
    """The assignments of a list, in its order; `InputError` with all that is wrong with it."""
    return read_each(
        content,
        "topics and who judges them",
        _listed,
        lambda each: f"topic {each.topic_id!r} of {each.assessor!r}",
        columns=ASSIGNED,
    )


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


def _listed(line: int, node: Node) -> Iterator[Listed]:
    topics = node.texts("topics") if "topics" in node.value else [node.text("topic")]
    assessor = node.text("assessor").strip()
    if wrong := wrong_with_name(assessor):
        node.fault(wrong)
    part = node.word("part", ("", *PARTS)) or PARTS[0]
    for topic in dict.fromkeys(topics):
        if not topic:
            node.fault("the topic is missing; write its id")
        yield Listed(topic, assessor, part, line)


def wrong_with_name(name: str) -> str:
    """What is wrong with a name to assign topics to, "" if nothing is."""
    if not name.strip():
        return "the account is missing"
    if len(name) > LONGEST_NAME or not name.isprintable():
        return f"a name has at most {LONGEST_NAME} characters, all of which can be printed"
    return ""


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
    return read_each(
        content, "people to invite", _invited, lambda each: each.name.casefold(), columns=INVITED
    )


def write_links(rows: Iterable[tuple[Invited, str]]) -> Iterator[str]:
    """The list with the link of each invitation, as a table separated by commas, line by line."""
    cells = ((row.name, row.role, row.team, " ".join(row.topics), link) for row, link in rows)
    return csv_lines([(*COLUMNS, "link"), *cells])


def _invited(line: int, node: Node) -> Iterator[Invited]:
    name, role, team, topics = (" ".join(node.text(each).split()) for each in COLUMNS)
    if not name:
        node.wrong("name", "write who the invitation is for")
    named = dict.fromkeys(topics.replace(",", " ").replace(";", " ").split())
    yield Invited(name, role.lower(), team, tuple(named), line)
