"""The pools that would have been made without some runs for as many judgments.

A pool to a depth goes down to the depth that costs as much; what an order takes to a budget is taken in its order, as
many pairs of each topic as before. Of the pairs that are new in them no judgment may be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.reuse.origin import Group, Origin
from workbench.core.ranking import IntArray, Rankings
from workbench.methods.pooling import STRATEGIES, TIES, Strategy, needs
from workbench.methods.pooling.adaptive import OF_ADAPTIVE, adaptive_sequence
from workbench.methods.pooling.ordering import OF_ORDERS
from workbench.methods.pooling.reach import NOWHERE, cell_starts, pairs_by_depth, reach_of_groups
from workbench.methods.pooling.strategies.depth import goes_by_names
from workbench.methods.pooling.topic_table import sequence, table_of
from workbench.scoring.board import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.collection.rankings import load_rankings


class OtherPool(NamedTuple):
    """A pool made without a group: its cells of the labels, each once, and its depth where it is one to a depth."""

    cells: IntArray
    depth: int | None = None


Remake = Callable[[int], OtherPool]
"""From the place of a group to the pool without it."""


class Remakes(NamedTuple):
    """How each pool is made without a group; without any where one of them cannot be, and why."""

    of_pools: tuple[Remake, ...]
    why_not: str = ""

    def without(self, group: int) -> OtherPool | None:
        """All pools together without a group; None where they cannot be made. The depth is that of a lone pool."""
        if self.why_not or not self.of_pools:
            return None
        made = [remake(group) for remake in self.of_pools]
        if len(made) == 1:
            return made[0]
        return OtherPool(np.unique(np.concatenate([pool.cells for pool in made])))


class _Placed(NamedTuple):
    """The rankings of a pool's runs, and the cell of the labels at which each of their topics starts."""

    rankings: Rankings
    start: IntArray
    groups: list[list[int]]


def remakes_of(campaign: Campaign, scoring: Scoring, origin: Origin, groups: Sequence[Group]) -> Remakes:
    """How the pools in force are made without each of these groups, as far as they can be."""
    found = []
    for pool in pools.in_force(campaign):
        record = pool.record
        strategy = STRATEGIES.get(record.strategy)
        if strategy is None or (reason := _why_not(strategy, record)):
            name = f"pool {pool.pool} ({record.strategy})"
            why = "is of a strategy that is not known here" if strategy is None else reason
            return Remakes((), f"The same cost is not computed: {name} {why}.")
        parameters = strategy.check(record.parameters)
        placed = _placed(campaign.now, scoring, pool, groups)
        cells = np.unique(origin.cell[origin.of_pool[pool.pool]])
        if strategy.order is None:
            found.append(_deeper(placed, len(cells), parameters["depth"]))
        else:
            found.append(_in_order(placed, strategy, parameters, cells, scoring))
    return Remakes(tuple(found))


def remake_to_depth(scoring: Scoring, groups: Sequence[Group], depth: int) -> Remakes:
    """How the pool to a depth of the contributing runs that take part is made without each group."""
    contributing = {place for place, run in enumerate(scoring.runs) if run.record.contributes}
    columns = [[place for place in group.columns if place in contributing] for group in groups]
    placed = _Placed(scoring.rankings, scoring.labels.topic_start[:-1], columns)
    near = reach_of_groups(scoring.rankings, scoring.labels.topic_start, columns)
    return Remakes((_deeper(placed, int((near.best <= depth).sum()), depth),))


def _why_not(strategy: Strategy, record: pools.PoolRecord) -> str:
    """Why a pool cannot be made for the same cost without some runs; "" where it can."""
    if record.residual is not None:
        return "was made of what earlier rounds had left"
    if strategy.frame is not None:
        return "is a sample, and another would have been drawn"
    if strategy.uses_texts:
        return "chooses by the texts, which are not read for this"
    if strategy.order is not None:
        return ""
    if strategy.name != "depth":
        return "has no order in which it could go on"
    if goes_by_names(**record.parameters):
        return "has depths or numbers of runs of its own"
    return ""


