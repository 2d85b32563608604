"""The plan of a pool: its size at every depth, topic by topic and run by run, before it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.campaign import Campaign
from workbench.planning.material import Material, planner_of
from workbench.pool_making import check_depth, run_indices
from workbench.pooling import make_pool
from workbench.pooling.reach import added_by, alone_at, pairs_by_depth, pairs_by_topic
from workbench.ranking import IntArray

USUAL_DEPTHS = (1, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
MORE_RANKS = 10
"""How much deeper a pool is whose cost is shown beside the one asked for."""


class DepthPlan(NamedTuple):
    """The pool at one depth: its pairs, those not pooled yet, those that somebody has judged, and what is then to be
    judged in the whole campaign.
    """

    depth: int
    pairs: int
    new: int
    judged: int
    to_judge: int


class TopicPlan(NamedTuple):
    """One topic: the pool's pairs, those of them not pooled yet, and what is pooled as things stand.

    Of all that is pooled then, `judged` are the pairs that somebody has judged and `to_judge` the others; `waiting` are
    those of the latter that are pooled as things stand.
    """

    topic_id: str
    pairs: int
    new: int
    before: int
    judged: int
    to_judge: int
    waiting: int


class RunPlan(NamedTuple):
    """One run that is drawn on: the pairs it has down to the depth, those that no other run has down to there, and
    those of the latter that are not pooled yet.
    """

    tag: str
    team: str
    brings: int
    alone: int
    new: int


class OtherRun(NamedTuple):
    """A run that is not drawn on, and how many pairs the pool would have more if it were."""

    tag: str
    team: str
    adds: int


class PoolPlan(NamedTuple):
    """What a pool would hold.

    `pairs`, `new`, `judged` and `to_judge` are those of `DepthPlan`, int64 (longest ranking + 1,), by depth from 0, of
    pools to that depth over the same runs; the other fields are of the pool as it was asked for. `before` and `waiting`
    are all pairs that the campaign has pooled, and those of them that nobody has judged.
    """

    depth: int
    tags: tuple[str, ...]
    at_depth: DepthPlan
    by_topic: tuple[TopicPlan, ...]
    by_run: tuple[RunPlan, ...]
    others: tuple[OtherRun, ...]
    pairs: IntArray
    new: IntArray
    judged: IntArray
    to_judge: IntArray
    before: int
    waiting: int

    @property
    def total(self) -> int:
        """All pairs of the pool."""
        return self.at_depth.pairs

    @property
    def pooled_already(self) -> int:
        """Its pairs that the campaign has pooled."""
        return self.at_depth.pairs - self.at_depth.new

    @property
    def deepest(self) -> int:
        """The length of the longest ranking: a deeper pool has nothing more."""
        return len(self.pairs) - 1

    def at(self, depth: int) -> DepthPlan:
        """The pool to another depth over the same runs."""
        place = min(depth, self.deepest)
        curves = (self.pairs, self.new, self.judged, self.to_judge)
        return DepthPlan(depth, *(int(curve[place]) for curve in curves))


def plan_pool(
    campaign: Campaign,
    *,
    depth: int,
    strategy: str = "depth",
    ties: str = "descending",
    tags: Sequence[str] | None = None,
) -> PoolPlan:
    """What a pool would hold, without making it; arguments and errors as in `pool_making.add_pool`."""
    check_depth(depth)
    planner = planner_of(campaign)
    with campaign.snapshot():
        stored = planner.rankings(campaign, ties)
        indices = run_indices(campaign, stored.runs, tags)
        material = planner.material(campaign, ties, indices)
    chosen = _chosen(material, indices, strategy, depth)
    return _plan(material, indices, chosen, depth)


def shown_depths(plan: PoolPlan) -> list[int]:
    """The usual depths, the one asked for, and that with MORE_RANKS ranks more; none deeper than the runs but the one
    asked for and the first that takes all they have.
    """
    wanted = sorted({*USUAL_DEPTHS, plan.depth, plan.depth + MORE_RANKS, plan.deepest} - {0})
    return [depth for depth in wanted if depth <= plan.deepest or depth == plan.depth]


def _chosen(material: Material, indices: Sequence[int], strategy: str, depth: int) -> NDArray[np.bool_]:
    """The cells that the strategy chooses."""
    rankings = material.stored.rankings
    if len(indices) < len(material.stored.runs):
        rankings = rankings.of_runs(indices)
    pairs = make_pool(rankings, strategy=strategy, depth=depth)
    mask = np.zeros(int(material.starts[-1]), np.bool_)
    mask[material.starts[pairs.topic] + pairs.document] = True
    return mask


def _plan(material: Material, indices: Sequence[int], chosen: NDArray[np.bool_], depth: int) -> PoolPlan:
    best, deepest = material.reach.best, len(material.sizes) - 1
    near = min(depth, int(material.stored.rankings.lengths.max(initial=0)))
    beyond = material.judged & ~material.pooled
    new = material.sizes - pairs_by_depth(best[material.pooled], deepest)
    fresh = chosen & ~material.pooled
    waiting = int((material.before - material.done).sum())
    return PoolPlan(
        depth=depth,
        tags=tuple(material.stored.runs[index].record.tag for index in indices),
        at_depth=DepthPlan(
            depth,
            int(np.count_nonzero(chosen)),
            int(np.count_nonzero(fresh)),
            int(np.count_nonzero(chosen & material.judged)),
            waiting + int(np.count_nonzero(fresh & ~material.judged)),
        ),
        by_topic=_by_topic(material, chosen),
        by_run=_by_run(material, indices, near),
        others=_others(material, indices, near),
        pairs=material.sizes,
        new=new,
        judged=pairs_by_depth(best[material.judged], deepest),
        to_judge=waiting + new - pairs_by_depth(best[beyond], deepest),
        before=int(material.before.sum()),
        waiting=waiting,
    )


def _by_topic(material: Material, chosen: NDArray[np.bool_]) -> tuple[TopicPlan, ...]:
    """Every topic that the pool or an earlier one has pairs in, in byte order of the ids."""
    fresh = chosen & ~material.pooled
    new = pairs_by_topic(fresh, material.starts)
    judged = material.done + pairs_by_topic(fresh & material.judged, material.starts)
    counts = (
        pairs_by_topic(chosen, material.starts),
        new,
        material.before,
        judged,
        material.before + new - judged,
        material.before - material.done,
    )
    rows = (
        TopicPlan(*row)
        for row in zip(material.stored.topic_ids, *(count.tolist() for count in counts), strict=True)
    )
    return tuple(row for row in rows if row.pairs or row.before)


def _by_run(material: Material, indices: Sequence[int], depth: int) -> tuple[RunPlan, ...]:
    stored, reach = material.stored, material.reach
    n_runs = len(stored.runs)
    lengths = np.minimum(stored.rankings.lengths, depth)
    brings = np.bincount(stored.rankings.run, weights=lengths, minlength=n_runs)
    only = alone_at(reach, depth)
    alone = np.bincount(reach.run[only], minlength=n_runs)
    new = np.bincount(reach.run[only & ~material.pooled], minlength=n_runs)
    return tuple(
        RunPlan(record.tag, record.team, int(brings[index]), int(alone[index]), int(new[index]))
        for index in indices
        for record in [stored.runs[index].record]
    )


def _others(material: Material, indices: Sequence[int], depth: int) -> tuple[OtherRun, ...]:
    stored = material.stored
    left = [index for index in range(len(stored.runs)) if index not in set(indices)]
    adds = added_by(stored.rankings, material.starts, material.reach, left, depth)
    return tuple(
        OtherRun(stored.runs[index].record.tag, stored.runs[index].record.team, count)
        for index, count in zip(left, adds, strict=True)
    )
