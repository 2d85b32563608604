"""Pairs that were found elsewhere: named one by one, whether or not a run has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import KINDS, Kind, Limits
from workbench.core.ranking import Rankings
from workbench.core.records import Pooled
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy


class ListedPair(str):
    """A topic id and a document id with a blank between them; neither has a blank in it."""

    __slots__ = ()


def read_pair(text: str) -> tuple[str, str]:
    """Topic id and document id of a listed pair; ValueError where it is none."""
    topic_id, _, document_id = text.strip(" ").partition(" ")
    document_id = document_id.lstrip(" ")
    if not topic_id or not document_id or " " in document_id:
        message = f"{text!r} is not a pair; write a topic and a document with a blank between them"
        raise ValueError(message)
    return topic_id, document_id


def write_pair(topic_id: str, document_id: str) -> str:
    """The same pair as text."""
    return f"{topic_id} {document_id}"


KINDS[ListedPair] = Kind(
    "a topic and a document with a blank between them",
    lambda text: write_pair(*read_pair(text)),
    str,
    by_line=True,
)

Pairs = Annotated[list[ListedPair], Limits("the topic-document pairs to judge", example="1 d1")]
FoundBy = Annotated[
    Literal["list", "search"], Limits("how the pairs were found: listed in a file, or by searching the texts")
]


def listed_pairs(*, pairs: Sequence[str], found_by: str = "list") -> list[Pooled]:
    """The pairs of a list, each once, in its order; UnknownName where one is no pair, or there is none."""
    try:
        found = list(dict.fromkeys(map(read_pair, pairs)))
    except ValueError as reason:
        raise UnknownName(str(reason)) from None
    if not found:
        message = "the list has no pairs; give at least one topic with a document"
        raise UnknownName(message)
    return [Pooled(*pair, best_rank=0, runs=0) for pair in found]


@strategy("list", uses_names=True, listed=listed_pairs)
def pool_of_list(rankings: Rankings, *, pairs: Pairs, found_by: FoundBy = "list") -> PoolPairs:
    """The topic-document pairs of a list, such as those that people found by searching.

    All pairs are to be judged. Those that no run has are pooled with best rank 0 and 0 runs.

    Source: Cormack, Palmer and Clarke, SIGIR 1998: interactive searching and judging.
    """
    return pairs_of_runs(rankings, listed_pairs(pairs=pairs))


def pairs_of_runs(rankings: Rankings, pairs: Iterable[Pooled]) -> PoolPairs:
    """Those of the pairs that runs have, with best rank and number of runs; ValueError for rankings without ids."""
    wanted: dict[str, set[str]] = {}
    for pair in pairs:
        wanted.setdefault(pair.topic_id, set()).add(pair.document_id)
    pool = candidates(rankings)
    if not len(pool.topic):
        return pool
    if rankings.names is None:
        message = "a list names documents by their ids; give rankings with their names"
        raise ValueError(message)
    names = rankings.names
    chosen = np.zeros(len(pool.topic), np.bool_)
    for topic, topic_id in enumerate(names.topic_ids):
        if topic_id in wanted:
            vocabulary = enumerate(names.document_ids.get(topic_id, ()))
            numbers = [number for number, id_ in vocabulary if id_ in wanted[topic_id]]
            chosen |= (pool.topic == topic) & np.isin(pool.document, np.array(numbers, np.uint32))
    return pool.take(chosen)
