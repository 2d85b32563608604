"""Figures of leaving out teams and runs."""

from __future__ import annotations

from typing import Literal

from workbench.analysis.figures.registry import figure
from workbench.analysis.reuse import Reuse
from workbench.analysis.reuse.cached import Question, cached_reuse, reuse_takes_long
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts import reuse as charts
from workbench.storage.campaign import Campaign

By = Literal["team", "run"]


def _takes_long(
    campaign: Campaign,
    *,
    measure: str = "AP",
    by: By = "team",
    depth: int | None = None,
    as_of: int | None = None,
) -> bool:
    return reuse_takes_long(campaign, Question(measure, by, depth), as_of=as_of)


@figure("reuse-losses", takes_long=_takes_long)
def reuse_losses(
    campaign: Campaign,
    *,
    measure: str = "AP",
    by: By = "team",
    depth: int | None = None,
    as_of: int | None = None,
) -> Chart:
    """Each run's score with all judgments, and without the documents that its team (or it) alone put into the pools.

    `depth` assumes pools to that depth in the place of the campaign's.
    """
    found = _found(campaign, measure, by, depth, as_of)
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
    measure: str = "AP",
    by: By = "team",
    depth: int | None = None,
    as_of: int | None = None,
) -> Chart:
    """How many relevant documents each team, or run, alone put into the pools.

    `measure` says which smallest relevant grade counts, and is otherwise without effect.
    """
    found = _found(campaign, measure, by, depth, as_of)
    alone = [
        charts.Alone(row.name, row.unique_relevant, row.unique_relevant / found.relevant)
        for row in found.rows
    ]
    return charts.unique_relevant(by, alone)


def _found(campaign: Campaign, measure: str, by: By, depth: int | None, as_of: int | None) -> Reuse:
    if depth is not None and depth < 1:
        message = f"depth must be at least 1, not {depth}"
        raise UnknownName(message)
    return cached_reuse(campaign, Question(measure, by, depth), as_of=as_of)
