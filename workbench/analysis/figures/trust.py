"""Figures of what bounds and draws say of pairs of runs."""

from __future__ import annotations

from collections.abc import Callable

from workbench.analysis.figures.registry import figure
from workbench.analysis.registry import Analysis, Values
from workbench.analysis.trust.decisions import ALPHA, Decisions
from workbench.analysis.trust.evidence import CERTAIN, HISTORY, STOP, Stopping
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts.decisions import (
    CertainPair,
    Known,
    certain_history,
    certain_matrix,
    decided_history,
    decided_matrix,
)
from workbench.storage.campaign import Campaign

MOST_RUNS = 200


def _is_slow(analysis: Analysis) -> Callable[..., bool]:
    def takes_long(campaign: Campaign, *, measure: str = "", as_of: int | None = None, **risk: float) -> bool:
        return analysis.takes_long(campaign, _by(measure) | risk, as_of=as_of)

    return takes_long


def _by(measure: str) -> Values:
    return {"measure": measure} if measure else {}


@figure("certain-pairs", takes_long=_is_slow(CERTAIN))
def all_certain_pairs(campaign: Campaign, *, measure: str = "", as_of: int | None = None) -> Chart:
    """Every pair of runs: whether its better run is certain, whatever the rest of the pool turns out to be.

    Of more than 200 runs those with the highest means are drawn.
    """
    found = CERTAIN.answer(campaign, _by(measure), as_of=as_of)
    found = found.among(found.tags[:MOST_RUNS])
    if len(found.tags) < 2:
        message = f"{campaign.name} has fewer than two runs, so there are no pairs to draw"
        raise UnknownName(message)
    pairs = [CertainPair(*row) for row in found.rows()]
    return certain_matrix(str(found.measure), found.tags, pairs)


@figure("certain-history", takes_long=_is_slow(HISTORY))
def history_of_certain_pairs(campaign: Campaign, *, measure: str = "", as_of: int | None = None) -> Chart:
    """How many pairs of runs were certain after each row of the log."""
    found = HISTORY.answer(campaign, _by(measure), as_of=as_of)
    if not found.points:
        message = f"nothing is judged yet in {campaign.name}, so nothing could become certain"
        raise UnknownName(message)
    moments = [Known(one.seq, one.judged, one.pairs, one.certain + one.tied) for one in found.points]
    return certain_history(str(found.measure), moments)


@figure("decided-pairs", takes_long=_is_slow(STOP))
def all_decided_pairs(
    campaign: Campaign, *, measure: str = "", alpha: float = ALPHA, as_of: int | None = None
) -> Chart:
    """Every pair of runs: certain, decided at a risk, or open, by judgments in a random order."""
    found = _decisions(campaign, measure, alpha, as_of)
    ahead: dict[str, int] = dict.fromkeys(found.order.tags, 0)
    for pair in found.pairs:
        ahead[pair.run_a] += 1
    left_out = set(found.left_out)
    tags = [tag for tag in sorted(ahead, key=lambda tag: -ahead[tag]) if tag not in left_out]
    place = {tag: number for number, tag in enumerate(tags)}
    pairs = []
    for pair in found.pairs:
        row = CertainPair(*pair[:6])
        if place[row.ahead] > place[row.behind]:  # level in the estimates of other pairs
            row = CertainPair(row.behind, row.ahead, -row.difference, -row.upper, -row.lower, row.state)
        pairs.append(row)
    return decided_matrix(str(found.measure), alpha, tags, pairs)


@figure("decided-history", takes_long=_is_slow(STOP))
def history_of_decisions(
    campaign: Campaign, *, measure: str = "", alpha: float = ALPHA, as_of: int | None = None
) -> Chart:
    """How many pairs of runs were known after each number of documents of a random order."""
    found = _decisions(campaign, measure, alpha, as_of)
    if not found.history:
        message = f"nothing of the order is judged yet in {campaign.name}, so nothing could be decided"
        raise UnknownName(message)
    points = [Known(look.drawn, look.drawn, len(found.pairs), look.decided) for look in found.history]
    return decided_history(str(found.measure), alpha, points)


def _decisions(campaign: Campaign, measure: str, alpha: float, as_of: int | None) -> Decisions:
    found: Stopping = STOP.answer(campaign, _by(measure) | {"alpha": alpha}, as_of=as_of)
    if found.decisions is None:
        nothing = f"no pool of {campaign.name} was drawn in a random order, so there is nothing to draw"
        raise UnknownName(found.refused or nothing)
    return found.decisions
