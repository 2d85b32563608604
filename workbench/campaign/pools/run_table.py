"""Depths and priorities of runs from a table, as the strategy `depth` takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import listed
from workbench.formats.run_tables import TableRun, read_run_table
from workbench.formats.text.content import load
from workbench.methods.pooling.run_choice import write_of_run
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs


class RunsOfFile(NamedTuple):
    """Parameters of the strategy, and what is odd about the file."""

    parameters: dict[str, list[str]]
    warnings: tuple[Problem, ...]


def runs_of_file(campaign: Campaign, path: str | Path) -> RunsOfFile:
    """Read a table of runs for this campaign; `-` is standard input.

    Lines of withdrawn runs are left out with a warning.

    Raises:
        InputError: the file cannot be read, or names runs that are not there; with line, value and way out.
    """
    content = load(path)
    known = {run.record.tag: run.withdrawn is None for run in runs.all_runs(campaign)}
    table = read_run_table(content)
    if problems := list(_unknown(table, known, content.file)):
        raise InputError(problems)
    taken = [row for row in table if known[row.tag]]
    found = {
        "run_depths": [write_of_run(row.tag, row.depth) for row in taken if row.depth is not None],
        "priorities": [write_of_run(row.tag, row.priority) for row in taken if row.priority is not None],
    }
    warnings = tuple(
        Problem(content.file, row.line, f"run {row.tag} is withdrawn, so its line is passed over")
        for row in table
        if not known[row.tag]
    )
    return RunsOfFile({name: values for name, values in found.items() if values}, warnings)


def _unknown(table: list[TableRun], known: Mapping[str, bool], file: str) -> Iterator[Problem]:
    for row in table:
        if row.tag not in known:
            there = listed(list(known), 25) or "none"
            message = f"no run of the campaign is called {row.tag!r}; the runs are {there}: correct the line"
            yield Problem(file, row.line, message)
