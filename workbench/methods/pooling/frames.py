"""What a sample is drawn from: a topic's candidates in an order that depends on the rankings alone.

A sampling strategy puts every candidate into a stratum, gives it an inclusion probability, and draws. The draw counts
through the candidates by best rank and, of one rank, by run; the numbers of documents, which another file may give out
differently, play no part. So the same rankings and seed give the same sample, also after a release was imported.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy

BoolArray = NDArray[np.bool_]

Seed = Annotated[int, Limits("the seed of the draw: the same seed gives the same sample", least=0)]


@dataclass(frozen=True, eq=False)
class Frame:
    """All candidates with the design of a sample, and which of them were drawn.

    Attributes:
        pairs: the candidates (N), with stratum and inclusion probability.
        drawn: bool (N).
        has_strata: whether the candidates of a stratum and topic all had the same chance.
    """

    pairs: PoolPairs
    drawn: BoolArray
    has_strata: bool

    @property
    def sample(self) -> PoolPairs:
        """The pairs to be judged, by topic and document number."""
        drawn = self.pairs.take(self.drawn)
        return drawn.take(np.lexsort((drawn.document, drawn.topic)))


FrameFunction = Callable[..., Frame]


def sampling_design(
    name: str, *, purpose: str = "", down_to: str | None = None
) -> Callable[[FrameFunction], FrameFunction]:
    """The decorator that makes a strategy of a function that draws; arguments as in `Strategy`."""

    def put(function: FrameFunction) -> FrameFunction:
        def choose(rankings: Rankings, **parameters: Any) -> PoolPairs:
            frame: Frame = function(rankings, **parameters)
            return frame.sample

        choose.__doc__ = function.__doc__
        choose.__qualname__ = function.__qualname__
        choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        choose.__annotations__ = get_type_hints(function, include_extras=True)
        strategy(name, kind="sampled", purpose=purpose, down_to=down_to, frame=function)(choose)
        return function

    return put


def in_drawing_order(rankings: Rankings) -> PoolPairs:
    """All candidates by topic, best rank, and the first run that gives it; each place is that of one document."""
    pool = candidates(rankings)
    row = np.repeat(np.arange(len(rankings)), rankings.lengths)
    rank = np.arange(1, len(row) + 1) - rankings.row_start[row]
    by_rank = np.lexsort((rankings.run[row], rank, rankings.topic[row]))
    span = 1 + int(pool.document.max(initial=0))
    cell = rankings.topic[row].astype(np.int64) * span + rankings.document
    _, first = np.unique(cell[by_rank], return_index=True)
    # The candidates and the cells are both ascending by topic and document.
    return pool.take(np.argsort(first, kind="stable"))


def topics_of(pool: PoolPairs) -> Iterator[slice]:
    """The places of each topic's candidates; the pool is ordered by topic."""
    if not len(pool.topic):
        return
    starts = np.flatnonzero(np.r_[True, pool.topic[1:] != pool.topic[:-1]]).tolist()
    for start, end in zip(starts, [*starts[1:], len(pool.topic)], strict=True):
        yield slice(start, end)


def stratified(
    pool: PoolPairs, stratum: IntArray, wanted: Callable[[int, int], int], rng: np.random.Generator
) -> Frame:
    """A simple random sample without replacement inside each stratum of each topic.

    Args:
        pool: the candidates in drawing order (N).
        stratum: int64 (N), from 1.
        wanted: how many of a stratum to draw: `wanted(stratum, size)`, from 1 to its size.
        rng: what chance comes from.
    """
    probability, drawn = np.ones(len(stratum)), np.zeros(len(stratum), np.bool_)
    for topic in topics_of(pool):
        for number in np.unique(stratum[topic]).tolist():
            places = topic.start + np.flatnonzero(stratum[topic] == number)
            taken = wanted(number, len(places))
            probability[places] = taken / len(places)
            drawn[places[rng.permutation(len(places))[:taken]]] = True
    return Frame(designed(pool, stratum, probability), drawn, has_strata=True)


def designed(pool: PoolPairs, stratum: IntArray, probability: FloatArray) -> PoolPairs:
    """The candidates with their strata and inclusion probabilities."""
    return pool._replace(stratum=stratum.astype(np.int32), inclusion_probability=probability)


def sizes_by_topic(pool: PoolPairs) -> IntArray:
    """How many candidates each topic has, int64 (largest topic number + 1)."""
    return np.bincount(pool.topic, minlength=1 + int(pool.topic.max(initial=-1)))
