"""Simulations on one collection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.selection import SelectedStrategy
from workbench.analysis.simulating.simulate import Simulated
from workbench.analysis.simulating.whole import Part, Simulation, simulations_of
from workbench.methods.measures import BoundMeasure


def simulation_of(
    collection: Collection,
    selected: Sequence[SelectedStrategy],
    budgets: Sequence[float],
    measure: BoundMeasure,
    **more: Any,
) -> Simulation:
    (found,) = simulations_of([Part("", collection, measure)], selected, budgets, **more)
    return found


def simulate(
    collection: Collection,
    selected: Sequence[SelectedStrategy],
    budgets: Sequence[float],
    measure: BoundMeasure,
    **more: Any,
) -> tuple[Simulated, ...]:
    return simulation_of(collection, selected, budgets, measure, **more).rows
