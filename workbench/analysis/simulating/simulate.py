"""Replays of strategies on a judged collection: what they find with a budget, and what the leaderboard then says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.selection import SelectedStrategy
from workbench.core.ranking import POOLED, FloatArray, IntArray, Labels
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.pooling.budgets import allot
from workbench.methods.pooling.ordering import sequence
from workbench.methods.pooling.topic_table import TopicTable
from workbench.methods.pooling.walking import adaptive_sequence
from workbench.methods.statistics.rank_correlation import tau_ap_a, tau_b


class Simulated(NamedTuple):
    """What a strategy did with one budget; means over the seeds where it goes by chance.

    Attributes:
        strategy: as it was written.
        budget: the share of each topic's pool, in percent.
        judged: how many pairs that is.
        recall: relevant pairs that were found in all topics, by those that there are in all pools; None without any.
        recall_low, recall_high: the least and the greatest recall over the seeds; the same number for a strategy that
            does not go by chance, which is no interval of confidence.
        tau: Kendall's tau-b of the leaderboards by what is judged and by the whole pool; None where one ties all runs.
        tau_ap: AP correlation, walking down the leaderboard by what is judged, ties averaged.
        rmse: the root of the mean square of what the scores of the runs differ.
    """

    strategy: str
    budget: float
    judged: int
    recall: float | None
    recall_low: float | None
    recall_high: float | None
    tau: float | None
    tau_ap: float | None
    rmse: float


class _Replay(NamedTuple):
    """One replay at one budget."""

    recall: float | None
    tau: float | None
    tau_ap: float | None
    rmse: float


def simulate(
    collection: Collection,
    selected: Sequence[SelectedStrategy],
    budgets: Sequence[float],
    measure: BoundMeasure,
    *,
    seeds: int = 5,
    on_strategy: Callable[[str], None] | None = None,
) -> Iterator[Simulated]:
    """What each strategy does with each budget, in their order.

    Args:
        collection: what is judged.
        selected: the strategies.
        budgets: shares of each topic's pool in percent.
        measure: what the leaderboard is of; a grade that is relevant for it is a find.
        seeds: how often a strategy that goes by chance is replayed, with the seeds 1, 2 and so on.
        on_strategy: called with each strategy's name when it is done.
    """
    relevant = _relevant(collection, measure.rel)
    truth = collection.scores(collection.labels, measure)
    for one in selected:
        replays = [
            [_replay(collection, order, relevant, budget, truth, measure) for budget in budgets]
            for order in _orders(collection, one, relevant, seeds)
        ]
        for budget, same in zip(budgets, zip(*replays, strict=True), strict=True):
            yield _together(one.name, budget, int(_shares(collection, budget).sum()), same)
        if on_strategy is not None:
            on_strategy(one.name)


def _relevant(collection: Collection, rel: int) -> list[NDArray[np.bool_]]:
    """Whether each candidate of each topic is relevant."""
    labels = collection.labels
    return [
        labels.of_topic(topic).label[table.document] >= rel for topic, table in enumerate(collection.tables)
    ]


def _orders(
    collection: Collection, selected: SelectedStrategy, relevant: list[NDArray[np.bool_]], seeds: int
) -> Iterator[list[IntArray]]:
    """For each seed the places of each topic's candidates in the order of judging."""
    for seed in range(1, 1 + (seeds if selected.by_chance else 1)):
        seeded = selected._replace(own=selected.own | {"seed": seed}) if selected.by_chance else selected
        yield [_order(seeded, *topic) for topic in zip(collection.tables, relevant, strict=True)]


def _order(selected: SelectedStrategy, table: TopicTable, relevant: NDArray[np.bool_]) -> IntArray:
    function, n = selected.strategy.order, len(table)
    if not n:
        return np.zeros(0, np.int64)
    if function is None:  # pools to a growing depth; at the same depth what more runs have first
        return sequence(table, table.found.mean(axis=0) / 2 - table.best_rank)
    if selected.strategy.kind == "adaptive":
        return adaptive_sequence(function, table, relevant, burn_in=selected.burn_in, **selected.own)
    return sequence(table, function(table, **selected.own), selected.burn_in)


def _shares(collection: Collection, budget: float) -> IntArray:
    """How many pairs of each topic are judged."""
    return allot(np.array([len(table) for table in collection.tables], np.int64), percent=budget)


def _replay(
    collection: Collection,
    order: list[IntArray],
    relevant: list[NDArray[np.bool_]],
    budget: float,
    truth: FloatArray,
    measure: BoundMeasure,
) -> _Replay:
    """What is found down to a budget, and the leaderboard by that alone."""
    judged = [places[:share] for places, share in zip(order, _shares(collection, budget), strict=True)]
    there = sum(int(each.sum()) for each in relevant)
    found = sum(int(each[places].sum()) for each, places in zip(relevant, judged, strict=True))
    scores = collection.scores(_labels(collection, judged), measure)
    return _Replay(
        found / there if there else None,
        tau_b(truth, scores),
        tau_ap_a(truth, scores),
        math.sqrt(float(((scores - truth) ** 2).mean())),
    )


def _labels(collection: Collection, judged: list[IntArray]) -> Labels:
    """The labels of what is judged; the rest of the pool is POOLED."""
    whole = collection.labels
    label = np.where(whole.label > POOLED, np.int16(POOLED), whole.label)
    for topic, (table, places) in enumerate(zip(collection.tables, judged, strict=True)):
        cells = whole.topic_start[topic] + table.document[places].astype(np.int64)
        label[cells] = whole.label[cells]
    return Labels(whole.topic_start, label)


def _together(name: str, budget: float, judged: int, replays: Sequence[_Replay]) -> Simulated:
    """The means over the seeds."""
    recalls = [replay.recall for replay in replays if replay.recall is not None]
    return Simulated(
        name,
        budget,
        judged,
        _mean(recalls),
        min(recalls, default=None),
        max(recalls, default=None),
        _mean([replay.tau for replay in replays]),
        _mean([replay.tau_ap for replay in replays]),
        sum(replay.rmse for replay in replays) / len(replays),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean, None where a value is not defined or there is none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
