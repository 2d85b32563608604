"""Charts of collections replayed: runs and teams left out, what they alone found, and strategies simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, coloured, marks, tooltips, two_series
from workbench.methods.charts.style import INK_2, LINE, RELEVANT, WIDE, relevant_colours

RUN_STEP = 18
WITH, WITHOUT = "with all judgments", "without its own documents"

PANEL_WIDTH, STRATEGY_STEP = 210, 20
"""Pixels of each panel, and for each strategy."""


class Loss(NamedTuple):
    """A run, with what it was left out, and its scores with all judgments and without."""

    left_out: str
    run: str
    score: float
    without: float
    ranks_lost: int


def losses(measure: str, by: str, found: Sequence[Loss]) -> Chart:
    """A line for each run from its score to the score without, the best run first."""
    ordered = sorted(found, key=lambda one: -one.score)
    rows: list[Row] = [
        {
            "run": one.run,
            "left out": one.left_out,
            "judgments": name,
            "score": value,
            "ranks lost": one.ranks_lost,
        }
        for one in ordered
        for name, value in ((WITH, one.score), (WITHOUT, one.without))
    ]
    base = marks(width=WIDE, height=max(1, len(ordered)) * RUN_STEP).encode(
        alt.X("score:Q", title=measure, scale=alt.Scale(zero=False)),
        alt.Y("run:N", title=None, sort=[one.run for one in ordered]),
    )
    line = base.mark_line(color=INK_2, strokeWidth=1.5).encode(alt.Detail("run:N"))
    dots = base.mark_point(filled=True, size=64, opacity=1).encode(
        *two_series("judgments", (WITH, WITHOUT)),
        tooltip=["run:N", "left out:N", "judgments:N", *tooltips(".4f", "score"), "ranks lost:Q"],
    )
    drawing = alt.layer(line, dots)
    title = (
        f"{measure} of each run with all judgments, and without those of documents that its {by} alone found"
    )
    return chart_of("reuse-losses", title, drawing, rows, wide=True)


def unique_relevant(by: str, alone: Mapping[str, int], relevant: int) -> Chart:
    """A bar for each team or run: the relevant documents, of all `relevant`, that it alone found, the most first."""
    ordered = sorted(alone, key=lambda name: -alone[name])
    rows: list[Row] = [
        {by: name, "relevant documents": alone[name], "share of all relevant": alone[name] / relevant}
        for name in ordered
    ]
    base = marks(width=WIDE, height=max(1, len(ordered)) * RUN_STEP)
    drawing = base.mark_bar(color=RELEVANT[2]).encode(
        alt.X("relevant documents:Q", title=f"Relevant documents that no other {by} put into a pool"),
        alt.Y(f"{by}:N", title=None, sort=ordered),
        tooltip=[f"{by}:N", *tooltips(",", "relevant documents"), *tooltips(".1%", "share of all relevant")],
    )
    title = f"Relevant documents that each {by} alone put into the pools"
    return chart_of("unique-relevant", title, drawing, rows, wide=True)


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
    base = alt.Chart(width=PANEL_WIDTH, height=alt.Step(STRATEGY_STEP)).encode(
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
