"""The table of topics as CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from workbench.formats.csv_cells import csv_lines
from workbench.topic_profiles.table import Difficulty, TopicRow, TopicTable

COUNTS = ("runs", "pooled", "judged", "waiting", "relevant")


def as_csv(table: TopicTable) -> Iterator[str]:
    """One line a topic; scores of topics without judgments are empty."""
    scores = [f"{name} {table.measure}" for name in Difficulty._fields]
    head = ["topic", "title", *COUNTS, *scores, "place"]
    return csv_lines([head, *map(_cells, table.rows)])


def as_json(table: TopicTable) -> Iterator[str]:
    """The row of the log, the measure, how many runs there are, and each topic with its scores in short."""
    topics = [
        row._asdict() | {"difficulty": row.difficulty and row.difficulty._asdict()} for row in table.rows
    ]
    head = {"seq": table.head.seq, "hash": table.head.hash.hex()}
    whole = {"as_of": head, "measure": str(table.measure), "runs": table.runs, "topics": topics}
    yield json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _cells(row: TopicRow) -> list[object]:
    scores = row.difficulty or ("",) * len(Difficulty._fields)
    counts = [getattr(row, name) for name in COUNTS]
    return [row.topic_id, row.title, *counts, *scores, row.place or ""]


RENDERINGS: dict[str, Callable[[TopicTable], Iterator[str]]] = {"csv": as_csv, "json": as_json}
