"""Hours worked per assessor and day, for pay: as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import tzinfo

from workbench.campaign.working_time import WorkDay
from workbench.core.wording import counted
from workbench.formats.tables.csv_cells import csv_lines

COLUMNS = ("assessor", "day", "judgments", "pairs", "first", "last", "minutes", "hours")
NOT_FOR_ASSESSORS = "pairs"
"""Fewer pairs than judgments say that some came again."""


def hours_csv(days: Sequence[WorkDay], *, for_assessors: bool = False) -> Iterator[str]:
    """One line for each assessor and day: minutes to the tenth, hours to the hundredth."""
    shown = [at for at, name in enumerate(COLUMNS) if not (for_assessors and name == NOT_FOR_ASSESSORS)]
    return csv_lines([row[at] for at in shown] for row in (COLUMNS, *map(_row, days)))


def hours_json(days: Sequence[WorkDay], *, gap: int, zone: tzinfo, head: int) -> Iterator[str]:
    """The same as one JSON object, with what an hour is and the log row as of which it holds."""
    definition = {"gap_minutes": gap, "time_zone": str(zone), "log_row": head, "counts": _definition(gap)}
    rows = [dict(zip(COLUMNS, _row(day), strict=True)) for day in days]
    yield json.dumps({**definition, "days": rows}, ensure_ascii=False, indent=2) + "\n"


def _definition(gap: int) -> str:
    minutes = counted(gap, "minute")
    return (
        f"the time between two judgments that are {minutes} apart at most; after a longer gap the active time "
        f"measured for the judgment that ends it, {minutes} at most"
    )


def _row(day: WorkDay) -> tuple[object, ...]:
    times = (day.first.isoformat(timespec="seconds"), day.last.isoformat(timespec="seconds"))
    return (
        day.assessor,
        day.day.isoformat(),
        day.judgments,
        day.pairs,
        *times,
        round(day.seconds / 60, 1),
        day.hours,
    )
