"""Costs of runs as files give them: in the ir_metadata above a run, and in tables with a line for each run.

A table is CSV, TSV or JSON lines with the column run (or tag) and others such as query_time_ms, energy_kWh, money_EUR,
index_size_GB, documents_indexed, index_date and hardware: a figure of `core.run_costs` and, behind it, the unit of its
numbers. Without a unit there, each cell has its own, such as 12 ms. An empty cell says nothing, `none` takes away.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.run_costs import INDEX_DATE, READ_FIELDS, CostField, Given, size_of
from workbench.formats.run_metadata import Metadata
from workbench.formats.run_tables import RUN_COLUMNS
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.content import Content
from workbench.formats.text.json_values import json_objects
from workbench.formats.text.lines import shown

RESOURCES = "resources"
NAMES = sorted(READ_FIELDS, key=len, reverse=True)
"""The longest first: query_time_p95 is no query_time in a unit of p95."""


class CostRow(NamedTuple):
    """What a line says of a run; `line` counts from 1."""

    tag: str
    given: tuple[Given, ...]
    line: int


class CostColumn(NamedTuple):
    """A column of a table: its name, its figure, and the unit of its numbers, "" where each has its own."""

    name: str
    field: CostField
    unit: str


def costs_in_header(found: Metadata) -> list[Given]:
    """The figures in the ir_metadata of a run, with their lines among the comments."""
    by_name = {path.casefold(): path for path in found.values}
    given = []
    for field in READ_FIELDS.values():
        own = [(f"{RESOURCES}.{field.title}", ""), (f"{RESOURCES}.{field.name}", "")]
        for path, unit in [*own, *field.paths]:
            if (there := by_name.get(path.casefold())) is None:
                continue
            text = found.values[there]
            # What has no unit there is in that of tirex_tracker.
            usual = unit if unit and re.fullmatch(r"[0-9.eE+-]*", text) else ""
            given.append(Given(field, text, usual, there, found.lines[there]))
            if (path, unit) in own:
                break
    return given


def read_cost_table(content: Content) -> list[CostRow]:
    """The runs of a table in its order; InputError with all that is wrong with its form."""
    problems: list[Problem] = []
    columns: dict[str, CostColumn] = {}
    rows: list[CostRow] = []
    first: dict[str, int] = {}
    for line, cells in records_of(content):
        tag = next((text for name, text in cells if name.casefold() in RUN_COLUMNS), "")
        for name, _ in cells:
            if name not in columns and name.casefold() not in RUN_COLUMNS:
                try:
                    columns[name] = _column(name)
                except ValueError as error:
                    raise InputError(
                        [Problem(content.file, line if _is_json(content) else 1, str(error))]
                    ) from error
        if message := _wrong([columns[name] for name, _ in cells if name in columns], tag, first, line):
            problems.append(Problem(content.file, line, message))
        given = (
            Given(columns[name].field, text, columns[name].unit, name, line)
            for name, text in cells
            if name in columns and text
        )
        rows.append(CostRow(tag, tuple(given), line))
    if not rows:
        problems.append(Problem(content.file, None, "the table names no runs; add a line for each run"))
    if problems:
        raise InputError(problems)
    return rows


def _wrong(columns: Sequence[CostColumn], tag: str, first: dict[str, int], line: int) -> str:
    """What is wrong with the form of a line, with the way out; "" for nothing."""
    if not tag:
        return "the run is missing; write its tag in a column run"
    if (there := first.setdefault(tag, line)) != line:
        return f"run {shown(tag)} is listed twice, first at line {there}; keep one of the two lines"
    fields = ["index_age" if each.field == INDEX_DATE else each.field.name for each in columns]
    twice = [each.name for each, field in zip(columns, fields, strict=True) if fields.count(field) > 1]
    return f"the columns {' and '.join(twice[:2])} give the same figure; keep one of them" if twice else ""


def _column(name: str) -> CostColumn:
    """The figure and unit that a column's name says; ValueError with the way out."""
    words = re.sub(r"[^\w]+", "_", name.strip()).strip("_")
    for known in NAMES:
        if words.casefold() == known or words.casefold().startswith(f"{known}_"):
            field, unit = READ_FIELDS[known], words[len(known) + 1 :]
            if unit and field.units:
                try:
                    size_of(field, unit)
                except ValueError as error:
                    raise ValueError(f"the column {shown(name)}: {error}") from error
            elif unit and field.name != "money":
                break
            return CostColumn(name, field, unit.upper() if field.name == "money" else unit)
    way_out = f"write {', '.join(READ_FIELDS)}, with a unit as query_time_ms"
    raise ValueError(f"the column {shown(name)} is no cost; {way_out}")


def _is_json(content: Content) -> bool:
    return content.data.lstrip()[:1] in (b"{", b"[")


def records_of(content: Content, *, needs_run: bool = True) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """The lines of a table or of JSON lines, each with its names and cells; InputError for a table without runs."""
    if _is_json(content):
        for line, value in json_objects(io.BytesIO(content.data), content.file):
            if not isinstance(value, Mapping) or any(
                isinstance(each, dict | list | bool) for each in value.values()
            ):
                message = (
                    'an object of texts and numbers is expected, such as {"run": "bm25", "query_time_ms": 12}'
                )
                raise InputError([Problem(content.file, line, message)])
            yield (
                line,
                [(str(name), "" if each is None else str(each).strip()) for name, each in value.items()],
            )
        return
    rows = table_rows(content)
    _, header = next(rows, (1, []))
    if needs_run and not {name.casefold() for name in header} & set(RUN_COLUMNS):
        message = "the first line names no column run; write a line of names such as run,query_time_ms above"
        raise InputError([Problem(content.file, 1, message)])
    for line, row in rows:
        if len(row) > len(header):
            message = (
                f"{len(row)} cells under {len(header)} names of columns; quote cells with separators in them"
            )
            raise InputError([Problem(content.file, line, message)])
        yield line, list(zip(header, row, strict=False))
