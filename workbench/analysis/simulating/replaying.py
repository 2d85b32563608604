"""Replays of a strategy: what it has judged with each budget, with one seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.selection import SelectedStrategy
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.pooling.adaptive import adaptive_sequence
from workbench.methods.pooling.budgets import allot
from workbench.methods.pooling.frames import Frame
from workbench.methods.pooling.strategies.depth import by_best_rank
from workbench.methods.pooling.topic_table import TopicTable, sequence
from workbench.scoring.board.sample_design import estimator_of


class Judged(NamedTuple):
    """What one replay has judged: the cells of the labels, int64 (J), and the frame if they are a sample."""

    cells: IntArray
    frame: Frame | None = None

    def estimator(self, measure: BoundMeasure) -> BoundMeasure | None:
        """The measure that estimates another from this sample; None where none does, or all was drawn."""
        if self.frame is None or self.frame.drawn.all():
            return None
        return estimator_of(measure, has_strata=self.frame.has_strata)

    def values(self, collection: Collection, measure: BoundMeasure) -> FloatArray:
        """The measure, or what estimates it: float64 (topics, runs)."""
        estimator = self.estimator(measure)
        if self.frame is None or estimator is None:
            return collection.values(collection.partly(self.cells), measure)
        return collection.estimates(self.frame, estimator)


def replayed(
    collection: Collection,
    selected: SelectedStrategy,
    budgets: Sequence[float],
    relevant: Sequence[NDArray[np.bool_]],
) -> list[Judged]:
    """What a strategy with its seed judges with each budget; once, where its parameters say how much that is."""
    if selected.strategy.frame is not None:
        return list(_drawn(collection, selected, budgets))
    most = _shares(collection, max(budgets)).tolist()
    order = [
        order_of(selected, looked_at(collection, selected, table), *topic)
        for table, *topic in zip(collection.tables, relevant, most, strict=True)
    ]
    return [_first(collection, order, _shares(collection, budget)) for budget in budgets]


def relevant_candidates(collection: Collection, rel: int) -> list[NDArray[np.bool_]]:
    """Whether each candidate of each topic is relevant."""
    labels = collection.labels
    return [
        labels.of_topic(topic).label[table.document] >= rel for topic, table in enumerate(collection.tables)
    ]


def pool_to(collection: Collection, depth: int) -> Judged:
    """The whole pool to a smaller depth."""
    places = [np.flatnonzero(table.best_rank <= depth) for table in collection.tables]
    return Judged(_cells(collection, places))


def _drawn(collection: Collection, selected: SelectedStrategy, budgets: Sequence[float]) -> Iterator[Judged]:
    draw, own = selected.strategy.frame, dict(selected.own)
    if draw is None:
        return
    if selected.strategy.parameter("depth") is not None:
        own["depth"] = collection.depth
    for more in [{"percent": budget} for budget in budgets] if selected.has_budget else [{}]:
        frame: Frame = draw(collection.candidates, **own, **more)
        yield Judged(collection.cells_of(frame)[frame.drawn], frame)


def looked_at(collection: Collection, selected: SelectedStrategy, table: TopicTable) -> TopicTable:
    """The table with its topic's texts where the strategy goes by them."""
    if not selected.strategy.uses_texts or collection.with_texts is None or not len(table):
        return table
    return collection.with_texts(table)


def order_of(
    selected: SelectedStrategy, table: TopicTable, relevant: NDArray[np.bool_], most: int
) -> IntArray:
    """The places of a topic's candidates in the order of judging, the first `most` of them at least."""
    function, n = selected.strategy.order, len(table)
    if not n:
        return np.zeros(0, np.int64)
    if function is None:  # pools to a growing depth; at the same depth what more runs have first
        return sequence(table, by_best_rank(table))
    if selected.strategy.kind == "adaptive":
        more = {"burn_in": selected.burn_in, "grows": selected.strategy.grows, **selected.own}
        return adaptive_sequence(function, table, relevant, budget=most, **more)
    return sequence(table, function(table, **selected.own), selected.burn_in)


def _shares(collection: Collection, budget: float) -> IntArray:
    """How many pairs of each topic are judged."""
    return allot(np.array([len(table) for table in collection.tables], np.int64), percent=budget)


def _first(collection: Collection, order: Sequence[IntArray], shares: IntArray) -> Judged:
    return Judged(_cells(collection, [places[:share] for places, share in zip(order, shares, strict=True)]))


def _cells(collection: Collection, places: Sequence[IntArray]) -> IntArray:
    cells = [collection.cells(topic, here) for topic, here in enumerate(places)]
    return np.concatenate([np.empty(0, np.int64), *cells])
