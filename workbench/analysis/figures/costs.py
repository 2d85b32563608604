"""Figures of what the scores of runs cost."""

from __future__ import annotations

from workbench.analysis.costs.declared import COSTS, CostsOfRuns
from workbench.analysis.figures.registry import figure
from workbench.core.errors import UnknownName
from workbench.core.run_costs import COST_FIELDS
from workbench.methods.charts import Chart
from workbench.methods.charts.costs import Placed, score_over_cost


@figure("costs", of=COSTS)
def scores_over_costs(found: CostsOfRuns) -> Chart:
    """Each run's score over what it costs, with its interval, and the observed Pareto front.

    Runs without the figure are left out. Where the names of the front would cover each other, the best have theirs.
    """
    placed = [
        Placed(one.run, one.score, one.interval_from, one.interval_to, one.cost, bool(one.front))
        for one in found.runs
        if one.cost is not None
    ]
    if not placed:
        raise UnknownName(
            f"no run has the figure {found.cost!r}, so there is nothing to draw: workbench add run-costs"
        )
    more, low = COST_FIELDS[found.cost].best == "highest", found.measure.best == "lowest"
    return score_over_cost(str(found.measure), found.head, placed, more_is_better=more, best_is_low=low)
