"""What a sample is drawn from: a topic's candidates in an order that depends on the rankings alone.

A sampling strategy puts every candidate into a stratum, gives it an inclusion probability, and draws. The draw counts
through the candidates by best rank and, of one rank, by run; the numbers of documents, which another file may give out
differently, play no part. So the same rankings and seed give the same sample, also after a release was imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.pooling.registry import PoolPairs, candidates, in_the_guise_of, strategy

BoolArray = NDArray[np.bool_]

Seed = Annotated[int, Limits("the seed of the draw: the same seed gives the same sample", least=0)]

FEWEST_RELEVANT, MOST_RELEVANT = 0.1, 0.5
"""The share of relevant documents near the top, where measures look, lies mostly between these; the pool has less."""

QUANTILE = 1.96
CUTOFF, PERSISTENCE = 10, 0.8


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
    name: str, *, wish: str = "estimate", down_to: str | None = None, uses_labels: bool = False
) -> Callable[[FrameFunction], FrameFunction]:
    """The decorator that makes a strategy of a function that draws; arguments as in `Strategy`."""

    def put(function: FrameFunction) -> FrameFunction:
        def choose(rankings: Rankings, **parameters: Any) -> PoolPairs:
            frame: Frame = function(rankings, **parameters)
            return frame.sample

        registered = strategy(
            name, kind="sampled", wish=wish, down_to=down_to, frame=function, uses_labels=uses_labels
        )
        registered(in_the_guise_of(function, choose))
        return function

    return put


def in_drawing_order(rankings: Rankings) -> PoolPairs:
    """All candidates by topic, best rank, and the first run that gives it; each place is that of one document."""
    pool = candidates(rankings)
    row = rankings.entry_rows
    by_rank = np.lexsort((rankings.run[row], rankings.entry_ranks, rankings.topic[row]))
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

    The candidates are in drawing order, `stratum`, int64 (N), is from 1, and `wanted(stratum, size)` says how many of
    one to draw, from 1 to its size.
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


class Precision(NamedTuple):
    """Half the 95 % interval of a run's mean over the topics, averaged over the runs, for P@10 and RBP(p=0.8).

    The smaller and the larger of two numbers: with FEWEST_RELEVANT and with MOST_RELEVANT.
    """

    p_at_10: tuple[float, float]
    rbp: tuple[float, float]


def expected_precision(frame: Frame, rankings: Rankings) -> Precision:
    """What to expect of the estimates from a sample of pooled runs, with chance alone deciding what is relevant."""
    rank = rankings.entry_ranks
    parts = (
        np.where(rank <= CUTOFF, 1.0 / CUTOFF, 0.0),
        np.asarray((1 - PERSISTENCE) * PERSISTENCE ** (rank - 1.0), np.float64),
    )
    shares = (FEWEST_RELEVANT, MOST_RELEVANT)
    found = [sorted(_half_width(frame, rankings, part, share) for share in shares) for part in parts]
    return Precision(*((smaller, larger) for smaller, larger in found))


def _half_width(frame: Frame, rankings: Rankings, part: FloatArray, share: float) -> float:
    runs, topics = np.unique(rankings.run), np.unique(frame.pairs.topic)
    if not len(topics):
        return 0.0
    variance = expected_variances(frame, rankings, part, share)
    by_run = np.array([np.sqrt(variance[rankings.run == run].sum()) for run in runs])
    return float(QUANTILE * by_run.mean() / len(topics))


def expected_variances(frame: Frame, rankings: Rankings, part: FloatArray, share: float) -> FloatArray:
    """The expected variance over samples of each row's Σ part / π over its relevant documents, float64 (R).

    Formula: Σ_c (E Σ b (y / π)^2 - E (Σ b y / π)^2 / Σ b), where b = π (1 - π) N / (N - 1) over the N candidates of
    stratum c, and y is `part` where a document is relevant, which each is with the probability `share`

    `part`, float64 (N), is what each entry adds if it is relevant. For a simple random sample the variance is exact;
    for a systematic one an approximation.

    Source: Hájek, The Annals of Mathematical Statistics 35 (1964).
    """
    row = rankings.entry_rows
    pairs, probability = frame.pairs, frame.pairs.inclusion_probability
    strata = int(pairs.stratum.max(initial=1))
    group = pairs.topic.astype(np.int64) * strata + pairs.stratum - 1
    size = np.bincount(group, minlength=1)
    b = probability * (1 - probability) * (size / np.maximum(size - 1, 1))[group]
    whole = np.bincount(group, b, minlength=1)
    span = 1 + int(max(pairs.document.max(initial=0), rankings.document.max(initial=0)))
    order = np.argsort(pairs.topic.astype(np.int64) * span + pairs.document, kind="stable")
    cells = (pairs.topic.astype(np.int64) * span + pairs.document)[order]
    entry = rankings.topic[row].astype(np.int64) * span + rankings.document
    place = np.minimum(np.searchsorted(cells, entry), max(len(cells) - 1, 0))
    found = (cells[place] == entry) & (part > 0)
    at = order[place[found]]
    scaled, weight, rows = part[found] / probability[at], b[at], row[found]
    key = rows * strata + pairs.stratum[at] - 1
    shape = (len(rankings), strata)

    def summed(values: FloatArray) -> FloatArray:
        found = np.bincount(key, values, minlength=shape[0] * strata)
        return found.astype(np.float64).reshape(shape)

    of_group = np.zeros(shape)
    topics = rankings.topic[:, None].astype(np.int64) * strata + np.arange(strata)
    inside = topics < len(whole)
    of_group[inside] = whole[topics[inside]]
    squares = share * summed(weight * scaled**2)
    mean = (share * summed(weight * scaled)) ** 2 + share * (1 - share) * summed((weight * scaled) ** 2)
    explained = np.divide(mean, of_group, out=np.zeros(shape), where=of_group > 0)
    variances: FloatArray = np.maximum(squares - explained, 0.0).sum(axis=1)
    return variances
