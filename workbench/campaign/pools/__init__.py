"""Planning pools: how large one would be, what of it is new, and how long judging it would take; nothing is made."""

from __future__ import annotations

from workbench.campaign.pools.material import Material, Planner, planner_of
from workbench.campaign.pools.pace import (
    ASSUMED_PER_HOUR,
    MeasuredPace,
    Work,
    end_of,
    hours_for,
    measured_pace,
)
from workbench.campaign.pools.plan import (
    MORE_RANKS,
    DepthPlan,
    OtherRun,
    PoolPlan,
    RunPlan,
    TopicPlan,
    plan_pool,
    shown_depths,
)

__all__ = [
    "ASSUMED_PER_HOUR",
    "MORE_RANKS",
    "DepthPlan",
    "Material",
    "MeasuredPace",
    "OtherRun",
    "Planner",
    "PoolPlan",
    "RunPlan",
    "TopicPlan",
    "Work",
    "end_of",
    "hours_for",
    "measured_pace",
    "plan_pool",
    "planner_of",
    "shown_depths",
]
