"""Figures of leaving out teams and runs."""

from __future__ import annotations

from typing import Any

from workbench.analysis.figures.registry import figure
from workbench.analysis.registry import MeasureName
from workbench.analysis.reuse.declared import REUSE, Depth
from workbench.analysis.reuse.origin import By
from workbench.methods.charts import Chart
from workbench.methods.charts import reuse as charts
from workbench.storage.campaign import Campaign


def _takes_long(campaign: Campaign, *, as_of: int | None = None, **asked: Any) -> bool:
    return REUSE.takes_long(campaign, asked, as_of=as_of)


@figure("reuse-losses", takes_long=_takes_long)
def reuse_losses(
    campaign: Campaign,
    *,
    measure: MeasureName = "AP",
    by: By = "team",
    depth: Depth | None = None,
    as_of: int | None = None,
) -> Chart:
    """Each run's score with all judgments, and without the documents that its team (or it) alone put into the pools.

    `depth` assumes pools to that depth in the place of the campaign's.
    """
    found = REUSE.answer(campaign, {"measure": measure, "by": by, "depth": depth}, as_of=as_of)
    losses = [
        charts.Loss(row.name, run.run, run.score, run.score_without, run.ranks_lost)
        for row in found.rows
        for run in row.runs
    ]
    return charts.losses(str(found.measure), by, losses)


@figure("unique-relevant", takes_long=_takes_long)
def unique_relevant(
    campaign: Campaign,
    *,
    measure: MeasureName = "AP",
    by: By = "team",
    depth: Depth | None = None,
    as_of: int | None = None,
) -> Chart:
    """How many relevant documents each team, or run, alone put into the pools.

    `measure` says which smallest relevant grade counts, and is otherwise without effect.
    """
    found = REUSE.answer(campaign, {"measure": measure, "by": by, "depth": depth}, as_of=as_of)
    alone = [
        charts.Alone(row.name, row.unique_relevant, row.unique_relevant / found.relevant)
        for row in found.rows
    ]
    return charts.unique_relevant(by, alone)
