"""What runs cost, by a table with a line for each run, or by a log of the times of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

import numpy as np

from workbench.campaign.submissions.correcting import Correction
from workbench.core.errors import InputError, Problem
from workbench.core.run_costs import read_costs
from workbench.core.wording import none_such
from workbench.formats.run_costs import CostRow, read_cost_table
from workbench.formats.text.content import Content
from workbench.formats.time_logs import read_time_log
from workbench.methods.costs.percentiles import percentile
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.log import log


def costs_of_table(campaign: Campaign, content: Content) -> dict[str, Correction]:
    """What a table of costs changes, by the tags of runs; InputError names all that is wrong with it.

    The age of an index counts to the day on which its run was added.
    """
    rows = {row.tag: row for row in read_cost_table(content)}
    stored, problems = _runs(campaign, content, {tag: row.line for tag, row in rows.items()})
    added = log.rows_of_events(campaign, [run.seq for run in stored.values()])
    found = {}
    for tag, run in stored.items():
        found[tag], wrong = _correction(rows[tag], date.fromisoformat(added[run.seq][0][:10]), content.file)
        problems += wrong
    if problems:
        raise InputError(sorted(problems, key=lambda each: each.line or 0))
    return found


def costs_of_times(campaign: Campaign, contents: Iterable[Content]) -> dict[str, Correction]:
    """What logs of times say of the mean time of a run's queries and its 95th percentile; errors as of a table."""
    times: dict[str, list[float]] = {}
    problems: list[Problem] = []
    for content in contents:
        log_of_file = read_time_log(content)
        problems += _runs(campaign, content, dict.fromkeys(each.run for each in log_of_file))[1]
        for each in log_of_file:
            times.setdefault(each.run, []).append(each.seconds)
    if problems:
        raise InputError(problems)
    return {
        tag: Correction(
            costs={"query_time": float(np.mean(all_)), "query_time_p95": percentile(all_, 0.95).value}
        )
        for tag, all_ in times.items()
    }


def _runs(
    campaign: Campaign, content: Content, tags: Mapping[str, int | None]
) -> tuple[dict[str, StoredRun], list[Problem]]:
    """The runs of these tags, and a problem for each that the campaign does not have, with its line."""
    stored = {run.record.tag: run for run in runs.all_runs(campaign)}
    way_out = "correct the tag, or add the run"
    problems = [
        Problem(content.file, line, f"{none_such('run', tag, list(stored), of=campaign.name)}; {way_out}")
        for tag, line in tags.items()
        if tag not in stored
    ]
    return {tag: stored[tag] for tag in tags if tag in stored}, problems


def _correction(row: CostRow, on: date, file: str) -> tuple[Correction, list[Problem]]:
    costs, wrong = read_costs(row.given, on)
    problems = [Problem(file, line, message) for line, message in wrong]
    return Correction(costs=costs, place=f"{file}:{row.line}"), problems
