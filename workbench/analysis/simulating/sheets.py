"""What a simulation and a plan say as sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.analysis.simulating.plan import Plan
from workbench.analysis.simulating.simulate import Simulated
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet, with_best

COLUMNS = (
    Column("Strategy", "strategy", "text"),
    Column("Budget %", "budget", "size"),
    Column("Judged", "judged", "count"),
    Column("Recall", "recall", "score", "highest"),
    Column("Least", "recall_low", "score"),
    Column("Greatest", "recall_high", "score"),
    Column("Tau", "tau", "score", "highest"),
    Column("Tau AP", "tau_ap", "score", "highest"),
    Column("RMSE", "rmse", "score", "lowest"),
)
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
    cells = [tuple(content.values()) for content in rows_content(rows)]
    return with_best(COLUMNS, cells, [str(row.budget) for row in rows])


def rows_content(rows: Sequence[Simulated]) -> list[dict[str, Any]]:
    """The same with the names of the columns."""
    return [{column.name: getattr(row, column.name) for column in COLUMNS} for row in rows]


def choices_sheet(plan: Plan) -> Sheet:
    """The choices of a plan; without a column of money where no price is known."""
    cells = [each._asdict() | {"topics": plan.topics} for each in plan.choices]
    kept = [
        column
        for column in CHOICES
        if column.name != "money" or any(row["money"] is not None for row in cells)
    ]
    return Sheet(tuple(kept), tuple(tuple(row[column.name] for column in kept) for row in cells))
