"""How much assessors agree, and what their disagreement does to the result."""

from __future__ import annotations

from workbench.analysis.between_assessors.coefficients import CampaignAgreement, Scope, agreement
from workbench.analysis.between_assessors.effect import Effect, RunRange, View, effect_of_disagreement
from workbench.analysis.between_assessors.gathering import Drawn, Sample
from workbench.analysis.between_assessors.self_agreement import self_agreement

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
    "self_agreement",
]
