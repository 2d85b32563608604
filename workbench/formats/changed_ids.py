"""Tables of documents whose ids changed: an old and a new id in each row, or a JSON object in each line.

The columns are old and new (or old_id, new_id); without a line of names they are the first two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.records import Columns, spellings
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
    found = dict[str, ChangedId]()

    def read(line: int, node: Node) -> Iterator[ChangedId]:
        old, new = (
            node.text(name, needed="write an old and a new id, as old,new") for name in COLUMNS.unnamed
        )
        first = found.setdefault(old, row := ChangedId(old, new, line))
        for problem in filter(None, (identifier_problem("document", each) for each in (old, new) if each)):
            node.fault(problem)
        if first.new != new:
            node.fault(f"{old} becomes {new}, but {first.new} in line {first.line}; keep one of the two")
        yield row

    read_each(content, "old and new ids", read, columns=COLUMNS)
    return list(found.values())
