"""Agreement and its effect as commands, pages, files and the API ask for them."""

from __future__ import annotations

from typing import Annotated, Literal

from workbench.analysis.between_assessors import sheets
from workbench.analysis.between_assessors.coefficients import (
    RESAMPLES,
    CampaignAgreement,
    Grouped,
    agreement,
    is_large,
)
from workbench.analysis.between_assessors.effect import Effect, effect_of_disagreement
from workbench.analysis.between_assessors.gathering import sample_to_show
from workbench.analysis.registry import ANALYSES, MeasureName, analysis
from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.seed import SEED
from workbench.jobs.processes import OnStep, counting
from workbench.methods.statistics.arrays import Progress
from workbench.storage.campaign import Campaign

MOST_DRAWS = 100_000


@analysis("agreement", called="Agreement", sheet=sheets.sheet_of_values, is_large=is_large)
def agreement_between(
    campaign: Campaign,
    on_step: OnStep,
    *,
    by: Annotated[Grouped, Limits("By what pairs are grouped; by assessor is self-agreement")] = "campaign",
    pairs: Annotated[Literal["drawn", "all"], Limits("The drawn pairs alone, by weight, or all")] = "drawn",
    scope: Annotated[str, Limits("The one topic, pair of assessors or assessor")] | None = None,
    draws: Annotated[
        int, Limits("How often pairs are drawn again for the intervals", least=0, most=MOST_DRAWS)
    ] = RESAMPLES,
    seed: Annotated[int, Limits("Random seed", least=0)] = SEED,
    judges: Annotated[bool, Limits("Models count as assessors, like people")] | None = None,
) -> CampaignAgreement:
    """How much assessors agree on the pairs that several judged, or with themselves on hidden repeats.

    Where pairs were drawn for a second judgment these alone count, by weight, once one of them is judged twice; with
    the labels of models all pairs count.
    """
    found = agreement(
        campaign,
        by,
        resamples=draws,
        seed=seed,
        sample=sample_to_show(campaign) if pairs == "drawn" and by != "assessor" and not judges else None,
        judges=bool(judges),
        only=scope,
        progress=counting(on_step, "Comparing grades", noun="scope"),
    )
    if scope is not None and not found.scopes:
        raise UnknownName(f"no pair of {scope!r} has two judgments, or there is no such topic or assessor")
    return found


@analysis("disagreement", called="Effect of disagreement", sheet=sheets.sheet_of_ranges, is_large=is_large)
def disagreement(campaign: Campaign, on_step: OnStep, *, measure: MeasureName = "AP") -> Effect:
    """The leaderboard under other grades, and how far each run's score moves."""
    return effect_of_disagreement(campaign, measure, progress=scoring_steps(on_step))


AGREEMENT, DISAGREEMENT = ANALYSES["agreement"], ANALYSES["disagreement"]


def scoring_steps(on_step: OnStep) -> Progress:
    """What `effect_of_disagreement` calls, to report to a job or to the terminal."""
    return counting(on_step, "Scoring by each assessor", noun="leaderboard")
