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

Key = tuple[Path, log.Head, str]

_kept: OrderedDict[Key, Any] = OrderedDict()
_turns: dict[Key, Lock] = {}
_lock = Lock()

LARGE = 10_000
"""From so many rows of the log on agreement may take seconds: who asks first is told that it is being counted."""


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

    found: CampaignAgreement = _once(campaign, _agreement(by, drawn, resamples, only), find)
    return found


def takes_long(
    campaign: Campaign, by: Grouped = "campaign", *, drawn: bool = False, resamples: int = RESAMPLES
) -> bool:
    """Whether `kept_agreement` has to count first, in a large campaign."""
    return _takes_long(campaign, _agreement(by, drawn, resamples, None))


def effect_takes_long(campaign: Campaign, measure: str) -> bool:
    """Whether `kept_effect` has to count first, in a large campaign."""
    return _takes_long(campaign, _effect(measure))


def kept_effect(campaign: Campaign, measure: str) -> Effect:
    """What `effect_of_disagreement` finds now.

    Raises:
        UnknownName: a measure that does not exist.
    """
    found: Effect = _once(campaign, _effect(measure), lambda: effect_of_disagreement(campaign, measure))
    return found


def _agreement(by: Grouped, drawn: bool, resamples: int, only: str | None) -> str:
    return f"agreement {by} {drawn} {resamples} {only!r}"


def _effect(measure: str) -> str:
    return f"effect {measure}"


def _takes_long(campaign: Campaign, what: str) -> bool:
    with campaign.snapshot():
        head = log.head(campaign)
    with _lock:
        return head.seq >= LARGE and (campaign.path.resolve(), head, what) not in _kept


def _once(campaign: Campaign, what: str, find: Callable[[], Any]) -> Any:
    """What `find` gives: two who ask the same at once wait for one answer, and nobody for that to other questions."""
    with campaign.snapshot():
        key = (campaign.path.resolve(), log.head(campaign), what)
        with _lock:
            turn = _turns.setdefault(key, Lock())
        with turn:
            try:
                found = _kept.get(key)
                if found is None:
                    found = find()
                _keep(key, found)
                return found
            finally:
                with _lock:
                    _turns.pop(key, None)


def _keep(key: Key, found: Any) -> None:
    with _lock:
        _kept[key] = found
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