def _placed(campaign: Campaign, scoring: Scoring, pool: pools.StoredPool, groups: Sequence[Group]) -> _Placed:
    record = pool.record
    needed = needs(record.strategy, record.ties, record.parameters)
    stored = load_rankings(campaign.at(pool.seq), also=record.runs, **needed._asdict())
    column = {run.run: place for place, run in enumerate(stored.runs) if run.record.tag in record.runs}
    rankings = TIES.find(record.ties)(stored.rankings).of_runs(list(column.values()))
    members = [[column[number] for number in group.numbers if number in column] for group in groups]
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    starts = scoring.labels.topic_start[[place[topic_id] for topic_id in stored.topic_ids]]
    return _Placed(rankings, starts, members)


def _deeper(placed: _Placed, cost: int, depth: int) -> Remake:
    """The deepest pool that has at most as many pairs; from the two best ranks of each document in two groups."""
    starts = cell_starts(placed.rankings, len(placed.start))
    reach = reach_of_groups(placed.rankings, starts, placed.groups)
    deepest = int(placed.rankings.lengths.max(initial=0))
    topic = np.repeat(np.arange(len(placed.start)), np.diff(starts))
    cell = placed.start[topic] + np.arange(len(topic)) - starts[topic]

    def remake(group: int) -> OtherPool:
        best = np.where(reach.run == group, reach.second, reach.best)
        number = pairs_by_depth(best, deepest)
        affordable = number[np.searchsorted(number, cost, side="right") - 1]
        # Where rankings end, more depth brings nothing: the least depth with these pairs is named.
        reached = max(int(np.searchsorted(number, affordable)), min(depth, deepest))
        return OtherPool(cell[(best <= reached) & (best < NOWHERE)], reached)

    return remake


def _in_order(
    placed: _Placed, strategy: Strategy, parameters: Mapping[str, Any], cells: IntArray, scoring: Scoring
) -> Remake:
    """The first pairs of each topic in the strategy's order, as many as the pool has."""
    sizes = _sizes(placed.start, cells, len(scoring.labels.label))

    def remake(group: int) -> OtherPool:
        left_out = set(placed.groups[group])
        kept = [int(run) for run in np.unique(placed.rankings.run) if int(run) not in left_out]
        parts = [np.zeros(0, np.int64)]
        for topic, size in enumerate(sizes.tolist() if kept else []):
            rows = placed.rankings.of_topic(topic).of_runs(kept) if size else None
            if rows is not None and len(rows):
                start = int(placed.start[topic])
                parts.append(_first(rows, strategy, parameters, size, scoring, start))
        return OtherPool(np.concatenate(parts))

    return remake


def _first(
    rows: Rankings, strategy: Strategy, parameters: Mapping[str, Any], size: int, scoring: Scoring, start: int
) -> IntArray:
    """The cells of the first pairs of a topic; an adaptive order gets the labels that there are."""
    function = strategy.order
    if function is None:
        return np.zeros(0, np.int64)
    table = table_of(rows, depth=parameters["depth"])
    cell: IntArray = start + table.document.astype(np.int64)
    own = {name: value for name, value in parameters.items() if name not in (*OF_ORDERS, *OF_ADAPTIVE)}
    if strategy.kind == "adaptive":
        relevant: NDArray[np.bool_] = scoring.labels.label[cell] >= scoring.relevant_from
        places = adaptive_sequence(
            function, table, relevant, budget=size, burn_in=parameters["burn_in"], **own
        )
    else:
        places = sequence(table, function(table, **own), parameters["burn_in"])[:size]
    return cell[places]


def _sizes(start: IntArray, cells: Iterable[int] | IntArray, size: int) -> IntArray:
    """How many of the cells each of a pool's topics has, int64 (topics of the pool,)."""
    order = np.argsort(start, kind="stable")
    found = np.searchsorted(start[order], np.asarray(cells), side="right") - 1
    return np.bincount(order[found], minlength=len(start)).astype(np.int64)
