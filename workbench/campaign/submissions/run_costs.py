"""What runs cost, by tables with a line for each run, or by logs of the times of queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

import numpy as np

from workbench.campaign.submissions.correcting import Correction
from workbench.core.run_costs import NO_COSTS, Costs
from workbench.core.wording import none_such
from workbench.formats.run_costs import read_cost_table, read_time_logs
from workbench.formats.text.content import Content
from workbench.methods.costs import percentile
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log


def costs_of_tables(campaign: Campaign, contents: Iterable[Content]) -> dict[str, Correction]:
    """What tables of costs change, by the tags of runs, the later after the earlier; InputError as of each table.

    The age of an index counts to the day on which its run was added.
    """
    day, found = _days(campaign), dict[str, Costs]()
    for content in contents:
        for tag, costs in read_cost_table(content, day).items():
            found[tag] = {**found.get(tag, NO_COSTS), **costs}
    return {tag: Correction(costs=costs) for tag, costs in found.items()}


def costs_of_times(campaign: Campaign, contents: Iterable[Content]) -> dict[str, Correction]:
    """What logs of times say of the mean time of a run's queries and its 95th percentile; errors as of a table."""
    return {
        tag: Correction(
            costs={"query_time": float(np.mean(times)), "query_time_p95": percentile(times, 0.95).value}
        )
        for tag, times in read_time_logs(contents, _days(campaign)).items()
    }


def _days(campaign: Campaign) -> Callable[[str], date]:
    """The day on which the run of a tag was added; its ValueError says that there is none."""
    stored = {run.record.tag: run.seq for run in runs.all_runs(campaign)}
    added = log.rows_of_events(campaign, stored.values())

    def day(tag: str) -> date:
        if tag not in stored:
            missing = none_such("run", tag, list(stored), of=campaign.name)
            raise ValueError(f"{missing}; correct the tag, or add the run")
        return date.fromisoformat(added[stored[tag]][0][:10])

    return day
