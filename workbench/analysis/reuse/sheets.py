"""What leaving out does as sheets, for people, papers and programs, and as JSON."""

from __future__ import annotations

from typing import Any

from workbench.analysis.reuse.preserved import TEST
from workbench.analysis.reuse.report import Reuse
from workbench.analysis.reuse.rows import LeftOut, RunWithout
from workbench.formats.tables.sheets import Cell, Column, Sheet

COLUMNS = (
    Column("Left out", "left_out", "text"),
    Column("Run", "run", "text"),
    Column("Score", "score", "score"),
    Column("Without", "score_without", "score"),
    Column("Change", "change", "signed"),
    Column("Rank", "rank", "count"),
    Column("Rank without", "rank_without", "count"),
    Column("Unique relevant", "unique_relevant", "count"),
)
"""The columns that programs read; `unique_relevant` is of all that is left out, so the same for the runs of a team."""


def sheet_of(found: Reuse) -> Sheet:
    """A row for each run that is left out, alone or with its team."""
    rows = (
        (
            row.name,
            run.run,
            run.score,
            run.score_without,
            run.change,
            run.rank,
            run.rank_without,
            row.unique_relevant,
        )
        for row in found.rows
        for run in row.runs
    )
    return Sheet(COLUMNS, tuple(rows))


def sheet_for_people(found: Reuse) -> Sheet:
    """The same with the change in percent and the score at the same cost; runs alone have no second name."""
    by_team = found.by == "team"
    at_cost = any(run.at_cost is not None for row in found.rows for run in row.runs)
    columns = [
        *([Column("Left out", "left_out", "text")] if by_team else []),
        Column("Run", "run", "text"),
        Column(str(found.measure), "score", "score"),
        Column("Without", "score_without", "score"),
        Column("Change %", "change_percent", "size"),
        Column("Rank", "rank", "count"),
        Column("Rank without", "rank_without", "count"),
        *([Column("At the same cost", "score_at_cost", "score")] if at_cost else []),
        Column("Unique relevant", "unique_relevant", "count"),
    ]
    rows = tuple(_cells(row, run, by_team, at_cost) for row in found.rows for run in row.runs)
    return Sheet(tuple(columns), rows)


def _cells(row: LeftOut, run: RunWithout, by_team: bool, at_cost: bool) -> tuple[Cell, ...]:
    cost = None if run.at_cost is None else run.at_cost.score
    return (
        *([row.name] if by_team else []),
        run.run,
        run.score,
        run.score_without,
        run.change_percent,
        run.rank,
        run.rank_without,
        *([cost] if at_cost else []),
        row.unique_relevant,
    )


PAIRS = (
    Column("Left out", "left_out", "text"),
    Column("Significant pairs", "before", "count"),
    Column("Still significant", "agree", "count"),
    Column("No longer", "lost", "count"),
    Column("Newly", "gained", "count"),
    Column("Other run ahead", "reversed", "count"),
)


def sheet_of_pairs(found: Reuse) -> Sheet | None:
    """What becomes of the pairs of runs that differ significantly; None where they were not tested."""
    rows = tuple(
        (row.name, row.preserved.before, *row.preserved) for row in found.rows if row.preserved is not None
    )
    return Sheet(PAIRS, rows) if rows else None


def content_of(found: Reuse) -> dict[str, Any]:
    """Everything as JSON values."""
    return {
        "as_of": {"seq": found.head.seq, "hash": found.head.hash.hex()},
        "measure": str(found.measure),
        "by": found.by,
        "depth": found.depth,
        "topics": found.topics,
        "judged": found.judged,
        "relevant": found.relevant,
        "unique_relevant": found.unique_relevant,
        "judged_outside_pools": found.outside,
        "verdict": found.verdict.level,
        "reasons": [{"level": reason.level, "words": reason.words} for reason in found.verdict.reasons],
        "notes": list(found.notes),
        "left_out": [_left_out(row) for row in found.rows],
        "not_left_out": list(found.not_left_out),
        "significance": {"test": TEST},
        "judged_at": {
            "cutoff": found.coverage.cutoff,
            "runs": dict(found.coverage.by_run),
            "topics": dict(found.coverage.by_topic),
        },
        "dense_topics": [one._asdict() for one in found.dense],
        "late_topics": [one._asdict() for one in found.late],
    }


def _left_out(row: LeftOut) -> dict[str, Any]:
    kept = row.preserved
    return {
        "left_out": row.name,
        "pairs": row.pairs,
        "unique_relevant": row.unique_relevant,
        "runs": [_run(run) for run in row.runs],
        "significant_pairs": kept and {"before": kept.before, **kept._asdict()},
        "at_cost": None
        if row.pairs_at_cost is None
        else {"pairs": row.pairs_at_cost, "unjudged": row.unjudged_at_cost, "depth": row.depth_at_cost},
    }


def _run(run: RunWithout) -> dict[str, Any]:
    return {
        "run": run.run,
        "score": run.score,
        "score_without": run.score_without,
        "change": run.change,
        "change_percent": run.change_percent,
        "rank": run.rank,
        "rank_without": run.rank_without,
        "score_at_cost": run.at_cost and run.at_cost.score,
        "rank_at_cost": run.at_cost and run.at_cost.rank,
    }
