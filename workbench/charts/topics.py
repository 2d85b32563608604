"""Charts with one mark for each topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.charts.chart import Chart, Row, chart_of, field
from workbench.charts.look import ACCENT, INK_2

STEP = 14
"""Pixels for each topic."""


class TopicScore(NamedTuple):
    """A run's score on a topic, beside the median and the best over all runs."""

    topic_id: str
    score: float
    median: float
    best: float


def topic_scores(run: str, measure: str, scores: Sequence[TopicScore]) -> Chart:
    """A run on every topic: its score as a dot, on a line from the median of all runs to the best."""
    import altair as alt

    rows: list[Row] = [
        {"topic": one.topic_id, measure: one.score, "median": one.median, "best": one.best} for one in scores
    ]
    topics = alt.X(
        "topic:N", title="Topic", sort=[one.topic_id for one in scores], axis=alt.Axis(labelAngle=-90)
    )
    score = field(measure)
    base = alt.Chart(alt.NamedData(name="rows"), width=alt.Step(STEP), height=280).encode(topics)
    reach = base.mark_rule(color=INK_2, opacity=0.5).encode(
        alt.Y("median:Q", title=measure), alt.Y2("best:Q")
    )
    median = base.mark_tick(color=INK_2, thickness=2).encode(alt.Y("median:Q"))
    dots = base.mark_point(color=ACCENT, filled=True, size=60, opacity=1).encode(
        alt.Y(f"{score}:Q"), tooltip=["topic:N", f"{score}:Q", "median:Q", "best:Q"]
    )
    words = f"{run} on every topic: {measure} (dot), the median of all runs (tick), and the best (end of the line)"
    return chart_of(f"{run}-topics", words, alt.layer(reach, median, dots), rows)
