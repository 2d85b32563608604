"""The order of runs in tables of scores: by a measure, the best first, by name, by team, or as they were added."""

from __future__ import annotations

from workbench.core.errors import UnknownName
from workbench.core.natural_order import natural
from workbench.core.wording import listed
from workbench.scoring.board.table import ScoreTable
from workbench.scoring.board.top import best_first

RUN, TEAM, ADDED = "run", "team", "added"


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
    for names in (list(table.names), own):
        if by in names:
            return names.index(by)
    message = (
        f"the table has no column {by!r} to sort by; it has {listed([*table.names, RUN, TEAM, ADDED], 20)}"
    )
    raise UnknownName(message)
