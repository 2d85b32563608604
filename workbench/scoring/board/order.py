"""The order of runs in tables of scores: by a measure, the best first, by name, by team, or as they were added.

Which runs are at the top has one answer here, for the leaderboard and for comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.errors import UnknownName
from workbench.core.natural_order import natural
from workbench.core.wording import listed
from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.arrays import NOISE, levels
from workbench.scoring.board.table import ScoreTable

RUN, TEAM, ADDED = "run", "team", "added"
NAMES_SHOWN = 3


def at_the_top(measure: BoundMeasure, values: Sequence[float], tags: Sequence[str]) -> list[str]:
    """The runs with the best value, equal up to rounding, in the order given: the lowest where the measure says so."""
    sign = 1 if measure.best == "lowest" else -1
    best = min((sign * value for value in values), default=0.0)
    return [tag for value, tag in zip(values, tags, strict=True) if sign * value - best <= NOISE]


def best_first(measure: BoundMeasure, values: Sequence[float]) -> list[int]:
    """The places of the values, the best first: the lowest where the measure says so.

    Those that are equal, or differ by rounding alone, keep their order.
    """
    sign = 1 if measure.best == "lowest" else -1
    level = levels(values).tolist()
    return sorted(range(len(values)), key=lambda place: sign * level[place])


def names(tags: Sequence[str]) -> str:
    """Runs by their names in a sentence: alpha; alpha and beta; alpha, beta, gamma and 4 more."""
    if len(tags) > NAMES_SHOWN + 1:
        return f"{', '.join(tags[:NAMES_SHOWN])} and {len(tags) - NAMES_SHOWN:,} more"
    return " and ".join(filter(None, [", ".join(tags[:-1]), *tags[-1:]]))


def order_of(table: ScoreTable, by: str = "") -> list[int]:
    """The places of the table's rows in this order; runs that are equal stay in the order in which they were added.

    `by` is a measure of the table, as it was asked for or by its own name, RUN, TEAM or ADDED; '' for the first
    measure. Raises UnknownName for anything else.
    """
    places = list(range(len(table.rows)))
    if by == ADDED:
        return places
    if by in (RUN, TEAM):
        texts = [row.tag if by == RUN else row.team for row in table.rows]
        return sorted(places, key=lambda place: natural(texts[place]))
    column = _column(table, by)
    return best_first(table.measures[column], [row.values[column] for row in table.rows])


def ordered(table: ScoreTable, by: str = "") -> ScoreTable:
    """The table with its rows in this order; `by` and errors as in `order_of`."""
    return table._replace(rows=tuple(table.rows[place] for place in order_of(table, by)))


def _column(table: ScoreTable, by: str) -> int:
    if not by:
        return 0
    own = [str(measure) for measure in table.measures]
    for known in (list(table.names), own):
        if by in known:
            return known.index(by)
    message = (
        f"the table has no column {by!r} to sort by; it has {listed([*table.names, RUN, TEAM, ADDED], 20)}"
    )
    raise UnknownName(message)


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
