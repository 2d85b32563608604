"""Figures of battles."""

from __future__ import annotations

from workbench.analysis.battles.board import BATTLES, BattleBoard
from workbench.analysis.battles.strengths import SHOWN
from workbench.analysis.figures.registry import figure
from workbench.methods.charts import Chart
from workbench.methods.charts.chart import noted
from workbench.methods.charts.comparisons import strengths


@figure("battles", of=BATTLES)
def battles(found: BattleBoard) -> Chart:
    """The strengths of runs in battles, with intervals over topics; runs without a finite strength are left out."""
    runs = [each.by_battles for each in found.runs if each.by_battles.strength is not None]
    chart = strengths([{name: getattr(each, name) for name in SHOWN} for each in runs])
    return chart if runs else noted(chart, f"No run has a strength: {found.reason or 'none is finite'}")
