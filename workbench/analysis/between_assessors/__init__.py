"""How much assessors agree, and what their disagreement does to the result."""

from __future__ import annotations

from workbench.analysis.between_assessors.coefficients import CampaignAgreement, Scope, agreement
from workbench.analysis.between_assessors.effect import Effect, RunRange, View, effect_of_disagreement
from workbench.analysis.between_assessors.gathering import Drawn, Sample

__all__ = [
    "CampaignAgreement",
    "Drawn",
    "Effect",
    "RunRange",
    "Sample",
    "Scope",
    "View",
    "agreement",
    "effect_of_disagreement",
]
