"""Logs of the times of queries: a table or JSON lines with run, topic, and the time in seconds (s) or ms.

Columns are run (or tag), topic (or query, qid) if wanted, and one of seconds, s, milliseconds, ms; or start and end,
moments in seconds by one clock. A file without the column run is of the run that it is called after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.run_costs import quantity
from workbench.formats.row_entries import stem_of
from workbench.formats.run_costs import records_of
from workbench.formats.run_tables import RUN_COLUMNS
from workbench.formats.text.content import Content
from workbench.formats.text.lines import shown

UNITS = {"seconds": 1.0, "s": 1.0, "milliseconds": 1e-3, "ms": 1e-3}
START, END = "start", "end"
TOPIC_COLUMNS = ("topic", "query", "qid")
MOST_PROBLEMS = 100


class QueryTime(NamedTuple):
    """A query: its run, its topic ("" where the log has none), and how long it took, in seconds."""

    run: str
    topic: str
    seconds: float


def read_time_log(content: Content) -> list[QueryTime]:
    """The times of a log in its order; InputError with the lines that have none that can be."""
    found, problems = list[QueryTime](), list[Problem]()
    for line, cells in records_of(content, needs_run=False):
        row = {name.casefold(): text for name, text in cells}
        try:
            run = _of(row, RUN_COLUMNS) or stem_of(content.file)
            found.append(QueryTime(run, _of(row, TOPIC_COLUMNS), _seconds(row)))
        except ValueError as error:
            problems.append(Problem(content.file, line, str(error)))
            if len(problems) == MOST_PROBLEMS:
                break
    if not found and not problems:
        problems.append(Problem(content.file, None, "the log has no times; add a line for each query"))
    if problems:
        raise InputError(problems)
    return found


def _of(row: Mapping[str, str], names: Iterable[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")


def _seconds(row: Mapping[str, str]) -> float:
    """The time of a line; ValueError says what is wrong."""
    units = [name for name in UNITS if name in row]
    if len(units) == 1:
        return quantity(row[units[0]], units[0], "12")[0] * UNITS[units[0]]
    if units or not {START, END} <= row.keys():
        names = ", ".join(UNITS)
        raise ValueError(f"one column of {names} is needed, or start and end; it has {shown(', '.join(row))}")
    start, end = (quantity(row[name], "s", "1700000000.25")[0] for name in (START, END))
    if end < start:
        raise ValueError(
            f"it ends at {row[END]}, before its start at {row[START]}: the clock went back; leave it out"
        )
    return end - start
