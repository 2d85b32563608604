"""Scores shuffled over runs, topic by topic: which differences of means there are by chance alone.

The rounds are done in blocks, each with a stream of chance of its own. So what comes out depends on the seed and not on
which process does a block, or when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from workbench.methods.statistics.arrays import FloatArray, Progress, rounds


class Block(NamedTuple):
    """Rounds that are done together, and where their chance comes from."""

    rounds: int
    rng: np.random.Generator


Shuffling = Callable[[FloatArray, Sequence[Block], Progress | None], FloatArray]
"""A function that does blocks: from scores (topics, runs) and blocks to the largest differences, float64 (rounds,)."""


def blocks(permutations: int, cells: int, rng: np.random.Generator) -> list[Block]:
    """The rounds in blocks of bounded size, for tables of `cells` scores.

    The first block goes on with `rng`, each of the others has a stream spawned from its seed.

    Raises:
        ValueError: fewer than one round.
    """
    sizes = rounds(permutations, cells)
    return list(map(Block, sizes, [rng, *rng.spawn(len(sizes) - 1)]))


def one_by_one(table: FloatArray, planned: Sequence[Block], progress: Progress | None = None) -> FloatArray:
    """The largest difference of two means in each round of these blocks, float64 (rounds,), in their order."""
    found = []
    for block in planned:
        found.append(_largest_differences(table, block))
        if progress is not None:
            progress(block.rounds)
    return np.concatenate(found)


def _largest_differences(table: FloatArray, block: Block) -> FloatArray:
    shuffled = np.broadcast_to(table, (block.rounds, *table.shape)).copy()
    block.rng.permuted(shuffled, axis=2, out=shuffled)
    sums = shuffled.sum(axis=1)
    return np.asarray((sums.max(axis=1) - sums.min(axis=1)) / max(len(table), 1), np.float64)
