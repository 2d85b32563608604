"""What runs cost, by a table with a line for each run."""

from __future__ import annotations

from datetime import date

from workbench.campaign.submissions.correcting import Correction
from workbench.core.errors import InputError, Problem
from workbench.core.run_costs import read_costs
from workbench.core.wording import none_such
from workbench.formats.run_costs import CostRow, read_cost_table
from workbench.formats.text.content import Content
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log


def costs_of_table(campaign: Campaign, content: Content) -> dict[str, Correction]:
    """What a table of costs changes, by the tags of runs; InputError names all that is wrong with it.

    The age of an index counts to the day on which its run was added.
    """
    rows = read_cost_table(content)
    stored = {run.record.tag: run for run in runs.all_runs(campaign)}
    added = log.rows_of_events(campaign, [run.seq for run in stored.values()])
    found, problems = dict[str, Correction](), list[Problem]()
    for row in rows:
        if (run := stored.get(row.tag)) is None:
            message = f"{none_such('run', row.tag, list(stored), of=campaign.name)}; correct the tag, or add the run"
            problems.append(Problem(content.file, row.line, message))
            continue
        found[row.tag], wrong = _correction(row, date.fromisoformat(added[run.seq][0][:10]), content.file)
        problems += wrong
    if problems:
        raise InputError(problems)
    return found


def _correction(row: CostRow, on: date, file: str) -> tuple[Correction, list[Problem]]:
    costs, wrong = read_costs(row.given, on)
    problems = [Problem(file, line, message) for line, message in wrong]
    return Correction(costs=costs, place=f"{file}:{row.line}"), problems
