"""Figures of what can be trusted: pairs of runs by bounds and draws, and what leaving out teams and runs does."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.analysis.registry import MeasureName, Values
from workbench.analysis.reuse.declared import REUSE, Depth
from workbench.analysis.reuse.origin import By
from workbench.analysis.trust.decisions import ALPHA, Decisions
from workbench.analysis.trust.evidence import CERTAIN, HISTORY, STOP, Stopping
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart, reuse
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


def _by(measure: str) -> Values:
    return {"measure": measure} if measure else {}


@figure("certain-pairs", of=CERTAIN)
def all_certain_pairs(campaign: Campaign, *, measure: str = "") -> Chart:
    """Every pair of runs: whether its better run is certain, whatever the rest of the pool turns out to be.

    Of more than 200 runs those with the highest means are drawn.
    """
    found = CERTAIN.answer(campaign, _by(measure))
    found = found.among(found.tags[:MOST_RUNS])
    if len(found.tags) < 2:
        raise UnknownName(f"{campaign.name} has fewer than two runs, so there are no pairs to draw")
    pairs = [CertainPair(*row) for row in found.rows()]
    return certain_matrix(str(found.measure), found.tags, pairs)


@figure("certain-history", of=HISTORY)
def history_of_certain_pairs(campaign: Campaign, *, measure: str = "") -> Chart:
    """How many pairs of runs were certain after each row of the log."""
    found = HISTORY.answer(campaign, _by(measure))
    if not found.points:
        raise UnknownName(f"nothing is judged yet in {campaign.name}, so nothing could become certain")
    moments = [Known(one.seq, one.judged, one.pairs, one.certain + one.tied) for one in found.points]
    return certain_history(str(found.measure), moments)


@figure("decided-pairs", of=STOP)
def all_decided_pairs(campaign: Campaign, *, measure: str = "", alpha: float = ALPHA) -> Chart:
    """Every pair of runs: certain, decided at a risk, or open, by judgments in a random order."""
    found = _decisions(campaign, measure, alpha)
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


@figure("decided-history", of=STOP)
def history_of_decisions(campaign: Campaign, *, measure: str = "", alpha: float = ALPHA) -> Chart:
    """How many pairs of runs were known after each number of documents of a random order."""
    found = _decisions(campaign, measure, alpha)
    if not found.history:
        message = f"nothing of the order is judged yet in {campaign.name}, so nothing could be decided"
        raise UnknownName(message)
    points = [Known(look.drawn, look.drawn, len(found.pairs), look.decided) for look in found.history]
    return decided_history(str(found.measure), alpha, points)


def _decisions(campaign: Campaign, measure: str, alpha: float) -> Decisions:
    found: Stopping = STOP.answer(campaign, _by(measure) | {"alpha": alpha})
    if found.decisions is None:
        nothing = f"no pool of {campaign.name} was drawn in a random order, so there is nothing to draw"
        raise UnknownName(found.refused or nothing)
    return found.decisions


@figure("reuse-losses", of=REUSE)
def reuse_losses(
    campaign: Campaign, *, measure: MeasureName = "AP", by: By = "team", depth: Depth | None = None
) -> Chart:
    """Each run's score with all judgments, and without the documents that its team (or it) alone put into the pools.

    `depth` assumes pools to that depth in the place of the campaign's.
    """
    found = REUSE.answer(campaign, {"measure": measure, "by": by, "depth": depth})
    losses = [
        reuse.Loss(row.name, run.run, run.score, run.score_without, run.ranks_lost)
        for row in found.rows
        for run in row.runs
    ]
    return reuse.losses(str(found.measure), by, losses)


@figure("unique-relevant", of=REUSE)
def unique_relevant(
    campaign: Campaign, *, measure: MeasureName = "AP", by: By = "team", depth: Depth | None = None
) -> Chart:
    """How many relevant documents each team, or run, alone put into the pools.

    `measure` says which smallest relevant grade counts, and is otherwise without effect.
    """
    found = REUSE.answer(campaign, {"measure": measure, "by": by, "depth": depth})
    alone = [
        reuse.Alone(row.name, row.unique_relevant, row.unique_relevant / found.relevant) for row in found.rows
    ]
    return reuse.unique_relevant(by, alone)
