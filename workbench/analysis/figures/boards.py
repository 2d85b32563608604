"""Figures of the leaderboard."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.analysis.trust.stability import stability
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts.decisions import Moment, order_over_log
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign


@figure("ranking-stability")
def ranking_stability(campaign: Campaign, *, measure: str = "AP", as_of: int | None = None) -> Chart:
    """How the order of the runs settled while judgments came in: its correlation with the last order, row by row."""
    points = stability(campaign, measure, as_of=as_of)
    if not points:
        message = f"nothing is judged yet in {campaign.name}, so there is no order that could settle"
        raise UnknownName(message)
    found = [
        Moment(point.seq, point.judgments, point.agreement.tau_b, point.agreement.tau_ap_b)
        for point in points
    ]
    name = f"{campaign.name}-stability"
    return order_over_log(name, str(parse_measure(measure)), points[-1].agreement.runs, found)
