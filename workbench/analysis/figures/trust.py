"""Figures of what can be trusted: pairs of runs by bounds and draws, leaving out teams and runs, and simulations."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.analysis.reuse.declared import REUSE
from workbench.analysis.reuse.report import Reuse
from workbench.analysis.simulating.campaigns import SIMULATION, CampaignSimulation
from workbench.analysis.trust.certain_history import CertainHistory
from workbench.analysis.trust.certain_pairs import CertainPairs
from workbench.analysis.trust.decisions import Decisions
from workbench.analysis.trust.evidence import CERTAIN, HISTORY, STOP, Stopping
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart, reuse
from workbench.methods.charts.decisions import (
    CertainPair,
    certain_history,
    certain_matrix,
    decided_history,
    decided_matrix,
)

MOST_RUNS = 200


@figure("certain-pairs", of=CERTAIN)
def all_certain_pairs(found: CertainPairs) -> Chart:
    """Every pair of runs: whether its better run is certain, whatever the rest of the pool turns out to be.

    Of more than 200 runs those with the highest means are drawn.
    """
    found = found.among(found.tags[:MOST_RUNS])
    if len(found.tags) < 2:
        raise UnknownName("there are fewer than two runs, so there are no pairs to draw")
    pairs = [CertainPair(*row) for row in found.rows()]
    return certain_matrix(str(found.measure), found.tags, pairs)


@figure("certain-history", of=HISTORY)
def history_of_certain_pairs(found: CertainHistory) -> Chart:
    """How many pairs of runs were certain after each row of the log."""
    if not found.points:
        raise UnknownName("nothing is judged yet, so nothing could become certain")
    moments = [(one.seq, one.judged, one.pairs, one.certain + one.tied) for one in found.points]
    return certain_history(str(found.measure), moments)


@figure("decided-pairs", of=STOP)
def all_decided_pairs(stopping: Stopping) -> Chart:
    """Every pair of runs: certain, decided at a risk, or open, by judgments in a random order."""
    found = _decisions(stopping)
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
    return decided_matrix(str(found.measure), stopping.recommendation.alpha, tags, pairs)


@figure("decided-history", of=STOP)
def history_of_decisions(stopping: Stopping) -> Chart:
    """How many pairs of runs were known after each number of documents of a random order."""
    found = _decisions(stopping)
    if not found.history:
        raise UnknownName("nothing of the order is judged yet, so nothing could be decided")
    points = [(look.drawn, look.drawn, len(found.pairs), look.decided) for look in found.history]
    return decided_history(str(found.measure), stopping.recommendation.alpha, points)


def _decisions(found: Stopping) -> Decisions:
    if found.decisions is None:
        nothing = "no pool was drawn in a random order, so there is nothing to draw"
        raise UnknownName(found.refused or nothing)
    return found.decisions


@figure("reuse-losses", of=REUSE)
def reuse_losses(found: Reuse) -> Chart:
    """Each run's score with all judgments, and without the documents that its team (or it) alone put into the pools."""
    losses = [
        reuse.Loss(row.name, run.run, run.score, run.score_without, run.ranks_lost)
        for row in found.rows
        for run in row.runs
    ]
    return reuse.losses(str(found.measure), found.by, losses)


@figure("unique-relevant", of=REUSE)
def unique_relevant(found: Reuse) -> Chart:
    """How many relevant documents each team, or run, alone put into the pools.

    The measure says which smallest relevant grade counts, and is otherwise without effect.
    """
    alone = {row.name: row.unique_relevant for row in found.rows}
    return reuse.unique_relevant(found.by, alone, found.relevant)


@figure("simulation", of=SIMULATION, scores=False)
def simulated_strategies(found: CampaignSimulation) -> Chart:
    """What each simulated strategy finds with each budget, how the leaderboard then orders the runs, and its error."""
    outcomes = [
        reuse.Outcome(
            row.strategy, row.budget, row.recall, row.recall_low, row.recall_high, row.tau, row.rmse
        )
        for row in found.found.rows
    ]
    return reuse.simulated_strategies(found.measure, outcomes)
