"""Figures of what users do."""

from __future__ import annotations

from itertools import combinations

from workbench.analysis.battles.board import board_of
from workbench.analysis.comparing.scores import scores_of
from workbench.analysis.figures.registry import figure
from workbench.analysis.online.agreement import MANY_RUNS, ONLINE, OnlineMetric
from workbench.analysis.registry import MeasureName
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts.online import AS_USERS, OPEN, OPPOSITE, differences_chart
from workbench.methods.online.metrics import USUAL
from workbench.methods.online.ratios import Estimate, difference
from workbench.storage.campaign import Campaign


@figure("online")
def online_differences(
    campaign: Campaign, *, measure: MeasureName = "AP", metric: OnlineMetric = "CTR@10"
) -> Chart:
    """Each pair of runs: its difference by users, with a 95 % interval, over its difference by the measure.

    The better run by the measure is first, so above 0 users agree with it. Intervals (Welch) take the errors of both
    runs as independent. Of many runs the 60 best by the measure are drawn.
    """
    scored, known = (
        scores_of(board_of(campaign, measure), measure),
        ONLINE.answer(campaign, {"metric": metric}),
    )
    sign, seen = -1.0 if USUAL[metric].lowest_is_best else 1.0, {each.run: each for each in known.runs}
    merits = {
        tag: merit for tag, merit in zip(scored.tags, scored.merits.tolist(), strict=True) if tag in seen
    }
    best = sorted(merits, key=lambda tag: -merits[tag])[:MANY_RUNS]
    rows = []
    for one, other in combinations(best, 2):
        found = (seen[tag] for tag in (one, other))
        online = difference(*(Estimate(sign * run.value, run.error, run.units - 1) for run in found))
        low, high = online.interval() or (None, None)
        users = OPEN if low is None or high is None or low <= 0 <= high else AS_USERS if low > 0 else OPPOSITE
        values = {"offline": merits[one] - merits[other], "online": online.value, "low": low, "high": high}
        rows.append({"better": one, "worse": other, "users": users} | values)
    if not rows:
        raise UnknownName(f"no two runs have {metric} and {measure}: workbench add outcomes")
    return differences_chart(str(scored.measure), metric, rows)
