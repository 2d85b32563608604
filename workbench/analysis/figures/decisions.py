"""Figures of what judgments in a random order decide."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.analysis.trust.cached import Question, cached_answer, takes_long
from workbench.analysis.trust.decisions import ALPHA, Decisions
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts.decisions import CertainPair, Draws, decided_history, decided_matrix
from workbench.storage.campaign import Campaign


def _takes_long(
    campaign: Campaign, *, measure: str = "", alpha: float = ALPHA, as_of: int | None = None
) -> bool:
    return takes_long(campaign, Question(measure, alpha), as_of)


@figure("decided-pairs", takes_long=_takes_long)
def all_decided_pairs(
    campaign: Campaign, *, measure: str = "", alpha: float = ALPHA, as_of: int | None = None
) -> Chart:
    """Every pair of runs: certain, decided at a risk, or open, by judgments in a random order."""
    found = _decisions(campaign, measure, alpha, as_of)
    ahead: dict[str, int] = dict.fromkeys(found.drawn.tags, 0)
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
    return decided_matrix(str(found.drawn.measure), alpha, tags, pairs)


@figure("decided-history", takes_long=_takes_long)
def history_of_decisions(
    campaign: Campaign, *, measure: str = "", alpha: float = ALPHA, as_of: int | None = None
) -> Chart:
    """How many pairs of runs were known after each number of documents of a random order."""
    found = _decisions(campaign, measure, alpha, as_of)
    if not found.history:
        message = f"nothing of the order is judged yet in {campaign.name}, so nothing could be decided"
        raise UnknownName(message)
    points = [Draws(look.drawn, look.decided, len(found.pairs)) for look in found.history]
    return decided_history(str(found.drawn.measure), alpha, points)


def _decisions(campaign: Campaign, measure: str, alpha: float, as_of: int | None) -> Decisions:
    found = cached_answer(campaign, Question(measure, alpha), as_of=as_of).decisions
    if found is None:
        message = f"no pool of {campaign.name} was drawn in a random order, so there is nothing to draw"
        raise UnknownName(message)
    return found
