"""What a pool would hold before it is made: how much each run brings, and what other depths and runs would cost.

A strategy may have a function of its own for this, which knows more or is quicker; for the others the pool is made
without being kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, Rankings
from workbench.methods.pooling.reach import NOWHERE, Reach, reach_of
from workbench.methods.pooling.registry import PoolPairs, Strategy


class Pooling(NamedTuple):
    """What an outlook is made from.

    Attributes:
        rankings: those of all runs, their documents in the order in which they are to be pooled.
        n_runs: how many runs these are.
        drawn_on: the numbers of the runs that the pool draws on.
        starts: where each topic's cells start, int64 (T + 1), see `reach.cell_starts`.
        reach: the reach of the runs that are drawn on.
    """

    rankings: Rankings
    n_runs: int
    drawn_on: Sequence[int]
    starts: IntArray
    reach: Reach

    @property
    def others(self) -> list[int]:
        """The numbers of the runs that the pool does not draw on."""
        return sorted(set(range(self.n_runs)) - set(self.drawn_on))


class Outlook(NamedTuple):
    """A pool as it would be, without making it.

    Attributes:
        chosen: the cells that it has, bool (cells,).
        brings: how many of them each run has as far down as the strategy looks, int64 (runs,).
        alone: the cells that one run alone brings, bool (cells,).
        run: which run brings each of these, int32 (cells,).
        adds: how many pairs the pool would have more with each of the other runs; None where only making it tells.
        by_depth: from which depth on each cell is in a pool of this strategy, int32 (cells,); None where it has none.
    """

    chosen: NDArray[np.bool_]
    brings: IntArray
    alone: NDArray[np.bool_]
    run: NDArray[np.int32]
    adds: Sequence[int] | None = None
    by_depth: NDArray[np.int32] | None = None


def outlook_of(strategy: Strategy, parameters: Mapping[str, Any], pooling: Pooling) -> Outlook:
    """The outlook by the strategy's own function, or by making its pool; `parameters` are checked."""
    own: Outlook | None = None if strategy.outlook is None else strategy.outlook(pooling, **parameters)
    if own is not None:
        return own
    rankings = pooling.rankings
    if pooling.others:
        rankings = rankings.of_runs(pooling.drawn_on)
    made = strategy.planned or strategy.function
    chosen = cells_of(made(rankings, **parameters), pooling.starts)
    seen = strategy.looks_at(rankings, parameters)
    reach = reach_of(seen, pooling.starts, pooling.drawn_on)
    cell = np.repeat(pooling.starts[seen.topic], seen.lengths) + seen.document
    brings = np.bincount(np.repeat(seen.run, seen.lengths)[chosen[cell]], minlength=pooling.n_runs)
    return Outlook(chosen, brings, chosen & (reach.second == NOWHERE), reach.run)


def cells_of(pairs: PoolPairs, starts: IntArray) -> NDArray[np.bool_]:
    """The cells of a pool's pairs, bool (cells,)."""
    mask = np.zeros(int(starts[-1]), np.bool_)
    mask[starts[pairs.topic] + pairs.document] = True
    return mask
