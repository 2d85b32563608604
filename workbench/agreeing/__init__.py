"""How much assessors agree, and what their disagreement does to the result."""

from __future__ import annotations

from workbench.agreeing.coefficients import CampaignAgreement, Scope, agreement
from workbench.agreeing.effect import Effect, RunRange, View, effect_of_disagreement

__all__ = [
    "CampaignAgreement",
    "Effect",
    "RunRange",
    "Scope",
    "View",
    "agreement",
    "effect_of_disagreement",
]
