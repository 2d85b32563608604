"""Agreement and its effect as pages ask for them: each is computed once for a row of the log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
from workbench.jobs.processes import OnStep, counting
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

_agreements: Cache[CampaignAgreement] = Cache()
_effects: Cache[Effect] = Cache()


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


def cached_effect(campaign: Campaign, measure: str) -> Effect:
    """What `effect_of_disagreement` finds now.

    Raises:
        UnknownName: a measure that does not exist.
    """
    return _effects.now(campaign, measure, lambda: effect_of_disagreement(campaign, measure))


def effect_of_file(path: Path, measure: str, *, on_step: OnStep) -> Effect:
    """The effect of disagreement in the campaign at `path` now: what a worker process does for the server."""
    with open_campaign(path) as campaign, campaign.snapshot():
        return effect_of_disagreement(campaign, measure, progress=scoring_steps(on_step))


def scoring_steps(on_step: OnStep) -> Callable[[int], None]:
    """What `effect_of_disagreement` calls, to report to a job or to the terminal."""
    return counting(on_step, "Scoring by each assessor", noun="leaderboard")


def effect_name(measure: str) -> str:
    """What finding the effect is called in the browser and on the terminal."""
    return f"Effect of disagreement on {measure}"


def keep_effect(path: Path, measure: str, found: Effect) -> None:
    """Keep what another process found in the campaign at `path`."""
    with open_campaign(path) as campaign:
        _effects.at(campaign, log.head_at(campaign, found.seq), measure, lambda: found)


def known_effect(campaign: Campaign, measure: str, as_of: int) -> Effect | None:
    """What was found as of a row of the log, where it is still known."""
    return _effects.known(campaign, log.head_at(campaign, as_of), measure)


def effect_takes_long(campaign: Campaign, measure: str) -> bool:
    """Whether `cached_effect` has to count first, in a large campaign."""
    return is_large(campaign) and _effects.known(campaign, log.head(campaign), measure) is None
