"""Charts of what runs and teams lose when they are left out, and of what they alone found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.methods.charts.chart import Chart, Row, chart_of
from workbench.methods.charts.style import INK, INK_2, RELEVANT, SERIES, UNJUDGED

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
    import altair as alt

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
    base = alt.Chart(alt.NamedData(name="rows")).encode(
        alt.X("score:Q", title=measure, scale=alt.Scale(zero=False)),
        alt.Y("run:N", title=None, sort=[one.run for one in ordered]),
    )
    line = base.mark_line(color=INK_2, strokeWidth=1.5).encode(alt.Detail("run:N"))
    dots = base.mark_point(filled=True, size=64, opacity=1).encode(
        alt.Color("judgments:N", title=None, scale=alt.Scale(domain=[WITH, WITHOUT], range=list(SERIES[:2]))),
        alt.Shape(
            "judgments:N", title=None, scale=alt.Scale(domain=[WITH, WITHOUT], range=["circle", "diamond"])
        ),
        tooltip=["run:N", "left out:N", "judgments:N", alt.Tooltip("score:Q", format=".4f"), "ranks lost:Q"],
    )
    drawing = alt.layer(line, dots).properties(width=WIDTH, height=alt.Step(RUN_STEP))
    title = (
        f"{measure} of each run with all judgments, and without those of documents that its {by} alone found"
    )
    return chart_of("reuse-losses", title, drawing, rows)


def unique_relevant(by: str, found: Sequence[Alone]) -> Chart:
    """A bar for each team or run: the relevant documents that it alone found, the most first."""
    import altair as alt

    ordered = sorted(found, key=lambda one: -one.relevant)
    rows: list[Row] = [
        {by: one.name, "relevant documents": one.relevant, "share of all relevant": one.share}
        for one in ordered
    ]
    bars = alt.Chart(alt.NamedData(name="rows")).mark_bar(color=RELEVANT[2])
    drawing = bars.encode(
        alt.X("relevant documents:Q", title=f"Relevant documents that no other {by} put into a pool"),
        alt.Y(f"{by}:N", title=None, sort=[one.name for one in ordered]),
        tooltip=[
            f"{by}:N",
            alt.Tooltip("relevant documents:Q", format=","),
            alt.Tooltip("share of all relevant:Q", format=".1%"),
        ],
    ).properties(width=WIDTH, height=alt.Step(RUN_STEP))
    title = f"Relevant documents that each {by} alone put into the pools"
    return chart_of("unique-relevant", title, drawing, rows)


class Place(NamedTuple):
    """A run on the leaderboard now, with the ranges of its score; None where one is not known.

    `draws` holds the middle 95 % of simulated scores, `bounds` all that are possible, `assessors` the middle 95 % over
    choices of an assessor for each topic.
    """

    run: str
    score: float
    draws: tuple[float, float] | None
    bounds: tuple[float, float] | None = None
    assessors: tuple[float, float] | None = None


RANGES = {
    "possible at all": (UNJUDGED, 3),
    "if the rest is judged (simulated)": (SERIES[0], 8),
    "by choice of assessor": (SERIES[4], 3),
}
"""What a bar shows, its colour and its height in pixels."""


def if_stopped(measure: str, places: Sequence[Place]) -> Chart:
    """The score of each run now as a dot, on bars of what it may become; the best run first."""
    import altair as alt

    ordered = sorted(places, key=lambda one: -one.score)
    rows: list[Row] = [
        {"run": one.run, "score": one.score, "range": name, "low": ends[0], "high": ends[1]}
        for one in ordered
        for name, ends in zip(RANGES, (one.bounds, one.draws, one.assessors), strict=True)
        if ends is not None
    ]
    names = [name for name in RANGES if any(row["range"] == name for row in rows)]
    scale = alt.Scale(domain=names, range=[RANGES[name][0] for name in names])
    base = alt.Chart(alt.NamedData(name="rows")).encode(
        alt.Y("run:N", title=None, sort=[one.run for one in ordered])
    )
    bars = [
        base.transform_filter(alt.datum.range == name)
        .mark_bar(height=RANGES[name][1], opacity=1)
        .encode(
            alt.X("low:Q", title=measure, scale=alt.Scale(zero=False)),
            alt.X2("high:Q"),
            alt.Color("range:N", title=None, scale=scale),
            tooltip=[
                "run:N",
                "range:N",
                alt.Tooltip("low:Q", format=".4f"),
                alt.Tooltip("score:Q", format=".4f", title="score now"),
                alt.Tooltip("high:Q", format=".4f"),
            ],
        )
        for name in names
    ]
    dots = base.mark_point(filled=True, size=40, opacity=1, color=INK).encode(alt.X("score:Q", title=measure))
    drawing = alt.layer(*bars, dots).properties(width=WIDTH, height=alt.Step(RUN_STEP))
    title = f"{measure} of each run now (dot), and what it may become when judging goes on"
    return chart_of("if-stopped", title, drawing, rows)
