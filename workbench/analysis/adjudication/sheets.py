"""Conflicts as a sheet of rows and columns."""

from __future__ import annotations

from workbench.analysis.adjudication.conflicts import Conflicts
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet

COLUMNS = (
    Column("Topic", "topic", "text"),
    Column("Document", "document", "text"),
    Column("Grades", "grades", "text"),
    Column("Assessors", "assessors", "count"),
    Column("Apart", "gap", "count"),
    Column("Runs that change sides", "swaps", "count"),
    Column("Largest shift", "shift", "score"),
)


def sheet_of_conflicts(found: Conflicts) -> Sheet:
    """A row for each open conflict in their order: its different grades, and what the worst of these does."""
    rows = tuple(
        (
            each.topic_id,
            each.document_id,
            " ".join(map(str, each.grades)),
            each.assessors,
            each.gap,
            each.influence.swaps,
            each.influence.shift,
        )
        for each in found.open
    )
    return Sheet(COLUMNS, rows)
