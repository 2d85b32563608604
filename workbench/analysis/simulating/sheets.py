"""What a simulation and a plan say as sheets."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.analysis.simulating.plan import Plan
from workbench.analysis.simulating.simulate import Simulated
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet, sheet_of, with_best

CHOICES = (
    Column("Strategy", "strategy", "text"),
    Column("Depth", "depth", "count"),
    Column("Budget %", "budget", "size"),
    Column("Topics", "topics", "count"),
    Column("Pairs a topic", "pairs_per_topic", "size"),
    Column("Pairs", "pairs", "count"),
    Column("Hours", "hours", "count"),
    Column("Money", "money", "count"),
    Column("In order", "in_order", "score"),
)


def rows_sheet(rows: Sequence[Simulated]) -> Sheet:
    """The rows; the best of each budget are marked."""
    return with_best(*sheet_of(Simulated, rows)[:2], [str(row.budget) for row in rows])


def choices_sheet(plan: Plan) -> Sheet:
    """The choices of a plan; without a column of money where no price is known."""
    cells = [each._asdict() | {"topics": plan.topics} for each in plan.choices]
    kept = [
        column
        for column in CHOICES
        if column.name != "money" or any(row["money"] is not None for row in cells)
    ]
    return Sheet(tuple(kept), tuple(tuple(row[column.name] for column in kept) for row in cells))
