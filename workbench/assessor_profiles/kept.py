"""Summaries of assessors kept in memory: the pages of all and of one ask for the same at the same row of the log."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock

from workbench.agreeing.kept import LARGE
from workbench.assessor_profiles.profile import Summary, summaries
from workbench.campaign import Campaign, log

KEPT = 4

_kept: OrderedDict[tuple[Path, log.Head], list[Summary]] = OrderedDict()
_lock = Lock()


def summaries_take_long(campaign: Campaign) -> bool:
    """Whether `kept_summaries` has to count first, in a large campaign."""
    with campaign.snapshot():
        head = log.head(campaign)
    return head.seq >= LARGE and (campaign.path.resolve(), head) not in _kept


def kept_summaries(campaign: Campaign) -> list[Summary]:
    """The same as `summaries`, found once for each row of the log."""
    with campaign.snapshot(), _lock:  # two who ask at once wait for one answer
        key = (campaign.path.resolve(), log.head(campaign))
        if key not in _kept:
            _kept[key] = summaries(campaign)
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return _kept[key]
