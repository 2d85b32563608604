"""Charts of simulations: what each strategy finds with each budget, and how well its leaderboard agrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, coloured, tooltips
from workbench.methods.charts.style import INK_2, LINE, relevant_colours

WIDTH, STEP = 210, 20
"""Pixels of each panel, and for each strategy."""


class Outcome(NamedTuple):
    """What a strategy did with a budget in percent; `low` and `high` are the least and the greatest recall."""

    strategy: str
    budget: float
    recall: float | None
    low: float | None
    high: float | None
    tau: float | None
    rmse: float


def simulated_strategies(measure: str, outcomes: Sequence[Outcome]) -> Chart:
    """Recall, tau and error of each strategy as dots, darker with the budget; what finds most comes first."""
    budgets = sorted({one.budget for one in outcomes})
    words = {budget: f"{budget:.4g} %" for budget in budgets}
    panels = {"Recall of relevant": "recall", "Tau with the whole pool": "tau", f"RMSE of {measure}": "rmse"}
    rows: list[Row] = [
        {
            "strategy": one.strategy,
            "budget": words[one.budget],
            "panel": panel,
            "value": value,
            "low": one.low if name == "recall" else None,
            "high": one.high if name == "recall" else None,
        }
        for panel, name in panels.items()
        for one in outcomes
        if (value := getattr(one, name)) is not None
    ]
    # First what finds most with the largest budget that it has.
    last = {one.strategy: one.recall or 0.0 for one in sorted(outcomes, key=lambda each: each.budget)}
    order = sorted(last, key=lambda strategy: -last[strategy])
    base = alt.Chart(width=WIDTH, height=alt.Step(STEP)).encode(
        alt.Y("strategy:N", title=None, sort=order, axis=alt.Axis(grid=True, gridColor=LINE))
    )
    spread = base.mark_rule(color=INK_2).encode(alt.X("low:Q"), alt.X2("high:Q"))
    colours = dict(zip(words.values(), relevant_colours(len(budgets)), strict=True))
    dots = base.mark_point(filled=True, opacity=1, size=70).encode(
        alt.X("value:Q", title=None, scale=alt.Scale(zero=False)),
        coloured("budget", colours, title="Judged, of each topic’s pool"),
        tooltip=["strategy:N", "budget:N", *tooltips(".4f", "value")],
    )
    drawing = (
        alt.layer(spread, dots, data=alt.NamedData(name="rows"))
        .facet(column=alt.Column("panel:N", title=None, sort=list(panels)))
        .resolve_scale(x="independent")
    )
    title = (
        f"Simulated strategies: recall, tau and error of {measure} by the share of the pool that is judged"
    )
    return chart_of("simulation", title, drawing, rows)
