"""Signs given to differences by chance: what a difference of two equal systems would look like."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

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
    number = number_of_signs(topics, permutations)
    complete, start = is_complete(topics, permutations), 1
    for some in rounds(number, topics):
        if complete:
            patterns = np.arange(start, start + some)[:, None] >> np.arange(topics) & 1
            start += some
        else:
            octets = rng.integers(0, 256, size=(some, -(-topics // 8)), dtype=np.uint8)
            patterns = np.unpackbits(octets, axis=1, count=topics).astype(np.int64)
        yield np.asarray(1.0 - 2.0 * patterns, np.float64)
