"""What a norming session has come to, as sheets of rows and columns, and as JSON."""

from __future__ import annotations

from typing import Any

from workbench.analysis.between_assessors.sheets import cells_of
from workbench.analysis.norming.sessions import Outcome, Said
from workbench.core.results import Column
from workbench.core.results import content as as_json
from workbench.formats.tables.sheets import Cell, Sheet

DONE = (Column("Assessor", "assessor", "text"), Column("Documents judged", "judged", "count"))

COEFFICIENTS = (
    Column("Coefficient", "coefficient", "text"),
    Column("Before", "before", "score"),
    Column("95% low", "before_low", "score"),
    Column("95% high", "before_high", "score"),
    Column("After", "after", "score"),
    Column("95% low", "after_low", "score"),
    Column("95% high", "after_high", "score"),
)


def who_is_done(found: Outcome) -> Sheet:
    """How many of the session's documents each assessor has judged."""
    return Sheet(DONE, tuple(found.done.items()))


def who_said_what(found: Outcome) -> Sheet:
    """A row for each document, with each assessor's last grade; no rows before these are revealed."""
    columns = [Column(name, f"grade {name}", "text") for name in found.done]
    rows = tuple((row.document_id, *map(_grade, row.said)) for row in found.rows)
    return Sheet((Column("Document", "document", "text"), *columns), rows)


def _grade(said: Said | None) -> Cell:
    if said is None:
        return None
    return "can't tell" if said.grade is None else str(said.grade)


def before_and_after(found: Outcome) -> Sheet:
    """Every coefficient of grades when they were revealed, and by what stands now; none before that."""
    before, after = (
        {each.name: each for each in scope.graded} if scope else {} for scope in (found.before, found.after)
    )
    return Sheet(
        COEFFICIENTS, tuple((name, *cells_of(before, name), *cells_of(after, name)) for name in before)
    )


def content(found: Outcome) -> dict[str, Any]:
    """Everything about a session; what is not shown to all yet is not in it."""
    return {
        **found.session._asdict(),
        "documents": list(found.session.documents),
        "done": found.done,
        "rows": [
            {
                "document": row.document_id,
                "said": {
                    name: None if said is None else said._asdict()
                    for name, said in zip(found.done, row.said, strict=True)
                },
            }
            for row in found.rows
        ],
        "before": as_json(found.before),
        "after": as_json(found.after),
    }
