"""Charts of what runs and teams lose when they are left out, and of what they alone found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, marks, tooltips, two_series
from workbench.methods.charts.style import INK_2, RELEVANT

WIDTH, RUN_STEP = 640, 18
WITH, WITHOUT = "with all judgments", "without its own documents"


class Loss(NamedTuple):
    """A run, with what it was left out, and its scores with all judgments and without."""

    left_out: str
    run: str
    score: float
    without: float
    ranks_lost: int


class Alone(NamedTuple):
    """How many relevant documents a team or run alone put into the pools, and what share of all relevant that is."""

    name: str
    relevant: int
    share: float


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
    base = marks(width=WIDTH, height=alt.Step(RUN_STEP)).encode(
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
    return chart_of("reuse-losses", title, drawing, rows)


def unique_relevant(by: str, found: Sequence[Alone]) -> Chart:
    """A bar for each team or run: the relevant documents that it alone found, the most first."""
    ordered = sorted(found, key=lambda one: -one.relevant)
    rows: list[Row] = [
        {by: one.name, "relevant documents": one.relevant, "share of all relevant": one.share}
        for one in ordered
    ]
    base = marks(width=WIDTH, height=alt.Step(RUN_STEP))
    drawing = base.mark_bar(color=RELEVANT[2]).encode(
        alt.X("relevant documents:Q", title=f"Relevant documents that no other {by} put into a pool"),
        alt.Y(f"{by}:N", title=None, sort=[one.name for one in ordered]),
        tooltip=[
            f"{by}:N",
            *tooltips(",", "relevant documents"),
            *tooltips(".1%", "share of all relevant"),
        ],
    )
    title = f"Relevant documents that each {by} alone put into the pools"
    return chart_of("unique-relevant", title, drawing, rows)
