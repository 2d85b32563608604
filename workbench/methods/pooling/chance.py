"""Chance for the orders of pooling: numbers that follow from a topic's table, a seed and the step alone."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.topic_table import TopicTable

Seed = Annotated[
    int, Limits("the same seed gives the same choices, for the same judgments", least=0, most=2**53)
]

STEPS_TOGETHER = 64
"""The number of steps whose numbers are drawn at once."""

OTHERS = 300
"""Of each topic at most this many are drawn, to be read beside its candidates."""


def uniforms(table: TopicTable, seed: int, step: int) -> FloatArray:
    """A number for each run, uniform in [0, 1), float64 (S); independent of those of other steps.

    The same in whatever order steps are asked for, so that a replay can begin anywhere. Bit streams of Philox do not
    change between versions of numpy, as its distributions may.
    """
    block, line = divmod(step, STEPS_TOGETHER)

    def draw() -> FloatArray:
        shape = STEPS_TOGETHER, len(table.rank)
        bits = numbers(table, seed, block, shape[0] * shape[1])
        drawn: FloatArray = (bits >> np.uint64(11)).astype(np.float64).reshape(shape) * 2.0**-53
        return drawn

    found: FloatArray = table.latest(("uniforms", seed), block, draw)[line]
    return found


def numbers(table: TopicTable, seed: int, step: int, count: int) -> NDArray[np.uint64]:
    """`count` random integers of 64 bits for one step, uint64 (count), likewise."""
    key = table.once(("key", seed), lambda: _key(table, seed))
    drawn: NDArray[np.uint64] = np.random.Philox(key=key, counter=step << 64).random_raw(count)
    return drawn


def _key(table: TopicTable, seed: int) -> int:
    """128 bits of seed and rankings: topics with other rankings have other numbers."""
    of = blake2b(digest_size=16)
    of.update(f"{seed} {table.rank.shape}".encode())
    of.update(table.rank.astype("<i4").tobytes())
    return int.from_bytes(of.digest(), "little")


def other_documents(table: TopicTable, document_ids: Sequence[str]) -> list[str]:
    """At most OTHERS ids at random that are no candidates of the topic, the same for the same rankings.

    They are what orders that use texts take for not relevant. `document_ids` are the candidates of all topics, each
    once, in byte order.
    """
    own = set(table.document_id)
    found: list[str] = []
    for place in np.argsort(numbers(table, 0, 0, len(document_ids)), kind="stable").tolist():
        if len(found) == OTHERS:
            break
        if document_ids[place] not in own:
            found.append(document_ids[place])
    return found
