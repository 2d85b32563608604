"""Simulations as a whole, of a collection or several: rows, the verdict on them, and a plan where one is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.draws import draws_for
from workbench.analysis.simulating.plan import Plan, Wanted, plan_of
from workbench.analysis.simulating.selection import SelectedStrategy
from workbench.analysis.simulating.simulate import Setting, Simulated, setting_of, simulate_each, truth_of
from workbench.analysis.simulating.verdict import verdict
from workbench.core.errors import about
from workbench.jobs.cluster import Workers
from workbench.methods.measures.registry import BoundMeasure


class Part(NamedTuple):
    """A collection to simulate on.

    Attributes:
        name: what errors call it, where there are several; else "".
        collection: what is judged.
        measure: what its leaderboard is of.
        wanted: what is to be planned; None for nothing.
    """

    name: str
    collection: Collection
    measure: BoundMeasure
    wanted: Wanted | None = None


class Simulation(NamedTuple):
    """What came of a simulation."""

    rows: tuple[Simulated, ...]
    verdict: tuple[str, ...]
    plan: Plan | None = None


def simulation_of(
    collection: Collection,
    selected: Sequence[SelectedStrategy],
    budgets: Sequence[float],
    measure: BoundMeasure,
    *,
    seeds: int = 5,
    wanted: Wanted | None = None,
    on_strategy: Callable[[str], None] | None = None,
    workers: Workers | None = None,
) -> Simulation:
    """Replay strategies, say what they did, and plan; arguments as in `simulate`.

    Raises:
        UnknownName: what is wanted cannot be planned with this measure or collection.
    """
    part = Part("", collection, measure, wanted)
    (found,) = simulations_of(
        [part], selected, budgets, seeds=seeds, on_strategy=on_strategy, workers=workers
    )
    return found


def simulations_of(
    parts: Sequence[Part],
    selected: Sequence[SelectedStrategy],
    budgets: Sequence[float],
    *,
    seeds: int = 5,
    on_strategy: Callable[[str], None] | None = None,
    workers: Workers | None = None,
) -> list[Simulation]:
    """What `simulation_of` gives of each part; `on_strategy` is called with each strategy of each.

    With `workers` a task is a strategy with a seed on a part, and all of them are handed out at once.

    Raises:
        WorkbenchError: what is wanted cannot be planned, or the measure does not fit a part; it begins with its name.
    """
    settings = [_setting(part, budgets) for part in parts]
    rows: list[list[Simulated]] = [[] for _ in parts]
    for place, row in simulate_each(
        settings, selected, seeds=seeds, on_strategy=on_strategy, workers=workers
    ):
        rows[place].append(row)
    return [
        _simulation(part, own, selected, setting)
        for part, own, setting in zip(parts, rows, settings, strict=True)
    ]


def _setting(part: Part, budgets: Sequence[float]) -> Setting:
    collection, measure, wanted = part.collection, part.measure, part.wanted
    with about(part.name):
        draws = None if wanted is None else draws_for(collection, measure, wanted.difference)
        truth = truth_of(collection, measure, draws)
    return setting_of(collection, budgets, truth, part.name)


def _simulation(
    part: Part, rows: Sequence[Simulated], selected: Sequence[SelectedStrategy], setting: Setting
) -> Simulation:
    """The rows of a part with their verdict and plan."""
    collection, wanted, truth = part.collection, part.wanted, setting.truth
    plan = wanted and truth.draws and plan_of(collection, rows, truth, truth.draws, wanted)
    return Simulation(tuple(rows), tuple(verdict(collection, rows, selected, part.measure)), plan)
