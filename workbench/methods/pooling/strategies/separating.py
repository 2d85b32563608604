"""Documents that tell the runs apart, whatever their labels turn out to be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.bounds.topic_runs import pairwise_least
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.strategies.fused import Persistence
from workbench.methods.pooling.strategies.judged_so_far import rank_biased_weights
from workbench.methods.pooling.topic_table import Seen, TopicTable

Number = TypeVar("Number", np.int64, np.float64)

UNIT = 2**40
"""Weights are whole multiples of 1/UNIT: their sums are exact, so that it does not matter in which order they come."""

Pairs = Annotated[
    Literal["undecided", "open", "all"],
    Limits(
        "the pairs of runs that count: undecided, of which it is open which is better on this topic; open, of which it "
        "is over all topics; or all"
    ),
]


class _Part(NamedTuple):
    """What one topic says of R runs; all sums in units.

    Attributes:
        judged, relevant: bool (n).
        ahead: int64 (R, R). What run s can gain on run t from documents that are not judged.
        base: int64 (R). The weight of the relevant documents.
    """

    judged: NDArray[np.bool_]
    relevant: NDArray[np.bool_]
    ahead: IntArray
    base: IntArray


def open_pairs(
    topics: Iterable[tuple[TopicTable, Seen]], *, p: float = 0.95, pairs: str = "undecided"
) -> NDArray[np.bool_] | None:
    """The pairs of which it is open which is better over all topics, bool (R, R), s < t alone, by numbers of runs.

    None where these are not the pairs that count.
    """
    if pairs != "open":
        return None
    known = list(topics)
    runs = 1 + max((run for table, _ in known for run in _lines(table)), default=-1)
    ahead, base = np.zeros((runs, runs), np.int64), np.zeros(runs, np.int64)
    for table, seen in known:
        weights = table.once(("weights of runs", p, runs), partial(_of_runs, table, p, runs))
        part = table.onwards(("part", p, runs), partial(_part, seen, weights))
        ahead += part.ahead
        base += part.base
    return _open(base, ahead) & _pairs(runs)


@order("separate", kind="adaptive", wish="decide", across=open_pairs)
def separate(
    table: TopicTable, seen: Seen, *, p: Persistence = 0.95, pairs: Pairs = "undecided"
) -> FloatArray:
    """Documents that two runs weigh differently, by rank-biased precision, added up over the pairs of runs.

    A judgment narrows the bounds of the difference of two runs by that much, relevant or not. A pair is undecided while
    0 is within the bounds of its difference on the topic: what is judged, and for each bound what would favour one
    of the two most of all that is not. Documents on which no undecided pair depends follow in the order for all pairs.

    With pairs=open bounds are of the sums over all topics, so that one order holds for the documents of all topics, and
    spread=by-score takes the first of these. A topic looked at alone, as in a simulation of budgets, is all topics.

    Formula: Σ |w_s(d) - w_t(d)| over pairs s, t, where w_s(d) = (1 - p) p^(r_s(d) - 1), and 0 where s does not have d

    Source: Carterette, Allan and Sitaraman, SIGIR 2006, whose weights are these for additive measures.
    """
    if pairs == "all":
        return table.once(("separate all", p), lambda: _of_all(table, p).astype(np.float64))
    if pairs == "open":
        across = open_pairs([(table, seen)], p=p, pairs=pairs) if seen.across is None else seen.across
        sums: _Sums = table.onwards(("open", p), partial(_sums, table, p, across))
        return sums.scores
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


class _Sums(NamedTuple):
    """The documents by the pairs that are open over all topics: these, bool (R, R), sums in units, and scores."""

    open: NDArray[np.bool_]
    differences: IntArray
    scores: FloatArray


def _sums(table: TopicTable, p: float, open_: Any, before: _Sums | None) -> _Sums:
    """The sums for these pairs, from those for the pairs before."""
    if before is not None and np.array_equal(before.open, open_):
        return before
    weights = table.once(("weights of runs", p, len(open_)), lambda: _of_runs(table, p, len(open_)))
    if before is None or before.open.shape != open_.shape:
        before = _Sums(_pairs(len(open_)), summed_differences(weights), np.zeros(0))
    differences = _counting(open_, before.open, before.differences, weights)
    return _Sums(open_, differences, _scores(table, p, differences))


def _counting(
    pairs: NDArray[np.bool_], before: NDArray[np.bool_], differences: IntArray, weights: IntArray
) -> IntArray:
    """Σ |w_s - w_t| over the pairs that count, int64 (n), from what it was over those that counted before."""
    for one, other in zip(*(pairs != before).nonzero(), strict=True):
        sign = 1 if pairs[one, other] else -1
        differences = differences + sign * np.abs(weights[one] - weights[other])
    return differences


def _part(seen: Seen, weights: IntArray, before: _Part | None) -> _Part:
    """What a topic says after what is judged, from what it said before, by weights in units, int64 (R, n)."""
    if before is None:
        # Sums of units below 2^53 are exact as floats.
        least = pairwise_least(weights.T.astype(np.float64)).astype(np.int64)
        nothing = np.zeros(weights.shape[1], np.bool_)
        ahead = weights.sum(axis=1)[:, None] - least
        before = _Part(nothing, nothing, ahead, np.zeros(len(weights), np.int64))
    ahead, base = before.ahead, before.base
    for place in (seen.judged != before.judged).nonzero()[0]:
        own = weights[:, place]
        ahead = ahead + (1 if before.judged[place] else -1) * np.maximum(own[:, None] - own, 0)
    for place in (seen.relevant != before.relevant).nonzero()[0]:
        base = base + (1 if seen.relevant[place] else -1) * weights[:, place]
    return _Part(seen.judged.copy(), seen.relevant.copy(), ahead, base)


def _of_runs(table: TopicTable, p: float, runs: int) -> IntArray:
    """The weights in units with a line for each run by its number, int64 (R, n); 0 of runs without the topic."""
    found = np.zeros((runs, len(table)), np.int64)
    found[_lines(table)] = _weights(table, p)
    return found


def _lines(table: TopicTable) -> list[int]:
    """The number of the run of each line."""
    return list(table.run) or list(range(len(table.rank)))


def _open(base: IntArray, ahead: IntArray) -> NDArray[np.bool_]:
    """Whether 0 is within the bounds of a difference, bool (S, S)."""
    lead = base[:, None] - base
    open_: NDArray[np.bool_] = (lead + ahead >= 0) & (lead - ahead.T <= 0)
    return open_


class _State(NamedTuple):
    """What the topic says, the pairs that are undecided, bool (S, S), the sums over these in units, and scores."""

    part: _Part
    undecided: NDArray[np.bool_]
    differences: IntArray
    scores: FloatArray


def _state(table: TopicTable, seen: Seen, p: float, before: _State | None) -> _State:
    """The state after what is judged, from that before."""
    weights = _weights(table, p)
    part = _part(seen, weights, None if before is None else before.part)
    pairs = table.once("pairs", lambda: _pairs(len(weights)))
    if before is None:  # at first every pair is undecided
        before = _State(part, pairs, _of_all(table, p), _scores(table, p, _of_all(table, p)))
    undecided = _open(part.base, part.ahead) & pairs
    differences, scores = _counting(undecided, before.undecided, before.differences, weights), before.scores
    if differences is not before.differences:
        scores = _scores(table, p, differences)
    return _State(part, undecided, differences, scores)


def _pairs(runs: int) -> NDArray[np.bool_]:
    """Each pair of runs once, s < t, bool (S, S)."""
    return np.triu(np.ones((runs, runs), np.bool_), 1)


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
