"""The table of topics as sheets, for people and for other programs, and as JSON."""

from __future__ import annotations

from typing import Any

from workbench.analysis.topic_profiles.table import Difficulty, TopicRow, TopicTable
from workbench.core.results import Column
from workbench.formats.tables.sheets import Cell, Sheet

NAMES = (Column("Topic", "topic", "text"), Column("Title", "title", "text"))
COUNTS = {
    "runs": "Runs",
    "pooled": "Pooled",
    "judged": "Judged",
    "waiting": "To judge",
    "relevant": "Relevant",
}
"""The counts of a topic, and what people read above them."""


def sheet_for_people(table: TopicTable) -> Sheet:
    """A row for each topic; scores of topics without judgments are empty."""
    scores = Column(f"Median {table.measure}", "median", "value"), Column("Mean", "mean", "value")
    rows = tuple(
        (*_counted(row), hard and hard.median, hard and hard.mean, f"{row.place}" if hard else None)
        for row in table.rows
        for hard in [row.difficulty]
    )
    return Sheet((*NAMES, *_counts(), *scores, Column("Place", "place", "count")), rows)


def sheet_of(table: TopicTable) -> Sheet:
    """The same with all scores."""
    scores = (Column(name, f"{name} {table.measure}", "value") for name in Difficulty._fields)
    rows = tuple(
        (*_counted(row), *(row.difficulty or (None,) * len(Difficulty._fields)), row.place or None)
        for row in table.rows
    )
    return Sheet((*NAMES, *_counts(), *scores, Column("Place", "place", "count")), rows)


def _counts() -> list[Column]:
    return [Column(head, name, "count") for name, head in COUNTS.items()]


def _counted(row: TopicRow) -> tuple[Cell, ...]:
    return row.topic_id, row.title, *(getattr(row, name) for name in COUNTS)


def content_of(table: TopicTable) -> dict[str, Any]:
    """As JSON: the row of the log, the measure, how many runs there are, and each topic with its scores in short."""
    topics = [
        row._asdict() | {"difficulty": row.difficulty and row.difficulty._asdict()} for row in table.rows
    ]
    head = {"seq": table.head.seq, "hash": table.head.hash.hex()}
    return {"as_of": head, "measure": str(table.measure), "runs": table.runs, "topics": topics}
