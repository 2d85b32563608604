"""The order of conflicts, kept in memory: an adjudicator who works through them is not kept waiting for a new order.

Which conflicts are open is always asked of the campaign; only what each could do to the order of the runs is kept, and
found anew when the list of conflicts is looked at.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from workbench.adjudicating.conflicts import (
    MEASURE,
    TOP,
    Conflicts,
    Influence,
    Pair,
    conflicts,
    in_order,
    open_pairs,
)
from workbench.campaign import Campaign, log

KEPT = 16


class _Known(NamedTuple):
    """Conflicts as of one row of the log, and the row as of which their influence was found."""

    head: log.Head
    ordered: log.Head
    found: Conflicts


_kept: OrderedDict[tuple[Path, str], _Known] = OrderedDict()
_lock = Lock()


def kept_conflicts(
    campaign: Campaign, measure: str = MEASURE, *, top: int = TOP, anew: bool = False
) -> Conflicts:
    """The conflicts of a campaign as `conflicts` gives them.

    Args:
        campaign: an open campaign.
        measure: by which the order of the runs is looked at.
        top: how many of the best runs' order counts.
        anew: whether their influence is found again if anything has happened; else that found last is taken, and
            conflicts that came since have none.

    Raises:
        UnknownName: a measure that does not exist.
    """
    key = (campaign.path.resolve(), f"{measure} {top}")
    with campaign.snapshot():
        head, known = log.head(campaign), _kept.get(key)
        if known is not None and head == (known.ordered if anew else known.head):
            return known.found
        if known is None or anew:
            known = _Known(head, head, conflicts(campaign, measure, top=top))
        else:
            before = known.found
            after = in_order(open_pairs(campaign), _influence(before), before.measure, before.runs, top)
            known = _Known(head, known.ordered, after)
    with _lock:
        _kept[key] = known
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return known.found


def _influence(found: Conflicts) -> dict[Pair, Influence]:
    return {conflict.pair: conflict.influence for conflict in found.open}
