"""One row for each team: its best run."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.arrays import NOISE
from workbench.scoring.board.table import ScoreTable


def best_of_teams(table: ScoreTable) -> ScoreTable:
    """The table with only the best run of each team on the first measure; rows stay in their order."""
    rows = table.rows
    columns = best_columns(
        table.measures[0],
        [row.values[0] for row in rows],
        [row.tag for row in rows],
        [row.team for row in rows],
    )
    return table._replace(rows=tuple(rows[column] for column in columns))


def best_columns(
    measure: BoundMeasure, values: Sequence[float], tags: Sequence[str], teams: Sequence[str]
) -> list[int]:
    """The places of the best run of each team, in their order; the first of equal ones.

    The lowest value is the best where the measure says so, else the highest. A run that names no team counts as
    itself.
    """
    sign = 1 if measure.best == "lowest" else -1
    best: dict[tuple[str, str], int] = {}
    for place, (value, tag, team) in enumerate(zip(values, tags, teams, strict=True)):
        name = ("team", team) if team else ("run", tag)
        if name not in best or sign * (values[best[name]] - value) > NOISE:
            best[name] = place
    return sorted(best.values())
