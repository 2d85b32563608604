"""Signs given to differences by chance: what a difference of two equal systems would look like."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from workbench.methods.statistics.arrays import FloatArray, rounds


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
