"""Strategies replayed on a judged collection: what they judge and find, and what the leaderboard then says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.selection import SelectedStrategy, named_strategies
from workbench.core.ranking import FloatArray, IntArray
from workbench.core.results import HIDDEN, Column
from workbench.jobs.cluster import Task, Workers, cluster
from workbench.methods.measures.means import over_topics
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.pooling.adaptive import adaptive_sequence
from workbench.methods.pooling.budgets import allot
from workbench.methods.pooling.frames import Frame
from workbench.methods.pooling.strategies.depth import by_best_rank
from workbench.methods.pooling.topic_table import TopicTable, sequence
from workbench.methods.statistics.rank_correlation import tau_ap_a, tau_b
from workbench.scoring.board.sample_design import estimator_of


class Replay(NamedTuple):
    """What came of one replay with one budget; the fields of `Simulated`, and the measure that the scores were
    `estimate`d with, "" where they are plain.
    """

    judged: int
    recall: float | None
    tau: float | None
    tau_ap: float | None
    rmse: float
    estimate: str = ""


class Simulated(NamedTuple):
    """What a strategy did with one budget; means over the seeds where it is random.

    Attributes:
        strategy: as it was written.
        budget: the share of each topic's pool, in percent; of all pools together where the strategy's own parameters
            say how much is judged.
        judged: how many pairs that is.
        recall: relevant pairs that were found in all topics, by those that there are in all pools; None without any.
        recall_low, recall_high: the least and the greatest recall over the seeds; the same number for a strategy that
            does not use chance. That is not a confidence interval.
        tau: Kendall's tau-b between the partial and the full leaderboard; None where one ties all runs.
        tau_ap: AP correlation, walking down the leaderboard by what is judged, ties averaged.
        rmse: the root of the mean square of what the scores of the runs differ.
        replays: each of the replays, by seed.
    """

    strategy: str
    budget: Annotated[float, Column("Budget %", kind="size")]
    judged: int
    recall: Annotated[float | None, Column(kind="score", best="highest")]
    recall_low: Annotated[float | None, Column("Least", kind="score")]
    recall_high: Annotated[float | None, Column("Greatest", kind="score")]
    tau: Annotated[float | None, Column(kind="score", best="highest")]
    tau_ap: Annotated[float | None, Column("Tau AP", kind="score", best="highest")]
    rmse: Annotated[float, Column("RMSE", kind="score", best="lowest")]
    replays: Annotated[tuple[Replay, ...], HIDDEN] = ()


class Truth(NamedTuple):
    """What replays are compared with: the scores by the whole pool."""

    measure: BoundMeasure
    scores: FloatArray


class Seeded(NamedTuple):
    """A strategy as it was written, and its seed."""

    name: str
    seed: int


class Setting(NamedTuple):
    """What all replays on a collection have in common; `name` is what errors call it, "" where there is but one."""

    collection: Collection
    budgets: Sequence[float]
    relevant: Sequence[NDArray[np.bool_]]
    truth: Truth
    name: str = ""


def simulate_each(
    settings: Sequence[Setting],
    selected: Sequence[SelectedStrategy],
    *,
    seeds: int,
    on_strategy: Callable[[str], None] | None = None,
    workers: Workers | None = None,
) -> Iterator[tuple[int, Simulated]]:
    """What each strategy does with each budget on each setting, in their order, with the place of the setting.

    What a sample has judged is scored by the estimate that the board would show, where the measure has one. A random
    strategy is replayed with the seeds 1 to `seeds`. With `workers` the replays of all settings are handed out at once.
    ClusterError: there are no workers, or not of this version.
    """
    seeded = [
        [one.seeded(seed) for seed in range(1, 1 + (seeds if one.by_chance else 1))] for one in selected
    ]
    all_replays = _replays(settings, seeded, workers)
    for number, setting in enumerate(settings):
        pooled = max(setting.collection.pooled, 1)
        for one in selected:
            for place, same in enumerate(zip(*next(all_replays), strict=True)):
                share = setting.budgets[place] if one.has_budget else 100 * same[0].judged / pooled
                yield number, together(one.name, share, same)
            if on_strategy is not None:
                on_strategy(one.name)


def _replays(
    settings: Sequence[Setting], seeded: Sequence[Sequence[SelectedStrategy]], workers: Workers | None
) -> Iterator[list[list[Replay]]]:
    """The replays of each strategy, by seed and by budget; here one strategy after the other, elsewhere all at once."""
    if workers is None:
        yield from ([_replays_of(setting, each) for each in same] for setting in settings for same in seeded)
        return
    # By name and seed: a strategy is a function of a registry, which every process has, and is not sent.
    flat = [Seeded(each.name, seed) for same in seeded for seed, each in enumerate(same, start=1)]
    groups = [
        (setting, [Task(f"{setting.name}: {each.name}".removeprefix(": "), each) for each in flat])
        for setting in settings
    ]
    with cluster(workers) as there:
        done = dict(there.each_of(replays_named, groups))
    ordered = iter([done[place] for place in range(len(settings) * len(flat))])
    yield from ([next(ordered) for _ in same] for _ in settings for same in seeded)


def replays_named(setting: Setting, wanted: Seeded) -> list[Replay]:
    """On a worker: the replays of one strategy with one seed, one for each budget."""
    (one,) = named_strategies([wanted.name], setting.collection.depth)
    return _replays_of(setting, one.seeded(wanted.seed))


def _replays_of(setting: Setting, one: SelectedStrategy) -> list[Replay]:
    """One replay for each budget."""
    collection, budgets, relevant, truth, _ = setting
    return [replay_of(collection, judged, truth) for judged in replayed(collection, one, budgets, relevant)]


def replay_of(collection: Collection, judged: Judged, truth: Truth) -> Replay:
    """What is found by what is judged, and the leaderboard by that alone."""
    labels, measure = collection.labels, truth.measure
    found, there = (int((of >= measure.rel).sum()) for of in (labels.label[judged.cells], labels.label))
    scores = over_topics(measure, judged.values(collection, measure), collection.partly(judged.cells))
    return Replay(
        len(judged.cells),
        found / there if there else None,
        tau_b(truth.scores, scores),
        tau_ap_a(truth.scores, scores),
        math.sqrt(float(((scores - truth.scores) ** 2).mean())),
        str(judged.estimator(measure) or ""),
    )


def together(name: str, budget: float, replays: Sequence[Replay]) -> Simulated:
    """The means over the seeds."""
    recalls = [replay.recall for replay in replays if replay.recall is not None]
    return Simulated(
        name,
        budget,
        round(float(np.mean([replay.judged for replay in replays]))),
        mean_of(recalls),
        min(recalls, default=None),
        max(recalls, default=None),
        mean_of([replay.tau for replay in replays]),
        mean_of([replay.tau_ap for replay in replays]),
        sum(replay.rmse for replay in replays) / len(replays),
        tuple(replays),
    )


def mean_of(values: Sequence[float | None]) -> float | None:
    """The mean, None where a value is not defined or there is none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


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
        _order_of(selected, _looked_at(collection, selected, table), *topic)
        for table, *topic in zip(collection.tables, relevant, most, strict=True)
    ]
    return [_first(collection, order, _shares(collection, budget)) for budget in budgets]


