"""Logs of the times of queries: a table or JSON lines with run, topic, and the time in seconds (s) or ms.

Columns are run (or tag), any others such as topic, and one of seconds, s, milliseconds, ms; or start and end, moments
in seconds by one clock. A file without the column run is of the run that it is called after.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping

from workbench.core.errors import InputError, Problem
from workbench.core.run_costs import COST_FIELDS, quantity
from workbench.formats.row_entries import stem_of
from workbench.formats.run_costs import records_of
from workbench.formats.run_tables import RUN_COLUMNS
from workbench.formats.text.content import Content
from workbench.formats.text.lines import STOP_AFTER, shown

UNITS = {"seconds": "s", "s": "s", "milliseconds": "ms", "ms": "ms"}
START, END = "start", "end"

Times = Mapping[str, "array[float]"]
"""The times of queries in seconds, by the tags of their runs: of 8 bytes each, since a log may have millions."""


def read_time_logs(contents: Iterable[Content], check: Callable[[str], object] = str) -> Times:
    """The times of all logs, in the order in which runs come first; InputError with the lines that have none.

    `check` looks at each run once; its ValueError says that there is no such run.
    """
    found: dict[str, array[float]] = {}
    problems: list[Problem] = []
    for content in contents:
        own, line = stem_of(content.file), None
        for line, cells in records_of(content, needs_run=False):
            row = {name.casefold(): text for name, text in cells}
            run = next((row[name] for name in RUN_COLUMNS if row.get(name)), own)
            try:
                if run not in found:
                    found[run] = array("d")
                    check(run)
                found[run].append(_seconds(row))
            except ValueError as error:
                problems.append(Problem(content.file, line, str(error)))
                if len(problems) >= STOP_AFTER:
                    raise InputError(problems) from error
        if line is None:
            message = "the log has no times; add a line for each query"
            problems.append(Problem(content.file, None, message))
    if problems:
        raise InputError(problems)
    return found


def _seconds(row: Mapping[str, str]) -> float:
    """The time of a line; ValueError says what is wrong."""
    field, units = COST_FIELDS["query_time"], [name for name in UNITS if name in row]
    if len(units) == 1:
        return quantity(field, row[units[0]], UNITS[units[0]])[0]
    if units or not {START, END} <= row.keys():
        names = ", ".join(UNITS)
        raise ValueError(f"one column of {names} is needed, or start and end; it has {shown(', '.join(row))}")
    start, end = (quantity(field, row[name], "s")[0] for name in (START, END))
    if end < start:
        raise ValueError(
            f"it ends at {row[END]}, before its start at {row[START]}: the clock went back; leave it out"
        )
    return end - start
