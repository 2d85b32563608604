"""Repairs of run files that the organiser chooses, and what each of them did to a file.

A repair changes nothing in a file that does not need it. What is stored is the repaired run; the checksum stays that of
the file as it was sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import UnknownName
from workbench.core.wording import counted
from workbench.formats.text.lines import shown

if TYPE_CHECKING:
    import polars as pl

    from workbench.formats.text.columns import Table


class Repairs(NamedTuple):
    """The repairs that were chosen; each is '' where the file is refused instead, or one of its WAYS."""

    bad_lines: str = ""
    tags: str = ""
    duplicates: str = ""
    topics: str = ""
    extra_topics: str = ""
    extra_documents: str = ""


AS_SENT = Repairs()
"""No repair at all."""

WAYS = Repairs._make(
    (
        ("drop",),
        ("first",),
        ("first", "best-score"),
        ("by-position", "as-suggested"),
        ("drop",),
        ("drop",),
    )
)
"""The ways in which each of the repairs can be done."""


class Repair(NamedTuple):
    """What a repair did to one file: its name with the way it was done, how many lines it changed or left out, and a
    sentence.
    """

    name: str
    lines: int
    message: str


def chosen_repairs(**ways: str) -> Repairs:
    """The repairs of these names; UnknownName for a way that a repair does not have."""
    for name, way in ways.items():
        if way and way not in getattr(WAYS, name):
            ways_out = " or ".join(getattr(WAYS, name))
            message = f"{name.replace('_', ' ')} cannot be repaired by {way!r}; write {ways_out}"
            raise UnknownName(message)
    return Repairs(**ways)


def without_bad_lines(lines: list[int]) -> Repair:
    """What leaving out these lines did: they could not be read."""
    message = f"{counted(len(lines), 'line')} left out, which cannot be read (first: line {lines[0]})"
    return Repair("bad-lines drop", len(lines), message)


def with_first_tag(table: Table) -> Repair:
    """What taking all lines of a file with several tags for one run did."""
    tags = table.frame["tag"]
    other = int((tags != tags[0]).sum())
    message = (
        f"{counted(other, 'line')} with another tag than {shown(tags[0])} taken as lines of the same run"
    )
    return Repair("tags first", other, message)


def with_each_document_once(table: Table, way: str) -> tuple[Table, Repair]:
    """Each document once for each topic: its first line, or the one with its best score (the first of equal ones)."""
    kept = first_lines(table.frame) if way == "first" else best_lines(table.frame)
    repaired = keeping(table, kept)
    dropped = table.frame.height - repaired.frame.height
    which = "the first line of each" if way == "first" else "the line with the best score of each"
    message = f"{counted(dropped, 'line')} of documents listed twice in a topic left out; {which} was kept"
    return repaired, Repair(f"duplicates {way}", dropped, message)


def first_lines(frame: pl.DataFrame) -> pl.Series:
    """Whether each row is the first of its pair of topic and document."""
    import polars as pl

    return frame.select(pl.struct("topic_id", "document_id").is_first_distinct()).to_series()


def best_lines(frame: pl.DataFrame) -> pl.Series:
    """Whether each row has the best score of its pair of topic and document, and is the first of those that have it."""
    import polars as pl

    rows = frame.with_row_index("row")
    best_first = rows.sort("score", "row", descending=[True, False])
    best = best_first.unique(["topic_id", "document_id"], keep="first")["row"]
    return rows.select(pl.col("row").is_in(best.implode())).to_series()


def keeping(table: Table, kept: pl.Series) -> Table:
    """The table with those rows alone; its layout still tells the lines on which they stand."""
    return table._replace(frame=table.frame.filter(kept), layout=table.layout.keeping(kept.to_list()))
