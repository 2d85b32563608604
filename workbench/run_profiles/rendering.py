"""The table of runs as text that other programs read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from workbench.formats.csv_cells import csv_lines
from workbench.run_profiles.table import RunRow, RunTable


def as_csv(table: RunTable) -> Iterator[str]:
    """CSV: one line per run, warnings joined by a semicolon."""
    rows = [record(row, table.cutoff) for row in table.rows]
    names = list(rows[0]) if rows else ["run"]
    return csv_lines([names, *([_cell(row[name]) for name in names] for row in rows)])


def as_json(table: RunTable) -> Iterator[str]:
    """JSON: the row of the log, and for each run what the CSV has, warnings and pools as lists."""
    head = {"seq": table.head.seq, "hash": table.head.hash.hex()}
    content = {"as_of": head, "runs": [record(row, table.cutoff) for row in table.rows]}
    yield json.dumps(content, ensure_ascii=False, indent=2) + "\n"


RENDERINGS: dict[str, Callable[[RunTable], Iterator[str]]] = {"csv": as_csv, "json": as_json}


def record(row: RunRow, cutoff: int) -> dict[str, Any]:
    """One run by the names of the columns."""
    stored = row.run.record
    return {
        "run": stored.tag,
        "team": stored.team,
        "topics": stored.topics,
        "lines": stored.lines,
        "file": stored.file,
        "sha256": stored.sha256,
        "added_at_seq": row.run.seq,
        "withdrawn_at_seq": row.run.withdrawn,
        "contributes": stored.contributes,
        "pools": list(row.pools),
        "pooled": row.contribution.pooled,
        "unique": row.contribution.unique,
        "unique_relevant": row.contribution.unique_relevant,
        f"judged_at_{cutoff}": row.judged,
        "warnings": [told(warning.line, warning.message) for warning in row.warnings],
    }


def told(line: int | None, message: str) -> str:
    """A warning in one sentence, with its line if it is about one."""
    return message if line is None else f"line {line}: {message}"


def _cell(value: object) -> object:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else value
