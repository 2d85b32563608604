"""How many judgments it takes until pairs of runs are certain, by the order in which documents are judged.

An order of a strategy goes topic by topic, and topics take turns: one document of each. One whose scores can be
compared between topics takes the best documents of all topics, as a pool with spread=by-score does. Two more orders
look at all topics together and at the runs alone: the documents whose judgment narrows the bounds of all pairs most,
and those that narrow the pairs most that are still open, each divided by its width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.replaying import looked_at, order_of, relevant_candidates
from workbench.analysis.simulating.selection import SelectedStrategy
from workbench.analysis.trust.next_documents import over_all_pairs
from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray, IntArray
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.additive import AdditiveDifferences, form_of, highest_differences
from workbench.methods.bounds.pairs import Pairs, bounds_of_means
from workbench.methods.bounds.registry import differences
from workbench.methods.bounds.topic_runs import pairwise_least
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.additive import Additive
from workbench.methods.pooling.topic_table import Seen

USUAL = ("depth", "rrf", "separate")
"""The strategies that are replayed where none is named."""
LEVELS = (0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
STEP = 50
"""Pairs are looked at once every this many judgments."""
ALL_PAIRS, OPEN_PAIRS = "narrows all pairs", "narrows open pairs"


class Certified(NamedTuple):
    """After how many judgments by an order each of LEVELS of the pairs was certain; None where that was never so.

    Attributes:
        order: the strategy, or one of ALL_PAIRS and OPEN_PAIRS.
        pairs: how many pairs of runs there are.
        documents: how many pooled documents have a weight in any run.
        judged: by the levels, in their order.
    """

    order: str
    pairs: int
    documents: int
    judged: tuple[int | None, ...]


class _Pool(NamedTuple):
    """All pooled documents that weigh something: n of them over all topics.

    Attributes:
        form: of the measure.
        weight: float64 (n, S).
        gain: float64 (n). What each is worth by its label.
        place: for each topic the place of its documents among the n by their numbers, -1 where one weighs nothing.
        topics: how many topics there are.
    """

    form: Additive
    weight: FloatArray
    gain: FloatArray
    place: list[IntArray]
    topics: int


def certified(
    collection: Collection,
    measure: BoundMeasure,
    selected: Sequence[SelectedStrategy],
    *,
    on_order: Callable[[str], None] | None = None,
) -> Iterator[Certified]:
    """The two orders of all topics, then those of strategies.

    UnknownName: the measure is not additive, or a strategy is not an order: it draws a sample.
    """
    least, top = collection.labels.range_of_grades()
    kind = differences(measure, top_grade=top, least_grade=least)
    if not isinstance(kind, AdditiveDifferences):
        raise UnknownName(f"{measure} is not additive; take one that is, such as RBP(p=0.8), P@10 or DCG@10")
    for one in selected:
        if one.strategy.frame is not None:
            message = (
                f"{one.name} draws a sample, and a sample certifies nothing; name strategies that are orders"
            )
            raise UnknownName(message)
    pool = _pool(collection, kind)
    relevant = relevant_candidates(collection, measure.rel)
    by_widths = _in_steps(np.argsort(-over_all_pairs(pool.weight), kind="stable"))
    for name, steps in ((OPEN_PAIRS, None), (ALL_PAIRS, by_widths)):
        yield _history(name, pool, steps)
        if on_order is not None:
            on_order(name)
    for one in selected:
        yield _history(one.name, pool, _steps_of(collection, one, relevant, pool))
        if on_order is not None:
            on_order(one.name)


def _pool(collection: Collection, kind: AdditiveDifferences) -> _Pool:
    runs, labels = collection.runs, collection.labels
    form = form_of(kind, int(collection.rankings.lengths.max(initial=0)))
    weights, gains, places, start = [np.zeros((0, runs))], [np.zeros(0)], [], 0
    for topic, table in enumerate(collection.tables):
        label = labels.of_topic(topic).label
        rows = collection.rankings.rows_between(topic * runs, (topic + 1) * runs)
        documents = np.sort(table.document.astype(np.int64))
        weight = form.weights_at(TopicRuns(rows, label).ranks(documents, len(form.weight)))
        matter = (weight > 0).any(axis=1)
        place = np.full(len(label), -1, np.int64)
        place[documents[matter]] = start + np.arange(int(matter.sum()))
        start += int(matter.sum())
        places.append(place)
        weights.append(weight[matter])
        gains.append(form.gain_of(label[documents[matter]]))
    return _Pool(form, np.concatenate(weights), np.concatenate(gains), places, collection.topics)


def _history(name: str, pool: _Pool, steps: Iterator[IntArray] | None) -> Certified:
    """What an order leads to; without steps, that of the open pairs."""
    runs = pool.weight.shape[1]
    number, reached = runs * (runs - 1) // 2, dict[float, int]()
    values, left, shared = np.zeros(runs), pool.weight.sum(axis=0), pairwise_least(pool.weight)
    unjudged, judged = np.ones(len(pool.weight), np.bool_), 0
    while len(reached) < len(LEVELS):
        pairs = bounds_of_means(values, highest_differences(pool.form, values, left, shared), pool.topics)
        share = pairs.share_certain()
        reached |= {level: judged for level in LEVELS if level not in reached and share >= level}
        chosen = _deciding(pool, pairs, unjudged) if steps is None else next(steps, np.zeros(0, np.int64))
        if not len(chosen):
            break
        weight = pool.weight[chosen]
        values = values + pool.gain[chosen] @ weight
        left = left - weight.sum(axis=0)
        shared = shared - pairwise_least(weight)
        unjudged[chosen] = False
        judged += len(chosen)
    return Certified(name, number, len(pool.weight), tuple(reached.get(level) for level in LEVELS))


def _deciding(pool: _Pool, pairs: Pairs, unjudged: NDArray[np.bool_]) -> IntArray:
    """The next documents that narrow the open pairs most, each pair divided by its width."""
    rest = np.flatnonzero(unjudged)
    open_ = ~(pairs.certain | pairs.tied)
    width = np.where(open_, np.maximum(pairs.upper - pairs.lower, 1e-12), 1.0)
    sums = _over_pairs(pool.weight[rest], np.where(open_, 1.0 / width, 0.0))
    if not len(rest) or sums.max() <= 0:
        return rest[:0]
    nearest = np.argpartition(-sums, min(STEP, len(sums)) - 1)[:STEP]
    return rest[nearest[sums[nearest] > 0]]


def _over_pairs(weight: FloatArray, factor: FloatArray) -> FloatArray:
    """Σ factor |w_s - w_t| over the pairs of runs, float64 (n)."""
    summed = np.zeros(len(weight))
    by_run = np.ascontiguousarray(weight.T)
    for one in range(len(by_run)):
        for other in range(one + 1, len(by_run)):
            times = float(factor[one, other])
            if times:
                summed += times * np.abs(by_run[one] - by_run[other])
    return summed


def _steps_of(
    collection: Collection, selected: SelectedStrategy, relevant: Sequence[NDArray[np.bool_]], pool: _Pool
) -> Iterator[IntArray]:
    """What a strategy has judged, in steps."""
    across = selected.strategy.across
    if across is not None and across((), **selected.own) is not None:
        return _by_score(collection, selected, relevant, pool)
    return _in_steps(_by_strategy(collection, selected, relevant, pool))


def _by_score(
    collection: Collection, selected: SelectedStrategy, relevant: Sequence[NDArray[np.bool_]], pool: _Pool
) -> Iterator[IntArray]:
    """The best documents of all topics, of those that weigh something; scores are found again after each step."""
    function, across, own = selected.strategy.order, selected.strategy.across, selected.own
    if function is None or across is None:
        return
    tables = [looked_at(collection, selected, table) for table in collection.tables]
    places = [pool.place[topic][table.document.astype(np.int64)] for topic, table in enumerate(tables)]
    place = np.concatenate([np.zeros(0, np.int64), *places])
    early = np.concatenate([np.zeros(0, np.bool_), *(table.is_within(selected.burn_in) for table in tables)])
    truth = np.concatenate([np.zeros(0, np.bool_), *relevant])
    ends = np.cumsum([len(table) for table in tables])[:-1]
    judged = np.zeros(len(place), np.bool_)
    while (left := (place >= 0) & ~judged).any():
        parts = zip(np.split(judged, ends), np.split(judged & truth, ends), strict=True)
        seen = [Seen(*part, np.zeros(0, np.int64)) for part in parts]
        together = across(list(zip(tables, seen, strict=True)), **own)
        scores = [
            function(table, replace(each, across=together), **own)
            for table, each in zip(tables, seen, strict=True)
        ]
        first = np.where(early, np.inf, np.concatenate(scores))
        chosen = np.argsort(-np.where(left, first, -np.inf), kind="stable")[: min(STEP, int(left.sum()))]
        judged[chosen] = True
        yield place[chosen]


def _by_strategy(
    collection: Collection, selected: SelectedStrategy, relevant: Sequence[NDArray[np.bool_]], pool: _Pool
) -> IntArray:
    """The documents in a strategy's order, one of each topic after the other."""
    places, turns = [], []
    for topic, table in enumerate(collection.tables):
        order = order_of(selected, looked_at(collection, selected, table), relevant[topic], len(table))
        places.append(pool.place[topic][table.document[order].astype(np.int64)])
        turns.append(np.arange(len(order)))
    place = np.concatenate([np.zeros(0, np.int64), *places])
    in_turn: IntArray = place[np.argsort(np.concatenate([np.zeros(0, np.int64), *turns]), kind="stable")]
    return in_turn


def _in_steps(order: IntArray) -> Iterator[IntArray]:
    """An order cut into steps; a document that weighs nothing (-1) is judged, but changes nothing."""
    matter = order[order >= 0]
    for start in range(0, len(matter), STEP):
        yield matter[start : start + STEP]


def certified_sheet(rows: Sequence[Certified]) -> Sheet:
    """One row for each order."""
    levels = tuple(Column(f"{100 * level:.0f} %", f"at_{100 * level:.0f}", "count") for level in LEVELS)
    columns = (Column("Order", "order", "text"), *levels)
    return Sheet(columns, tuple((row.order, *row.judged) for row in rows))


def certified_content(rows: Sequence[Certified]) -> list[dict[str, Any]]:
    """The same for programs."""
    columns = certified_sheet(rows).columns
    return [
        {"pairs": row.pairs, "documents": row.documents}
        | {column.name: cell for column, cell in zip(columns, (row.order, *row.judged), strict=True)}
        for row in rows
    ]
