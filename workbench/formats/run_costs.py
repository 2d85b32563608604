"""Costs of runs as files give them: in the ir_metadata above a run, and in tables with a line for each run.

A table is CSV, TSV or JSON lines with the column run (or tag) and others such as query_time_ms, energy_kWh, money_EUR,
index_size_GB, documents_indexed, index_date and hardware: a figure of `core.run_costs` and, behind it, the unit of its
numbers. Without a unit there, each cell has its own, such as 12 ms. An empty cell says nothing, `none` takes away.

A log of the times of queries has the columns run (or tag), any others such as topic, and one of seconds, s,
milliseconds, ms; or start and end, moments in seconds by one clock. One without the column run is of the run that it is
called after.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache

from workbench.core.run_costs import (
    COST_FIELDS,
    READ_FIELDS,
    CostField,
    Costs,
    Given,
    quantity,
    read_costs,
    size_of,
)
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.row_entries import stem_of
from workbench.formats.run_metadata import Metadata
from workbench.formats.run_tables import RUN_COLUMNS
from workbench.formats.tables.records import Columns
from workbench.formats.text.content import Content, is_json
from workbench.formats.text.files import refused
from workbench.formats.text.lines import shown

NAMES = sorted(READ_FIELDS, key=len, reverse=True)
"""The longest first: query_time_p95 is no query_time in a unit of p95."""

UNITS_OF_LOGS = {"seconds": "s", "s": "s", "milliseconds": "ms", "ms": "ms"}
START, END = "start", "end"
TIMES = Columns(
    "run,ms", {name: name for name in (*UNITS_OF_LOGS, START, END)} | dict.fromkeys(RUN_COLUMNS, "run")
)
COSTS = Columns("run,query_time_ms", dict.fromkeys(RUN_COLUMNS, "run"), needed=(("run",),))

Times = Mapping[str, "array[float]"]
"""The times of queries in seconds, by the tags of their runs: of 8 bytes each, since a log may have millions."""


def costs_in_header(found: Metadata) -> list[Given]:
    """The figures in the ir_metadata of a run, with their lines among the comments."""
    by_name = {path.casefold(): path for path in found.values}

    def there(paths: Iterable[str]) -> list[str]:
        return [by_name[path.casefold()] for path in paths if path.casefold() in by_name]

    given = []
    for field in READ_FIELDS.values():
        own = there((f"resources.{field.title}", f"resources.{field.name}"))[:1]
        for path in own or there(field.paths):
            text = found.values[path]
            # What has no unit there is in that of tirex_tracker.
            unit = field.usual if not own and re.fullmatch(r"[0-9.eE+-]*", text) else ""
            given.append(Given(field, unit, text, path, found.lines[path]))
    return given


def read_cost_table(content: Content, day: Callable[[str], date]) -> dict[str, Costs]:
    """What a table says of runs, by their tags; InputError with all that is wrong with it.

    `day` gives the day of a run, from which the age of its index counts; its ValueError says that there is no such run.
    """
    found = dict[str, Costs]()

    def read(line: int, node: Node) -> Iterator[str]:
        figures = node.cells()
        tag = figures.pop("run", "")
        try:
            columns = [_column(name) for name in figures]
        except ValueError as error:
            raise refused(content.file, str(error), line if is_json(content) else 1) from error
        kept = [field.kept for field, _ in columns]
        if same := [name for name, each in zip(figures, kept, strict=True) if kept.count(each) > 1]:
            node.fault(f"the columns {' and '.join(same[:2])} give the same figure; keep one of them")
        if not tag:
            node.wrong("run", "write its tag in a column run")
        if not node.faults:
            texts = zip(columns, figures.items(), strict=True)
            given = [Given(*column, text, name, line) for column, (name, text) in texts]
            try:
                found[tag], wrong = read_costs(given, day(tag))
            except ValueError as error:
                wrong = [(line, str(error))]
            for _, message in wrong:
                node.fault(message)
        yield tag

    read_each(content, "runs and what they cost", read, "run {}".format, columns=COSTS)
    return found


@lru_cache
def _column(name: str) -> tuple[CostField, str]:
    """The figure of a column by its name, and the unit of its numbers; ValueError with the way out."""
    words = re.sub(r"[^\w]+", "_", name.strip()).strip("_")
    known = next((each for each in NAMES if f"{words}_".casefold().startswith(f"{each}_")), "")
    unit = words[len(known) + 1 :]
    is_money = known == "money"
    if not known or (unit and not is_money and not READ_FIELDS[known].units):
        way_out = f"write {', '.join(READ_FIELDS)}, with a unit as query_time_ms"
        raise ValueError(f"the column {shown(name)} is no cost; {way_out}")
    if unit and not is_money:
        size_of(READ_FIELDS[known], unit, f"the column {shown(name)}: ")
    return READ_FIELDS[known], unit.upper() if is_money else unit


def read_time_logs(contents: Iterable[Content], check: Callable[[str], object] = str) -> Times:
    """The times of all logs, in the order in which runs come first; InputError with the lines that have none.

    `check` looks at each run once; its ValueError says that there is no such run.
    """
    found: dict[str, array[float]] = {}
    for content in contents:

        def read(line: int, node: Node, own: str = stem_of(content.file)) -> Iterator[str]:
            row = node.cells()
            run = row.get("run", own)
            try:
                if run not in found:
                    found[run] = array("d")
                    check(run)
                found[run].append(_seconds(row))
            except ValueError as error:
                node.fault(str(error))
            yield run

        read_each(content, "times of queries", read, columns=TIMES)
    return found


def _seconds(row: Mapping[str, str]) -> float:
    """The time of a line; ValueError says what is wrong."""
    field, units = COST_FIELDS["query_time"], [name for name in UNITS_OF_LOGS if name in row]
    if len(units) == 1:
        return quantity(field, row[units[0]], UNITS_OF_LOGS[units[0]])[0]
    if units or not {START, END} <= row.keys():
        names = ", ".join(UNITS_OF_LOGS)
        raise ValueError(f"one column of {names} is needed, or start and end; it has {shown(', '.join(row))}")
    start, end = (quantity(field, row[name], "s")[0] for name in (START, END))
    if end < start:
        wrong = f"it ends at {row[END]}, before its start at {row[START]}"
        raise ValueError(f"{wrong}: the clock went back; leave it out")
    return end - start
