"""What users did with runs: summaries of click logs and of interleaved lists, the newest of each kind.

Runs are their numbers. Of a metric of a run there are its value and standard error, of a pair of runs the preference
for the first one and the p-value of its t-test, all None where they are not defined.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import part

KIND = kinds.USER_OUTCOMES
CLICKS, INTERLEAVING = "metrics", "preferences"
"""The kinds of summaries, by the field that has their rows."""
MOST_ROWS = 12_000
"""Of a summary: six metrics of 2,000 runs, or as many pairs."""

MetricRow = tuple[int, str, int, float | None, float | None]
"""A run, a metric, the number of units, its value and its standard error."""
PairRow = tuple[int, int, int, float | None, float | None]
"""Two runs, the number of units, the preference and its p-value."""


class UserOutcomes(NamedTuple):
    """A summary: what the sample was, the SHA-256 of the files, and rows of metrics or preferences."""

    unit: str
    files: tuple[str, ...]
    metrics: tuple[MetricRow, ...] = ()
    preferences: tuple[PairRow, ...] = ()


def put(campaign: Campaign, outcomes: UserOutcomes) -> int:
    """Record a summary inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, KIND, outcomes._asdict())


def renamed(content: Mapping[str, Any], names: Mapping[Any, Any]) -> dict[str, Any]:
    """The content of an event with its runs by other names; rows of runs that have none are left out."""
    metrics = [[names[run], *more] for run, *more in content["metrics"] if run in names]
    preferences = [
        [names[one], names[other], *more]
        for one, other, *more in content["preferences"]
        if one in names and other in names
    ]
    return {**content, "metrics": metrics, "preferences": preferences}


def newest(campaign: Campaign) -> dict[str, UserOutcomes]:
    """The newest summary of CLICKS and of INTERLEAVING, where there is one."""
    return _newest(campaign)


@part(KIND, start=dict)
def _newest(found: dict[str, UserOutcomes], event: Event) -> None:
    rows = {kind: tuple(map(tuple, event.content[kind])) for kind in (CLICKS, INTERLEAVING)}
    content = {**event.content, **rows, "files": tuple(event.content["files"])}
    found |= {kind: UserOutcomes(**content) for kind, some in rows.items() if some}
