"""The table of runs as sheets, for people and for other programs, and as JSON."""

from __future__ import annotations

from typing import Any

from workbench.analysis.run_profiles.table import RunRow, RunTable
from workbench.core.results import Column
from workbench.formats.tables.sheets import Cell, Sheet


def sheet_for_people(table: RunTable) -> Sheet:
    """A row for each run with what it brought to the pools, and its team if any run has one."""
    has_teams = any(row.run.record.team for row in table.rows)
    columns = [
        Column("Run", "run", "text"),
        *([Column("Team", "team", "text")] if has_teams else []),
        Column("Topics", "topics", "count"),
        Column("Lines", "lines", "count"),
        Column("Warnings", "warnings", "count"),
        Column("Pooled", "pooled", "count"),
        Column("Unique", "unique", "count"),
        Column("Relevant", "unique_relevant", "count"),
        Column(f"Judged@{table.cutoff}", f"judged_at_{table.cutoff}", "value"),
        Column("State", "state", "text"),
    ]
    rows = []
    for row in table.rows:
        record = row.run.record
        names = (record.tag, *([record.team] if has_teams else []))
        counts = (record.topics, record.lines, len(row.warnings), *row.contribution)
        rows.append((*names, *counts, row.judged, row.state))
    return Sheet(tuple(columns), tuple(rows))


def sheet_of(table: RunTable) -> Sheet:
    """A row for each run with everything that is known, warnings and repairs joined by semicolons."""
    records = [record(row, table.cutoff) for row in table.rows]
    names = list(records[0]) if records else ["run"]
    rows = tuple(tuple(map(_cell, each.values())) for each in records)
    return Sheet(tuple(Column(name, name, "text") for name in names), rows)


def content_of(table: RunTable) -> dict[str, Any]:
    """As JSON: the row of the log, and for each run what the sheet has, warnings, repairs and pools as lists."""
    head = {"seq": table.head.seq, "hash": table.head.hash.hex()}
    return {"as_of": head, "runs": [record(row, table.cutoff) for row in table.rows]}


def record(row: RunRow, cutoff: int) -> dict[str, Any]:
    """One run by the names of the columns."""
    stored = row.run.record
    return {
        "run": stored.tag,
        "team": stored.team,
        "priority": row.details.priority,
        "depth": row.details.depth,
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
        "warnings": [with_line(warning.line, warning.message) for warning in row.warnings],
        "repairs": [repair.message for repair in row.run.repairs],
    }


def with_line(line: int | None, message: str) -> str:
    """A warning in one sentence, with its line if it is about one."""
    return message if line is None else f"line {line}: {message}"


def _cell(value: Any) -> Cell:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else value
