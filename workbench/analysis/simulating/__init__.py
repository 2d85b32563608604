"""Simulating: what strategies of pooling would have found on a collection that is judged, and at what cost."""

from __future__ import annotations

from workbench.analysis.simulating.campaigns import (
    CampaignSimulation,
    as_content,
    collection_from_campaign,
    part_from_campaign,
    simulate_campaign,
    simulate_file,
)
from workbench.analysis.simulating.collection import Collection, collection_from_files, collection_of
from workbench.analysis.simulating.plan import Choice, Plan, Wanted, wanted_of
from workbench.analysis.simulating.selection import (
    SelectedStrategy,
    named_strategies,
    read_budgets,
    usual_strategies,
)
from workbench.analysis.simulating.sheets import choices_sheet, rows_sheet
from workbench.analysis.simulating.simulate import Simulated
from workbench.analysis.simulating.whole import Part, Simulation, simulations_of

__all__ = [
    "CampaignSimulation",
    "Choice",
    "Collection",
    "Part",
    "Plan",
    "SelectedStrategy",
    "Simulated",
    "Simulation",
    "Wanted",
    "as_content",
    "choices_sheet",
    "collection_from_campaign",
    "collection_from_files",
    "collection_of",
    "named_strategies",
    "part_from_campaign",
    "read_budgets",
    "rows_sheet",
    "simulate_campaign",
    "simulate_file",
    "simulations_of",
    "usual_strategies",
    "wanted_of",
]
