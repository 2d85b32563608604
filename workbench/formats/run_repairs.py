"""Repairs of run files that the organiser chooses, and what each of them did to a file.

A repair changes nothing in a file that does not need it. What is stored is the repaired run; the checksum stays that of
the file as it was sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import UnknownName
from workbench.core.wording import counted
from workbench.formats.text.lines import Layout, shown

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
    documents: str = ""
    extra_documents: str = ""
    own_documents: str = ""


AS_SENT = Repairs()
"""No repair at all."""

WAYS = Repairs._make(
    (
        ("drop",),
        ("first",),
        ("identical", "first", "best-score"),
        ("by-position", "as-suggested"),
        ("drop",),
        ("as-suggested",),
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


class Changed(NamedTuple):
    """The lines that a repair changed: their numbers, what stood there, and what stands there now; None if left out."""

    repair: str
    lines: Sequence[int]
    before: pl.Series
    after: pl.Series | None = None

    def each(self) -> Iterator[tuple[int, str]]:
        """A sentence for each line, with its number."""
        after = repeat(None) if self.after is None else self.after
        for line, old, new in zip(self.lines, self.before, after, strict=False):
            yield line, f"{shown(old)} left out" if new is None else f"{shown(old)} became {shown(new)}"


class Done(NamedTuple):
    """A repair that was done, with its lines."""

    repair: Repair
    changed: Changed


def chosen_repairs(**ways: str) -> Repairs:
    """The repairs of these names; UnknownName for a way that a repair does not have."""
    for name, way in ways.items():
        if way and way not in getattr(WAYS, name):
            ways_out = " or ".join(getattr(WAYS, name))
            raise UnknownName(f"{name.replace('_', ' ')} cannot be repaired by {way!r}; write {ways_out}")
    return Repairs(**ways)


def without_bad_lines(data: bytes, lines: list[int]) -> Done:
    """What leaving out these lines did: they could not be read."""
    import polars as pl

    message = f"{counted(len(lines), 'line')} left out, which cannot be read (first: line {lines[0]})"
    texts = data.split(b"\n", lines[-1])
    before = pl.Series([texts[line - 1].strip().decode(errors="backslashreplace") for line in lines])
    return Done(Repair("bad-lines drop", len(lines), message), Changed("bad-lines drop", lines, before))


def with_first_tag(table: Table) -> Done:
    """What taking all lines of a file with several tags for one run did."""
    tags = table.frame["tag"]
    rows = (tags != tags[0]).arg_true()
    message = (
        f"{counted(len(rows), 'line')} with another tag than {shown(tags[0])} taken as lines of the same run"
    )
    before = tags.gather(rows)
    changed = Changed("tags first", _lines(table.layout, rows), before, tags.gather([0] * len(rows)))
    return Done(Repair("tags first", len(rows), message), changed)


KEPT = {
    "identical": "of each one was kept",
    "first": "the first line of each was kept",
    "best-score": "the line with the best score of each was kept",
}


def with_each_document_once(table: Table, way: str) -> tuple[Table, Done]:
    """Each document once for each topic: its first line, or the one with its best score (the first of equal ones).

    With the way "identical" only lines with the same score or grade are taken once.
    """
    kept = {"identical": identical_once, "first": first_lines, "best-score": best_lines}[way](table.frame)
    name = f"duplicates {way}"
    message = (
        f"{counted(int((~kept).sum()), 'line')} of documents listed twice in a topic left out; {KEPT[way]}"
    )
    done = left_out(table.frame, table.layout, kept, name, message)
    return keeping(table, kept), done


def keeping(table: Table, kept: pl.Series) -> Table:
    """The table with those rows alone; its layout still tells the lines on which they stand."""
    return table._replace(frame=table.frame.filter(kept), layout=table.layout.keeping(kept.to_list()))


def left_out(frame: pl.DataFrame, layout: Layout, kept: pl.Series, name: str, message: str) -> Done:
    """What leaving out all lines that are not kept did."""
    rows = (~kept).arg_true()
    texts = frame.filter(~kept).select(pair=_pair()).to_series()
    return Done(Repair(name, len(rows), message), Changed(name, _lines(layout, rows), texts))


def _pair() -> pl.Expr:
    import polars as pl

    return pl.format("topic {}, document {}", "topic_id", "document_id")


def _lines(layout: Layout, rows: pl.Series) -> list[int]:
    return [layout.line_of(row) for row in rows]


OWN_DOCUMENTS = "own-documents drop"


def without_own_documents(frame: pl.DataFrame, layout: Layout) -> tuple[pl.Series, Done] | None:
    """Which rows are no document that is the topic itself, and what leaving out the others did; None for none.

    Collections whose topics are documents (ArguAna of BEIR) would else reward a system for finding the topic.
    """
    kept = frame["topic_id"] != frame["document_id"]
    if kept.all():
        return None
    message = f"{counted(int((~kept).sum()), 'line')} left out whose document is the topic itself"
    return kept, left_out(frame, layout, kept, OWN_DOCUMENTS, message)


def identical_once(frame: pl.DataFrame) -> pl.Series:
    """Whether each row is the first that says the same of its pair of topic and document."""
    import polars as pl

    value = next(name for name in ("score", "grade") if name in frame.columns)
    return frame.select(pl.struct("topic_id", "document_id", value).is_first_distinct()).to_series()


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
