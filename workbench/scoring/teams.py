"""One row for each team: its best run."""

from __future__ import annotations

from workbench.measures import BoundMeasure
from workbench.scoring.table import ScoreRow, ScoreTable


def order_key(measure: BoundMeasure, value: float) -> float:
    """What to sort by, ascending, so that the best value comes first; the highest where no value is a merit."""
    return value if measure.best == "lowest" else -value


def best_of_teams(table: ScoreTable) -> ScoreTable:
    """The table with only the best run of each team on the first measure, the one added first of equal ones.

    A run that names no team stands for itself. Rows stay in the order in which the runs were added.
    """
    best: dict[str, ScoreRow] = {}
    for row in table.rows:
        name = f"team {row.team}" if row.team else f"run {row.tag}"
        if name not in best or _key(table, row) < _key(table, best[name]):
            best[name] = row
    chosen = {row.tag for row in best.values()}
    return table._replace(rows=tuple(row for row in table.rows if row.tag in chosen))


def _key(table: ScoreTable, row: ScoreRow) -> float:
    return order_key(table.measures[0], row.values[0])
