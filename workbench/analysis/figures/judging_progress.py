"""Figures of how judging goes."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts.judging_progress import judging_days as chart
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts import activity

LONGEST = 3660


@figure("judging-days", scores=False)
def judging_days(campaign: Campaign, *, days: int = 42, as_of: int | None = None) -> Chart:
    """Judgments made on the screen per day, by assessor, in the `days` up to the newest one."""
    if not 1 <= days <= LONGEST:
        message = f"days is {days}; it must be from 1 to {LONGEST}"
        raise UnknownName(message)
    return chart(activity.by_day(campaign, as_of), days)
