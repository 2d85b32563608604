"""A simulation as a whole: its rows, the verdict on them, and a plan where one is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.draws import draws_for
from workbench.analysis.simulating.plan import Plan, Wanted, plan_of
from workbench.analysis.simulating.selection import SelectedStrategy
from workbench.analysis.simulating.simulate import Simulated, simulate, truth_of
from workbench.analysis.simulating.verdict import verdict
from workbench.core.cluster import Workers
from workbench.methods.measures.registry import BoundMeasure


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
    draws = None if wanted is None else draws_for(collection, measure, wanted.difference)
    truth = truth_of(collection, measure, draws)
    found = simulate(
        collection,
        selected,
        budgets,
        measure,
        seeds=seeds,
        draws=draws,
        on_strategy=on_strategy,
        workers=workers,
    )
    rows = tuple(found)
    plan = None if wanted is None or draws is None else plan_of(collection, rows, truth, draws, wanted)
    return Simulation(rows, tuple(verdict(collection, rows, selected, measure)), plan)
