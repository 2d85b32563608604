"""Charts of one run beside all others: on every topic, and over all levels of recall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, field, laid, marks
from workbench.methods.charts.style import ACCENT, INK_2, mark_size

MEDIAN, BEST = "median of all runs", "best of all runs"
ACROSS, DOWN = ("M-1,-0.15H1V0.15H-1Z", "triangle-up"), ("M-0.15,-1V1H0.15V-1Z", "triangle-right")
"""The shapes of the median and the best, on topics that stand across, and below each other."""


def topic_scores(run: str, measure: str, rows: Sequence[Row]) -> Chart:
    """A run on every topic: its score as a dot, on a line from the median of all runs to the best.

    Each has its `topic`, the score under the name of the measure, and the `median` and `best` of all runs.
    """
    there = laid([str(row["topic"]) for row in rows], "Topic")
    base = marks(**there.size).encode(there.topic)
    score, tooltip = f"{field(measure)}:Q", _tooltips(measure)
    reach = base.mark_rule(color=INK_2, opacity=0.35, strokeWidth=1).encode(
        there.value("median:Q", title=measure), there.other("best:Q")
    )
    dots = [
        base.mark_point(filled=True, opacity=1, size=mark_size(size, there.step)).encode(
            there.value(column),
            color=_series(run, name, alt.ColorDatum, [ACCENT, INK_2, INK_2]),
            shape=_series(run, name, alt.ShapeDatum, ["circle", *(ACROSS if there.across else DOWN)]),
            tooltip=tooltip,
        )
        for column, name, size in (("median:Q", MEDIAN, 60), ("best:Q", BEST, 24), (score, run, 56))
    ]
    words = f"{run} on every topic: {measure}, with the median and the best of all runs"
    return chart_of(f"{run}-topics", words, alt.layer(reach, *dots), rows, wide=True)


def precision_recall(run: str, rows: Sequence[Row]) -> Chart:
    """A run's `precision` at levels of `recall` as a line, with the `median` and `best` of all runs at each."""
    base = marks(width=400, height=280).encode(
        alt.X("recall:Q", title="Recall", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".1f"))
    )
    tooltip = [alt.Tooltip("recall:Q", title="recall", format=".1f"), *_tooltips("precision")[1:]]
    lines = [
        base.mark_line(strokeWidth=width, point=point).encode(
            alt.Y(column, title="Interpolated precision", scale=alt.Scale(domain=[0, 1])),
            color=_series(run, name, alt.ColorDatum, [ACCENT, INK_2, INK_2]),
            strokeDash=_series(run, name, alt.StrokeDashDatum, [[1, 0], [6, 3], [2, 3]], symbolType="stroke"),
            tooltip=tooltip,
        )
        for column, name, width, point in (
            ("best:Q", BEST, 1.5, False),
            ("median:Q", MEDIAN, 1.5, False),
            ("precision:Q", run, 2.5, {"filled": True, "size": 36}),
        )
    ]
    words = f"{run}: precision over recall, with the median and the best of all runs at each level of recall"
    return chart_of(f"{run}-recall", words, alt.layer(*lines), rows, wide=True)


def _series(run: str, name: str, channel: Any, looks: Sequence[Any], **legend: Any) -> Any:
    """How the run, the median or the best looks, as one of `looks`."""
    scale = alt.Scale(domain=[run, MEDIAN, BEST], range=looks)
    return channel(name, scale=scale, legend=alt.Legend(title=None, **legend))


def _tooltips(measure: str) -> list[alt.Tooltip]:
    values = [(field(measure), measure), ("median", MEDIAN), ("best", BEST)]
    return [
        alt.Tooltip("topic:N", title="topic"),
        *(alt.Tooltip(f"{column}:Q", title=title, format=".4f") for column, title in values),
    ]
