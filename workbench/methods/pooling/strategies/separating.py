"""Documents that tell the runs apart, whatever their labels turn out to be."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.strategies.rbp_adaptive import rank_biased_weights
from workbench.methods.pooling.topic_table import Seen, TopicTable

Number = TypeVar("Number", np.int64, np.float64)

UNIT = 2**40
"""Weights are whole multiples of 1/UNIT: their sums are exact, so that it does not matter in which order they come."""

Persistence = Annotated[
    float,
    Limits(
        "the persistence of the rank-biased precision by which runs are told apart; the larger, the deeper",
        above=0,
        below=1,
    ),
]
Pairs = Annotated[
    Literal["undecided", "all"],
    Limits("the pairs of runs that count: those of which it is open which is better on this topic, or all"),
]


@order("separate", kind="adaptive", purpose="separate the systems")
def separate(
    table: TopicTable, seen: Seen, *, p: Persistence = 0.95, pairs: Pairs = "undecided"
) -> FloatArray:
    """Documents that two runs weigh differently, by rank-biased precision, added up over the pairs of runs.

    A judgment narrows the bounds of the difference of two runs by that much, relevant or not. A pair is undecided while
    0 is within the bounds of its difference on the topic: what is judged, and for each bound what would favour one
    of the two most of all that is not. Documents on which no undecided pair depends follow in the order for all pairs.

    Formula: Σ |w_s(d) - w_t(d)| over pairs s, t, where w_s(d) = (1 - p) p^(r_s(d) - 1), and 0 where s does not have d

    Source: Carterette, Allan and Sitaraman, SIGIR 2006, whose weights are these for measures that add up.
    """
    if pairs == "all":
        return table.once(("separate all", p), lambda: _of_all(table, p).astype(np.float64))
    state = table.onwards(("undecided", p), lambda before: _state(table, seen, p, before))
    return state.scores


def _of_all(table: TopicTable, p: float) -> IntArray:
    """The order for all pairs, in units, int64 (n)."""
    return table.once(("separate", p), lambda: summed_differences(_weights(table, p)))


def _scores(table: TopicTable, p: float, differences: IntArray) -> FloatArray:
    """By the undecided pairs, and by all of them below where no undecided pair depends on a document; float64 (n)."""
    of_all = _of_all(table, p)
    later = table.once(("separate later", p), lambda: of_all - (1 + of_all.max(initial=0)))
    return np.where(differences > 0, differences, later).astype(np.float64)


class _State(NamedTuple):
    """What is open after some judgments; all sums in units.

    Attributes:
        judged: bool (n).
        relevant: bool (n).
        ahead: int64 (S, S). What run s can gain on run t from documents that are not judged.
        undecided: bool (S, S), s < t alone.
        base: int64 (S). The weight of the relevant documents.
        differences: int64 (n). Σ |w_s - w_t| over the undecided pairs.
        scores: float64 (n). What follows from these, see `_scores`.
    """

    judged: NDArray[np.bool_]
    relevant: NDArray[np.bool_]
    ahead: IntArray
    base: IntArray
    undecided: NDArray[np.bool_]
    differences: IntArray
    scores: FloatArray


def _state(table: TopicTable, seen: Seen, p: float, before: _State | None) -> _State:
    """The state after what is judged, from that before."""
    weights = _weights(table, p)
    if before is None:
        before = _first(table, weights, p)
    ahead, base = before.ahead, before.base
    for place in (seen.judged != before.judged).nonzero()[0]:
        sign = 1 if before.judged[place] else -1
        ahead = ahead + sign * _gains(weights[:, place])
    for place in (seen.relevant != before.relevant).nonzero()[0]:
        base = base + (1 if seen.relevant[place] else -1) * weights[:, place]
    lead = base[:, None] - base
    undecided = (lead + ahead >= 0) & (lead - ahead.T <= 0) & table.once("pairs", lambda: _pairs(table))
    differences, scores = before.differences, before.scores
    for one, other in zip(*(undecided != before.undecided).nonzero(), strict=True):
        sign = 1 if undecided[one, other] else -1
        differences = differences + sign * np.abs(weights[one] - weights[other])
    if differences is not before.differences:
        scores = _scores(table, p, differences)
    return _State(seen.judged.copy(), seen.relevant.copy(), ahead, base, undecided, differences, scores)


def _first(table: TopicTable, weights: IntArray, p: float) -> _State:
    """Nothing is judged, and every pair is undecided."""
    ahead: IntArray = np.array([np.maximum(one - weights, 0).sum(axis=1) for one in weights])
    nothing, differences = np.zeros(len(table), np.bool_), _of_all(table, p)
    base, scores = np.zeros(len(weights), np.int64), _scores(table, p, differences)
    return _State(nothing, nothing, ahead, base, _pairs(table), differences, scores)


def _pairs(table: TopicTable) -> NDArray[np.bool_]:
    """Each pair of runs once, s < t, bool (S, S)."""
    runs = len(table.rank)
    return np.triu(np.ones((runs, runs), np.bool_), 1)


def _gains(weights: IntArray) -> IntArray:
    """What each run can gain on each other by one document, int64 (S, S)."""
    gains: IntArray = np.maximum(weights[:, None] - weights, 0)
    return gains


def summed_differences(weights: NDArray[Number]) -> NDArray[Number]:
    """Σ |w_s - w_t| over all pairs of S runs, (S, n) to (n): in ascending order the i-th counts 2i - S - 1 times."""
    runs = len(weights)
    times = 2 * np.arange(1, runs + 1) - runs - 1
    # Row by row, so that the sum is the same to the last bit on every processor.
    found: NDArray[Number] = (times[:, None].astype(weights.dtype) * np.sort(weights, axis=0)).sum(axis=0)
    return found


def _weights(table: TopicTable, p: float) -> IntArray:
    """The weights in units, int64 (S, n)."""
    return table.once(("weights", p), lambda: np.rint(UNIT * rank_biased_weights(table, p)).astype(np.int64))
