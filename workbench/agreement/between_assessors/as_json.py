"""Agreement, and what disagreement does, as JSON: every number with all its digits."""

from __future__ import annotations

from typing import Any

from workbench.agreement.between_assessors.coefficients import CampaignAgreement, Scope
from workbench.agreement.between_assessors.effect import Effect, View
from workbench.analysis.comparing.as_json import agreement_content
from workbench.methods.statistics.agreement import Coefficient


def coefficients_content(found: CampaignAgreement) -> dict[str, Any]:
    """Everything about agreement; a coefficient that is not defined is null, with a note."""
    content = found._asdict()
    return {
        "as_of": content.pop("seq"),
        **content,
        "grades": list(found.grades),
        "assessors": list(found.assessors),
        "scopes": [scope_content(scope) for scope in found.scopes],
    }


def scope_content(scope: Scope) -> dict[str, Any]:
    """All coefficients of one scope."""
    return {
        "name": scope.name,
        "assessors": list(scope.assessors),
        "pairs": scope.pairs,
        "table": None if scope.table is None else scope.table.tolist(),
        "coincidences": scope.together.tolist(),
        "relevant_or_not": [_coefficient(found) for found in scope.binary],
        "by_grade": [_coefficient(found) for found in scope.graded],
    }


def _coefficient(found: Coefficient) -> dict[str, Any]:
    return found._asdict() | {"interval": None if found.interval is None else list(found.interval)}


def effect_content(effect: Effect) -> dict[str, Any]:
    """Every leaderboard against the campaign's own, and the ranges."""
    content = effect._asdict()
    return {
        "as_of": content.pop("seq"),
        **content,
        "measure": str(effect.measure),
        "views": [_view(view) for view in effect.views],
        "ranges": [found._asdict() for found in effect.ranges],
    }


def _view(view: View) -> dict[str, Any]:
    return view._asdict() | {"boards": agreement_content(view.boards)}
