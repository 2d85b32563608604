"""Simulations as a whole, of a collection or several: rows, and the verdict on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.selection import SelectedStrategy
from workbench.analysis.simulating.simulate import (
    Setting,
    Simulated,
    Truth,
    relevant_candidates,
    simulate_each,
)
from workbench.core.errors import InputError, Problem, about
from workbench.core.wording import counted, listed
from workbench.jobs.cluster import Workers
from workbench.methods.measures.registry import BoundMeasure

ALIKE = 0.9
"""From this tau on leaderboards are commonly called equivalent (Voorhees, SIGIR 2001)."""
ALL = 100


def verdict(
    collection: Collection,
    rows: Sequence[Simulated],
    selected: Sequence[SelectedStrategy],
    measure: BoundMeasure,
) -> list[str]:
    """The sentences on these rows."""
    relevant = int((collection.labels.label >= measure.rel).sum())
    of_what = (
        f"{counted(collection.runs, 'run')}, {counted(collection.topics, 'topic')}, "
        f"{counted(collection.pooled, 'pair')} in the pools to depth {collection.depth}, {relevant:,} of them relevant"
    )
    without = f"; {collection.without_judgment:,} without a judgment count as not relevant"
    sentences = [f"{of_what}{without if collection.without_judgment else ''}."]
    to_budget = {one.name for one in selected if one.has_budget}
    budgets = sorted({row.budget for row in rows if row.strategy in to_budget})
    sentences += filter(None, (_finds_most(rows, budget) for budget in budgets))
    if collection.runs > 1:
        sentences += _alike(rows, selected, measure)
    sentences += _estimates(collection, rows, selected, measure)
    sentences.append(_limits(collection))
    return sentences


def _finds_most(rows: Sequence[Simulated], budget: float) -> str:
    here = [(row.recall, row) for row in rows if row.budget == budget and row.recall is not None]
    if not here:
        return ""
    best = max(recall for recall, _ in here)
    names = [row.strategy for recall, row in here if recall == best]
    finds = "finds" if len(names) == 1 else "find"
    return (
        f"With {budget:g} % of each topic’s pool {listed(names)} {finds}{' most:' if len(here) > 1 else ''} "
        f"{100 * best:.1f} % of the relevant documents."
    )


def _alike(
    rows: Sequence[Simulated], selected: Sequence[SelectedStrategy], measure: BoundMeasure
) -> Iterator[str]:
    """From which budget on each strategy kept the order of the runs in every replay."""
    kept: dict[tuple[float, bool], list[str]] = {}
    for one in selected:
        own = [row for row in rows if row.strategy == one.name]
        budget, largest = _kept_from(own), max((row.budget for row in own), default=0.0)
        key = (math.inf, False) if budget is None else (budget, budget < largest)
        kept.setdefault(key, []).append(_with_seeds(one.name, own))
    tau = f"tau between the partial and the full leaderboard ({measure}) was"
    for (budget, more), names in sorted(kept.items()):
        if math.isinf(budget):
            below = f"below {ALIKE:g}, or not defined, in some replay"
            yield f"At the largest budget tried, {tau} {below}: {listed(names, ALL)}."
        else:
            larger = " and all larger budgets tried" if more else ""
            yield f"At {budget:.4g} %{larger}, {tau} {ALIKE:g} or above in every replay: {listed(names, ALL)}."


def _kept_from(rows: Sequence[Simulated]) -> float | None:
    """The smallest of the budgets from which on tau was high in all replays; None where the largest fails."""
    kept = None
    for row in sorted(rows, key=lambda row: -row.budget):
        if not all(replay.tau is not None and replay.tau >= ALIKE for replay in row.replays):
            break
        kept = row.budget
    return kept


def _with_seeds(name: str, rows: Sequence[Simulated]) -> str:
    """The strategy, and in how many of its replays at its largest budget tau was high, where it has several."""
    replays = max(rows, key=lambda row: row.budget).replays
    if len(replays) < 2:
        return name
    held = sum(replay.tau is not None and replay.tau >= ALIKE for replay in replays)
    return f"{name} ({held} of {len(replays)} seeds)"


def _estimates(
    collection: Collection,
    rows: Sequence[Simulated],
    selected: Sequence[SelectedStrategy],
    measure: BoundMeasure,
) -> Iterator[str]:
    """By what the samples are scored."""
    sampled = {one.name for one in selected if one.strategy.kind == "sampled"}
    by_estimate: dict[str, list[str]] = {}
    for row in rows:
        if row.judged == collection.pooled:
            continue
        names = by_estimate.setdefault(row.replays[0].estimate, [])
        if row.strategy in sampled and row.strategy not in names:
            names.append(row.strategy)
    for estimate, names in by_estimate.items():
        how = f"by the estimate {estimate}" if estimate else f"plainly, since nothing estimates {measure}"
        if names:
            yield f"What {listed(names)} draw{'s' if len(names) == 1 else ''} is scored {how}."


def _limits(collection: Collection) -> str:
    pairs = collection.runs * (collection.runs - 1) // 2
    steps = f" With {collection.runs} runs tau moves in steps of {2 / pairs:.3f}." if pairs else ""
    return (
        "This was measured on these runs, topics and judgments; it says nothing of other collections, nor of runs that "
        f"did not take part.{steps}"
    )


class Part(NamedTuple):
    """A collection to simulate on.

    Attributes:
        name: what errors call it, where there are several; else "".
        collection: what is judged.
        measure: what its leaderboard is of.
    """

    name: str
    collection: Collection
    measure: BoundMeasure


class Simulation(NamedTuple):
    """What came of a simulation."""

    rows: tuple[Simulated, ...]
    verdict: tuple[str, ...]


def parts_of(readers: Mapping[str, Callable[[], Part]]) -> list[Part]:
    """What each reader reads, by the names of the collections.

    Raises:
        InputError: with all that is wrong with the files of any collection.
        WorkbenchError: what else a reader raises, with the name of its collection.
    """
    parts: list[Part] = []
    problems: list[Problem] = []
    more = 0
    for name, read in readers.items():
        try:
            with about(name):
                parts.append(read())
        except InputError as error:
            problems += error.problems
            more += error.more
    if problems:
        raise InputError(problems, more)
    return parts


def simulations_of(
    parts: Sequence[Part],
    selected: Sequence[SelectedStrategy],
    budgets: Sequence[float],
    *,
    seeds: int = 5,
    on_strategy: Callable[[str], None] | None = None,
    workers: Workers | None = None,
) -> list[Simulation]:
    """Replay strategies on each part, and say what they did; budgets are in percent of each topic's pool.

    A random strategy is replayed with the seeds 1 to `seeds`; `on_strategy` is called with each strategy of each part.
    With `workers` a task is a strategy with a seed on a part; all are handed out at once, and give the same numbers.

    Raises:
        WorkbenchError: the measure does not fit a part; it begins with its name.
        ClusterError: there are no workers, or not of this version.
    """
    settings = [_setting(part, budgets) for part in parts]
    rows: list[list[Simulated]] = [[] for _ in parts]
    for place, row in simulate_each(
        settings, selected, seeds=seeds, on_strategy=on_strategy, workers=workers
    ):
        rows[place].append(row)
    return [
        Simulation(tuple(own), tuple(verdict(part.collection, own, selected, part.measure)))
        for part, own in zip(parts, rows, strict=True)
    ]


def _setting(part: Part, budgets: Sequence[float]) -> Setting:
    name, collection, measure = part
    with about(name):
        truth = Truth(measure, collection.scores(collection.labels, measure))
    return Setting(collection, budgets, relevant_candidates(collection, measure.rel), truth, name)
