"""Scores shuffled over runs, and differences with signs, by chance: which differences of means equal runs have.

The rounds are done in blocks, each with a stream of chance of its own. So what comes out depends on the seed and not on
which process does a block, or when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.methods.statistics.arrays import FloatArray, Progress, rounds


class Block(NamedTuple):
    """Rounds that are done together, and where their chance comes from."""

    rounds: int
    rng: np.random.Generator


Shuffling = Callable[[FloatArray, Sequence[Block], Progress | None], FloatArray]
"""A function that does blocks: from scores (topics, runs) and blocks to the largest differences, float64 (rounds,)."""


def blocks(permutations: int, cells: int, rng: np.random.Generator) -> list[Block]:
    """The rounds in blocks of bounded size, for tables of `cells` scores.

    The first block goes on with `rng`, each of the others has a stream spawned from its seed. ValueError for fewer than
    one round.
    """
    sizes = rounds(permutations, cells)
    return list(map(Block, sizes, [rng, *rng.spawn(len(sizes) - 1)]))


def one_by_one(table: FloatArray, planned: Sequence[Block], progress: Progress | None = None) -> FloatArray:
    """The largest difference of two means in each round of these blocks, float64 (rounds,), in their order."""
    found = []
    for block in planned:
        shuffled = np.broadcast_to(table, (block.rounds, *table.shape)).copy()
        block.rng.permuted(shuffled, axis=2, out=shuffled)
        sums = shuffled.sum(axis=1)
        found.append((sums.max(axis=1) - sums.min(axis=1)) / max(len(table), 1))
        if progress is not None:
            progress(block.rounds)
    return np.concatenate(found)


def number_of_signs(topics: int, permutations: int) -> int:
    """How many assignments of signs `signs` gives, the one observed not counted: the B of (c + 1) / (B + 1)."""
    return 2**topics - 1 if is_complete(topics, permutations) else permutations


def is_complete(topics: int, permutations: int) -> bool:
    """Whether all assignments of signs are looked at, since there are no more of them than asked for."""
    return topics < 63 and 2**topics - 1 <= permutations


def signs(topics: int, permutations: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Assignments of +1 and -1 to topics, some at a time, float64 (b, topics).

    All of them except the observed one (every sign +) where there are no more than `permutations`, so that
    nothing is left to chance; else `permutations` of them, drawn independently.
    """
    if not is_complete(topics, permutations):
        for octets in _octets(topics, permutations, rng):
            yield np.asarray(1.0 - 2.0 * np.unpackbits(octets, axis=1, count=topics), np.float64)
        return
    start = 1
    for some in rounds(number_of_signs(topics, permutations), topics):
        patterns = np.arange(start, start + some)[:, None] >> np.arange(topics) & 1
        start += some
        yield np.asarray(1.0 - 2.0 * patterns, np.float64)


def sums_by_chance(d: FloatArray, permutations: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """The sums of these numbers, one for each topic, with the signs that `signs` gives, in its order, float64 (b,).

    Eight topics have 256 assignments, whose sums are computed once and looked up for each octet of signs drawn.
    """
    if is_complete(len(d), permutations):
        yield from (some @ d for some in signs(len(d), permutations, rng))
        return
    patterns = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    eights = np.zeros((-(-len(d) // 8), 8))
    eights.reshape(-1)[: len(d)] = d
    sums = (eights @ patterns.T).reshape(-1)
    for octets in _octets(len(d), permutations, rng):
        yield sums[octets + 256 * np.arange(octets.shape[1])].sum(axis=1)


def _octets(topics: int, permutations: int, rng: np.random.Generator) -> Iterator[NDArray[np.uint8]]:
    """Drawn signs of eight topics in each octet, the first topic's in its highest bit, uint8 (b, topics / 8)."""
    for some in rounds(permutations, topics):
        yield rng.integers(0, 256, size=(some, -(-topics // 8)), dtype=np.uint8)
