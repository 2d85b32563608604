"""Tables of documents whose ids changed: an old and a new id in each row, or a JSON object in each line.

The columns are old and new (or old_id, new_id); without a line of names they are the first two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.tables.records import Columns, records, spellings
from workbench.formats.text.content import Content
from workbench.formats.text.lines import identifier_problem

COLUMNS = Columns(
    "old,new",
    spellings({"old": ("old", "old_id"), "new": ("new", "new_id")}),
    needed=(("old",), ("new",)),
    unnamed=("old", "new"),
)


class ChangedId(NamedTuple):
    """One row; `line` counts from 1."""

    old: str
    new: str
    line: int


def read_changed_ids(content: Content) -> list[ChangedId]:
    """The rows in their order, each old id once; `InputError` with all that is wrong with them."""
    found, problems = dict[str, ChangedId](), list[Problem]()
    for row in _rows(content):
        wrong = [identifier_problem("document", each) for each in row[:2]]
        if not (row.old and row.new):
            wrong = ["an old and a new id are expected; write them as old,new"]
        elif (first := found.setdefault(row.old, row)).new != row.new:
            wrong = [
                f"{row.old} becomes {row.new}, but {first.new} in line {first.line}; keep one of the two"
            ]
        problems += [Problem(content.file, row.line, message) for message in wrong if message]
    if not found and not problems:
        problems.append(
            Problem(content.file, None, "the table has no rows; write an old and a new id in each")
        )
    if problems:
        raise InputError(problems)
    return list(found.values())


def _rows(content: Content) -> Iterator[ChangedId]:
    """The rows, with "" where an id is missing."""
    for line, value in records(content, COLUMNS):
        given = value if isinstance(value, dict) else {}
        old, new = (each if isinstance(each := given.get(name), str) else "" for name in COLUMNS.unnamed)
        yield ChangedId(old, new, line)