def relevant_candidates(collection: Collection, rel: int) -> list[NDArray[np.bool_]]:
    """Whether each candidate of each topic is relevant."""
    labels = collection.labels
    return [
        labels.of_topic(topic).label[table.document] >= rel for topic, table in enumerate(collection.tables)
    ]


def _drawn(collection: Collection, selected: SelectedStrategy, budgets: Sequence[float]) -> Iterator[Judged]:
    draw, own = selected.strategy.frame, dict(selected.own)
    if draw is None:
        return
    if selected.strategy.parameter("depth") is not None:
        own["depth"] = collection.depth
    for more in [{"percent": budget} for budget in budgets] if selected.has_budget else [{}]:
        frame: Frame = draw(collection.candidates, **own, **more)
        yield Judged(collection.cells_of(frame)[frame.drawn], frame)


def _looked_at(collection: Collection, selected: SelectedStrategy, table: TopicTable) -> TopicTable:
    """The table with its topic's texts where the strategy goes by them."""
    if not selected.strategy.uses_texts or collection.with_texts is None or not len(table):
        return table
    return collection.with_texts(table)


def _order_of(
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
    of_topics = enumerate(zip(order, shares, strict=True))
    cells = [collection.cells(topic, places[:share]) for topic, (places, share) in of_topics]
    return Judged(np.concatenate([np.empty(0, np.int64), *cells]))
