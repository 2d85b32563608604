"""Agreement kept in memory: whoever asks the same at the same row of the log has it at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from workbench.agreeing.coefficients import RESAMPLES, CampaignAgreement, Grouped, agreement
from workbench.agreeing.drawn import drawn_sample
from workbench.agreeing.effect import Effect, effect_of_disagreement
from workbench.agreeing.self_agreement import self_agreement
from workbench.campaign import Campaign, log

KEPT = 32

_kept: OrderedDict[tuple[Path, log.Head, str], Any] = OrderedDict()
_lock = Lock()


def kept_agreement(
    campaign: Campaign,
    by: Grouped = "campaign",
    *,
    drawn: bool = False,
    resamples: int = RESAMPLES,
    only: str | None = None,
) -> CampaignAgreement:
    """What `agreement` finds now, or `self_agreement` by assessor; with `drawn` only the pairs drawn, by weight."""

    def find() -> CampaignAgreement:
        if by == "assessor":
            return self_agreement(campaign, resamples=resamples)
        sample = drawn_sample(campaign) if drawn else None
        return agreement(campaign, by, sample=sample, resamples=resamples, only=only)

    found: CampaignAgreement = _once(campaign, f"agreement {by} {drawn} {resamples} {only!r}", find)
    return found


def kept_effect(campaign: Campaign, measure: str) -> Effect:
    """What `effect_of_disagreement` finds now.

    Raises:
        UnknownName: a measure that does not exist.
    """
    found: Effect = _once(campaign, f"effect {measure}", lambda: effect_of_disagreement(campaign, measure))
    return found


def _once(campaign: Campaign, what: str, find: Callable[[], Any]) -> Any:
    with campaign.snapshot():
        key = (campaign.path.resolve(), log.head(campaign), what)
        with _lock:  # two who ask at once wait for one answer
            if key not in _kept:
                _kept[key] = find()
            _kept.move_to_end(key)
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
            return _kept[key]
