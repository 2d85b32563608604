"""Figures of planned pools, and of how judging goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from workbench.analysis.figures.registry import figure
from workbench.campaign.pools.making import named_runs
from workbench.campaign.pools.plan import PoolPlan, plan_pool
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.parameters import Limits
from workbench.methods.charts import Chart
from workbench.methods.charts.pools import PoolSize
from workbench.methods.charts.pools import judging_days as chart
from workbench.methods.charts.pools import pool_runs as chart_runs
from workbench.methods.charts.pools import pool_sizes as chart_sizes
from workbench.methods.charts.pools import pool_topics as chart_topics
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts import activity


@figure("pool-depths", scores=False)
def pool_depths(
    campaign: Campaign,
    *,
    depth: int,
    ties: str = "descending",
    runs: str = "",
    residual: bool = False,
    deepest: int | None = None,
) -> Chart:
    """The size of a pool at every depth, up to `deepest` or the longest ranking, with one depth marked."""
    plan = _plan(campaign, "depth", depth, (), ties, runs, residual)
    last = max(1, plan.deepest if deepest is None else min(deepest, plan.deepest))
    sizes = [_size(plan, place) for place in range(1, last + 1)]
    return chart_sizes(depth, plan.at(depth).pairs, sizes)


@figure("pool-topics", scores=False)
def pool_topics(
    campaign: Campaign,
    *,
    strategy: str = "depth",
    depth: int | None = None,
    parameter: Sequence[str] = (),
    ties: str = "descending",
    runs: str = "",
    residual: bool = False,
) -> Chart:
    """What each topic has to judge when a pool is made, the largest first.

    `parameter` is NAME=VALUE, a parameter of the strategy; `depth=20` and `parameter=depth=20` are the same.
    """
    plan = _plan(campaign, strategy, depth, parameter, ties, runs, residual)
    sizes = [(row.topic_id, (row.judged, row.waiting, row.to_judge - row.waiting)) for row in plan.by_topic]
    return chart_topics(plan.how, sizes)


@figure("pool-runs", scores=False)
def pool_runs(
    campaign: Campaign,
    *,
    strategy: str = "depth",
    depth: int | None = None,
    parameter: Sequence[str] = (),
    ties: str = "descending",
    runs: str = "",
    residual: bool = False,
) -> Chart:
    """What each run alone brings into a pool, the most first.

    `parameter` is NAME=VALUE, a parameter of the strategy; `depth=20` and `parameter=depth=20` are the same.
    """
    plan = _plan(campaign, strategy, depth, parameter, ties, runs, residual)
    return chart_runs(plan.how, [(row.tag, row.alone - row.new, row.new) for row in plan.by_run])


def _plan(
    campaign: Campaign,
    strategy: str,
    depth: int | None,
    given: Sequence[str],
    ties: str,
    runs: str,
    residual: bool,
) -> PoolPlan:
    texts = given if depth is None else [f"depth={depth}", *given]
    parameters = STRATEGIES.find(strategy).read_assignments(texts)
    try:
        return plan_pool(
            campaign, strategy=strategy, ties=ties, tags=named_runs(runs), residual=residual, **parameters
        )
    except (CampaignError, NotThere) as error:
        raise UnknownName(str(error)) from error


def _size(plan: PoolPlan, depth: int) -> PoolSize:
    at = plan.at(depth)
    fresh = at.to_judge - plan.waiting
    return (at.judged, at.pairs - at.judged - fresh, fresh)


Days = Annotated[int, Limits("how many days are drawn", least=1, most=3660)]


@figure("judging-days", scores=False)
def judging_days(campaign: Campaign, *, days: Days = 42) -> Chart:
    """Judgments made on the screen per day, by assessor, in the `days` up to the newest one."""
    return chart(activity.by_day(campaign), days)
