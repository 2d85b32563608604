"""Pooling to a depth: the first K documents of every ranking, of all runs or of the best of each team."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, Rankings
from workbench.methods.pooling.budgets import Budget, Percent, PerTopic
from workbench.methods.pooling.ordering import TO_RANK, in_order
from workbench.methods.pooling.outlook import Outlook, Pooling
from workbench.methods.pooling.reach import added_by, alone_at
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy
from workbench.methods.pooling.run_choice import OfRuns, RunsPerTeam, depths_of_runs
from workbench.methods.pooling.topic_table import TopicTable

# Beyond the longest ranking a depth changes nothing, so any is allowed.
Depth = Annotated[
    int, Limits("documents of each ranking to take", least=1, most=inf, example="10", said=TO_RANK)
]
RunDepths = Annotated[
    OfRuns | None,
    Limits("runs with a depth of their own, TAG:DEPTH; 0 takes nothing of a run", example="bm25:50"),
]
Priorities = Annotated[
    OfRuns | None,
    Limits(
        "the place of runs within their teams, TAG:NUMBER; the lowest number comes first", example="bm25:1"
    ),
]


def by_best_rank(table: TopicTable) -> FloatArray:
    """Scores by best rank, and of equal ranks by the number of runs: the order of a depth that grows."""
    scores: FloatArray = table.found.mean(axis=0) / 2 - table.best_rank
    return scores


def goes_by_names(*, depth: int, **others: object) -> bool:
    """Whether a pool to a depth needs ids: for runs of their own depth, and for ties within a budget."""
    return any(value is not None for value in others.values())


def part_to_depth(
    rankings: Rankings,
    *,
    depth: int,
    run_depths: Sequence[str] | None = None,
    priorities: Sequence[str] | None = None,
    runs_per_team: int | None = None,
    **_budget: object,
) -> Rankings:
    """The first documents of each ranking; UnknownName as `depths_of_runs` raises it."""
    if run_depths is None and priorities is None and runs_per_team is None:
        return rankings.to_depth(depth)
    depths = depths_of_runs(rankings, depth, run_depths or [], priorities or [], runs_per_team)
    return rankings.to_depth(depths[rankings.run])


def outlook_to_depth(pooling: Pooling, *, depth: int, **others: object) -> Outlook | None:
    """The outlook from the best two ranks of every document, which answer for all depths at once.

    None where the depth is not all that was asked for.
    """
    if goes_by_names(depth=depth, **others):
        return None
    rankings, reach = pooling.rankings, pooling.reach
    near = min(depth, int(rankings.lengths.max(initial=0)))
    lengths = np.minimum(rankings.lengths, near)
    return Outlook(
        chosen=reach.best <= near,
        brings=np.bincount(rankings.run, weights=lengths, minlength=pooling.n_runs).astype(np.int64),
        alone=alone_at(reach, near),
        run=reach.run,
        adds=added_by(rankings, pooling.starts, reach, pooling.others, near),
        by_depth=reach.best,
    )


@strategy(
    "depth",
    down_to="depth",
    outlook=outlook_to_depth,
    part=part_to_depth,
    uses_names=goes_by_names,
    sparse=True,
)
def pool_to_depth(
    rankings: Rankings,
    *,
    depth: Depth,
    run_depths: RunDepths = None,
    priorities: Priorities = None,
    runs_per_team: RunsPerTeam = None,
    budget: Budget = None,
    percent: Percent = None,
    per_topic: PerTopic | None = None,
) -> PoolPairs:
    """Every document that at least one run has among its first K for the topic.

    All pairs are to be judged. The classic pool of shared tasks: fair to every contributing run, and any two
    runs can be compared down to the depth without meeting an unjudged document. Runs may have a depth of their own,
    and of each team only those of the best priority contribute where `runs_per_team` says how many. With a budget the
    candidates are taken by best rank, of equal ranks those first that more runs have, until it is used up.

    Source: Sparck Jones and van Rijsbergen, British Library report 5266, 1975.
    """
    part = part_to_depth(
        rankings, depth=depth, run_depths=run_depths, priorities=priorities, runs_per_team=runs_per_team
    )
    if budget is None and percent is None and not per_topic:
        return candidates(part)
    longest = max(1, int(part.lengths.max(initial=0)))
    return in_order(by_best_rank)(
        part, depth=longest, budget=budget, percent=percent, per_topic=bool(per_topic)
    )
