"""Figures of what bounds and draws say of pairs of runs."""

from __future__ import annotations

from collections.abc import Callable

from workbench.analysis.figures.registry import figure
from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE
from workbench.analysis.trust.decisions import ALPHA, Decisions
from workbench.analysis.trust.evidence import (
    Part,
    Question,
    cached_decided,
    cached_history,
    pairs_now,
    slow_parts,
    usual_measure,
)
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
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign

MOST_RUNS = 200


def _is_slow(part: Part) -> Callable[..., bool]:
    def takes_long(
        campaign: Campaign, *, measure: str = "", alpha: float = ALPHA, as_of: int | None = None
    ) -> bool:
        return bool(slow_parts(campaign, _question(campaign, measure, alpha, as_of), part))

    return takes_long


@figure("certain-pairs", takes_long=_is_slow("pairs"))
def all_certain_pairs(
    campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None
) -> Chart:
    """Every pair of runs: whether its better run is certain, whatever the rest of the pool turns out to be.

    Of more than 200 runs those with the highest means are drawn.
    """
    found = pairs_now(campaign, Question(measure, as_of=as_of))
    found = found.among(found.tags[:MOST_RUNS])
    if len(found.tags) < 2:
        message = f"{campaign.name} has fewer than two runs, so there are no pairs to draw"
        raise UnknownName(message)
    pairs = [CertainPair(*row) for row in found.rows()]
    return certain_matrix(str(found.measure), found.tags, pairs)


@figure("certain-history", takes_long=_is_slow("history"))
def history_of_certain_pairs(
    campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None
) -> Chart:
    """How many pairs of runs were certain after each row of the log."""
    points = cached_history(campaign, Question(measure, as_of=as_of))
    if not points:
        message = f"nothing is judged yet in {campaign.name}, so nothing could become certain"
        raise UnknownName(message)
    moments = [Known(one.seq, one.judged, one.pairs, one.certain + one.tied) for one in points]
    return certain_history(str(parse_measure(measure)), moments)


@figure("decided-pairs", takes_long=_is_slow("decided"))
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


@figure("decided-history", takes_long=_is_slow("decided"))
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


def _question(campaign: Campaign, measure: str, alpha: float, as_of: int | None) -> Question:
    return Question(measure or usual_measure(campaign, as_of), alpha, as_of)


def _decisions(campaign: Campaign, measure: str, alpha: float, as_of: int | None) -> Decisions:
    found = cached_decided(campaign, _question(campaign, measure, alpha, as_of))
    if found.decisions is None:
        nothing = f"no pool of {campaign.name} was drawn in a random order, so there is nothing to draw"
        raise UnknownName(found.refused or nothing)
    return found.decisions
