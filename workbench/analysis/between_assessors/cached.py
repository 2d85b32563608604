"""Agreement and its effect as pages ask for them: each is computed once for a row of the log."""

from __future__ import annotations

from workbench.analysis.between_assessors import sheets
from workbench.analysis.between_assessors.coefficients import (
    RESAMPLES,
    CampaignAgreement,
    Grouped,
    agreement,
    is_large,
)
from workbench.analysis.between_assessors.drawn_pairs import sample_to_show
from workbench.analysis.between_assessors.effect import Effect, effect_of_disagreement
from workbench.analysis.between_assessors.self_agreement import self_agreement
from workbench.analysis.registry import ANALYSES, MeasureName, analysis
from workbench.jobs.processes import OnStep, counting
from workbench.methods.statistics.arrays import Progress
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

_agreements: Cache[CampaignAgreement] = Cache()


def cached_agreement(
    campaign: Campaign,
    by: Grouped = "campaign",
    *,
    drawn: bool = False,
    resamples: int = RESAMPLES,
    only: str | None = None,
) -> CampaignAgreement:
    """What `agreement` finds now, or `self_agreement` by assessor.

    With `drawn` only the pairs drawn count, by weight, once one of them is judged twice.
    """

    def find() -> CampaignAgreement:
        if by == "assessor":
            return self_agreement(campaign, resamples=resamples)
        sample = sample_to_show(campaign) if drawn else None
        return agreement(campaign, by, sample=sample, resamples=resamples, only=only)

    return _agreements.now(campaign, (by, drawn, resamples, only), find)


def agreement_takes_long(
    campaign: Campaign, by: Grouped = "campaign", *, drawn: bool = False, resamples: int = RESAMPLES
) -> bool:
    """Whether `cached_agreement` has to count first, in a large campaign."""
    key = by, drawn, resamples, None
    return is_large(campaign) and _agreements.known(campaign, log.head(campaign), key) is None


@analysis("disagreement", called="Effect of disagreement", sheet=sheets.sheet_of_ranges, is_large=is_large)
def disagreement(
    campaign: Campaign, as_of: int | None, on_step: OnStep, *, measure: MeasureName = "AP"
) -> Effect:
    """The leaderboard under other grades, and how far each run's score moves."""
    return effect_of_disagreement(campaign, measure, as_of=as_of, progress=scoring_steps(on_step))


DISAGREEMENT = ANALYSES["disagreement"]


def scoring_steps(on_step: OnStep) -> Progress:
    """What `effect_of_disagreement` calls, to report to a job or to the terminal."""
    return counting(on_step, "Scoring by each assessor", noun="leaderboard")
