"""Simulating: what strategies of pooling would have found on a collection that is judged, and at what cost."""

from __future__ import annotations

from workbench.analysis.simulating.collection import Collection, collection_of
from workbench.analysis.simulating.from_files import collection_from_files
from workbench.analysis.simulating.selection import SelectedStrategy, named_strategies, read_budgets
from workbench.analysis.simulating.simulate import Simulated, simulate

__all__ = [
    "Collection",
    "SelectedStrategy",
    "Simulated",
    "collection_from_files",
    "collection_of",
    "named_strategies",
    "read_budgets",
    "simulate",
]
