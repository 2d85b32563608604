"""Figures of a pool that may be made, as it was asked for."""

from __future__ import annotations

from workbench.campaign import Campaign
from workbench.charts import Chart
from workbench.charts.pools import PoolSize, RunShare
from workbench.charts.pools import pool_runs as chart_runs
from workbench.charts.pools import pool_sizes as chart_sizes
from workbench.charts.pools import pool_topics as chart_topics
from workbench.errors import CampaignError, NotThere, UnknownName
from workbench.figures.registry import figure
from workbench.planning import PoolPlan, plan_pool
from workbench.pool_making import named_runs


@figure("pool-depths")
def pool_depths(
    campaign: Campaign,
    *,
    depth: int,
    ties: str = "descending",
    runs: str = "",
    deepest: int | None = None,
) -> Chart:
    """The size of a pool at every depth, up to `deepest` or the longest ranking, with one depth marked."""
    plan = _plan(campaign, depth, "depth", ties, runs)
    last = max(1, plan.deepest if deepest is None else min(deepest, plan.deepest))
    sizes = [_size(plan, place) for place in range(1, last + 1)]
    return chart_sizes(depth, plan.at(depth).pairs, sizes)


@figure("pool-topics")
def pool_topics(
    campaign: Campaign, *, depth: int, strategy: str = "depth", ties: str = "descending", runs: str = ""
) -> Chart:
    """What each topic has to judge when a pool is made, the largest first."""
    plan = _plan(campaign, depth, strategy, ties, runs)
    sizes = [
        (row.topic_id, PoolSize(row.judged, row.waiting, row.to_judge - row.waiting)) for row in plan.by_topic
    ]
    return chart_topics(depth, sizes)


@figure("pool-runs")
def pool_runs(
    campaign: Campaign, *, depth: int, strategy: str = "depth", ties: str = "descending", runs: str = ""
) -> Chart:
    """What each run alone brings into a pool, the most first."""
    plan = _plan(campaign, depth, strategy, ties, runs)
    return chart_runs(depth, [RunShare(row.tag, row.alone - row.new, row.new) for row in plan.by_run])


def _plan(campaign: Campaign, depth: int, strategy: str, ties: str, runs: str) -> PoolPlan:
    try:
        return plan_pool(campaign, depth=depth, strategy=strategy, ties=ties, tags=named_runs(runs))
    except (CampaignError, NotThere) as error:
        raise UnknownName(str(error)) from error


def _size(plan: PoolPlan, depth: int) -> PoolSize:
    at = plan.at(depth)
    fresh = at.to_judge - plan.waiting
    return PoolSize(at.judged, at.pairs - at.judged - fresh, fresh)
