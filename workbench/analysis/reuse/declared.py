"""Leaving out teams or runs, as pages, files, the API and figures ask for it."""

from __future__ import annotations

from typing import Annotated

from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.analysis.reuse.origin import By
from workbench.analysis.reuse.report import Reuse, reuse
from workbench.analysis.reuse.sheets import sheet_for_people, sheet_of
from workbench.core.parameters import Limits
from workbench.jobs.processes import OnStep, counting
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs

LINES = 2_000_000
"""Runs times ranked documents, from which on it may take seconds."""

Depth = Annotated[
    int, Limits("Pools to this depth in the place of the campaign's", least=1, most=runs.LARGEST_DEPTH)
]


def _is_large(campaign: Campaign, as_of: int | None, values: Values) -> bool:
    stored = runs.in_force(campaign)
    return len(stored) * sum(run.record.lines for run in stored) > LINES


@analysis(
    "reuse",
    called="Leaving out",
    sheet=sheet_of,
    people=sheet_for_people,
    is_large=_is_large,
)
def leaving_out(
    campaign: Campaign,
    as_of: int | None,
    on_step: OnStep,
    *,
    measure: MeasureName = "AP",
    by: Annotated[By, Limits("What is left out")] = "team",
    depth: Depth | None = None,
) -> Reuse:
    """What leaving out each team does, or each run, with a verdict on whether others can reuse the judgments."""
    steps = counting(on_step, "Scoring again", noun=by)
    return reuse(campaign, measure, by=by, depth=depth, as_of=as_of, progress=steps)


REUSE = ANALYSES["reuse"]
