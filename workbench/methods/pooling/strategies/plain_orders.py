"""Static orders by plain rules: the priority of NTCIR, document ids, and chance."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import TopicTable

Seed = Annotated[int, Limits("another number gives another order")]

BITS = 53
"""This many bits of a hash make a number that is kept exactly."""


@order("ntcir")
def ntcir_priority(table: TopicTable) -> FloatArray:
    """Documents that most runs have; of equally many, those with the smallest sum of ranks.

    Formula: first the number of runs that have d within the depth, then −Σ_s r_s(d) over these runs

    Source: NTCIRPOOL (Sakai); compared with a random order in Sakai, Tao and others, TOIS 2022.
    """
    runs = table.found.sum(axis=0)
    ranks = table.rank.sum(axis=0, dtype=np.int64)
    # A run more outweighs every sum of ranks; whole numbers below 2^53 are exact.
    priority: FloatArray = (runs * (1 + int(ranks.max(initial=0))) - ranks).astype(np.float64)
    return priority


@order("document-id", wish="top")
def by_document_id(table: TopicTable) -> FloatArray:
    """Documents in byte order of their ids, which tells nothing of the runs.

    A budget in this order is no fair choice: collections are often sorted by source or date.

    Source: the order in which TREC's assessors see their pools.
    """
    return -np.arange(len(table), dtype=np.float64)


@order("random", wish="top")
def at_random(table: TopicTable, *, seed: Seed = 0) -> FloatArray:
    """Documents in a random order, the same whenever the seed is the same.

    Each document's place depends on seed, topic and document id alone: where more documents come, those before keep
    their order. For estimates from a sample choose a sampling design, which keeps the probabilities.

    Source: a hash (BLAKE2b) of seed, topic and document id, as for the shuffled viewing order.
    """
    if len(table.document_id) < len(table):
        raise ValueError("a random order goes by ids; give rankings with their names")
    return np.array([chance(seed, table.topic_id, id_) for id_ in table.document_id], np.float64)


def chance(seed: int, topic_id: str, document_id: str) -> float:
    """A number from 0 to 1 that looks random."""
    words = "\0".join((str(seed), topic_id, document_id))
    digest = blake2b(words.encode(), digest_size=8).digest()
    return float(int.from_bytes(digest, "big") >> (64 - BITS)) / 2.0**BITS
