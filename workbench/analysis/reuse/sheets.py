"""What leaving out does as sheets, for people, papers and programs."""

from __future__ import annotations

from workbench.analysis.reuse.report import Reuse
from workbench.analysis.reuse.rows import LeftOut, RunWithout
from workbench.core.results import Column
from workbench.formats.tables.sheets import Cell, Sheet

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
