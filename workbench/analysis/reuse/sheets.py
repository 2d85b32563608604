"""What leaving out does as sheets, for people, papers and programs."""

from __future__ import annotations

from workbench.analysis.reuse.report import Reuse
from workbench.analysis.reuse.rows import LostScore
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet
from workbench.formats.tables.sheets import sheet_of as results_sheet

SCORES = ("run", "score", "score_without")
RANKS = ("rank", "rank_without")
LAST = "unique_relevant"
"""The last column: it is of all that is left out, so the same for the runs of a team."""


def sheet_of(found: Reuse) -> Sheet:
    """A row for each run that is left out, alone or with its team."""
    return results_sheet(LostScore, _rows(found), ("left_out", *SCORES, "change", *RANKS, LAST))


def sheet_for_people(found: Reuse) -> Sheet:
    """The same with the change in percent and the score at the same cost; runs alone have no second name."""
    first = ("left_out",) if found.by == "team" else ()
    at_cost = ("score_at_cost",) if any(each.run.at_cost for each in _rows(found)) else ()
    names = (*first, *SCORES, "change_percent", *RANKS, *at_cost, LAST)
    return results_sheet(LostScore, _rows(found), names, {"score": str(found.measure)})


def _rows(found: Reuse) -> list[LostScore]:
    return [LostScore(row, run) for row in found.rows for run in row.runs]


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
