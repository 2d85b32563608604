"""Charts with one mark for each topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.methods.charts.chart import Chart, Row, chart_of
from workbench.methods.charts.style import ACCENT, INK_2, LINE, mark_size, topic_axis, topic_step


class TopicSpread(NamedTuple):
    """The scores of all runs on a topic."""

    topic_id: str
    lowest: float
    median: float
    highest: float


class HistoryPoint(NamedTuple):
    """By number of judgments of a topic: how many of its documents are judged, and how many relevant."""

    judgments: int
    judged: int
    relevant: int


def topic_spreads(measure: str, runs: int, spreads: Sequence[TopicSpread]) -> Chart:
    """Topics in the order given: the median of all runs as a dot, on a line from the lowest score to the highest."""
    import altair as alt

    rows: list[Row] = [
        {"topic": one.topic_id, "lowest": one.lowest, "median": one.median, "highest": one.highest}
        for one in spreads
    ]
    topics = alt.X(
        "topic:N", title="Topic, the hardest first", sort=[one.topic_id for one in spreads], axis=topic_axis()
    )
    shown = [alt.Tooltip(f"{name}:Q", title=name, format=".4f") for name in ("lowest", "median", "highest")]
    step = topic_step(len(spreads))
    base = alt.Chart(alt.NamedData(name="rows"), width=alt.Step(step), height=240).encode(
        topics, tooltip=["topic:N", *shown]
    )
    reach = base.mark_rule(color=INK_2, opacity=0.5, strokeWidth=min(2, step)).encode(
        alt.Y("lowest:Q", title=f"{measure} of {runs} runs"), alt.Y2("highest:Q")
    )
    medians = base.mark_point(color=ACCENT, filled=True, size=mark_size(60, step), opacity=1).encode(
        alt.Y("median:Q")
    )
    words = (
        f"{measure} of all runs on every topic, the hardest first: the median (dot), lowest to highest (line)"
    )
    return chart_of("topics", words, alt.layer(reach, medians), rows)


def history(topic_id: str, points: Sequence[HistoryPoint]) -> Chart:
    """How many relevant documents of a topic were known after each judgment."""
    import altair as alt

    rows: list[Row] = [one._asdict() for one in points]
    base = alt.Chart(alt.NamedData(name="rows"), width=560, height=240).encode(
        alt.X(
            "judgments:Q",
            title="Judgments of the topic",
            scale=alt.Scale(nice=False),
            axis=alt.Axis(tickMinStep=1, grid=False),
        ),
        alt.Y("relevant:Q", title="Relevant documents found", axis=alt.Axis(tickMinStep=1)),
    )
    area = base.mark_area(color=LINE, interpolate="step-after", opacity=0.6)
    line = base.mark_line(color=ACCENT, interpolate="step-after").encode(
        tooltip=["judgments:Q", "judged:Q", "relevant:Q"]
    )
    words = f"Topic {topic_id}: relevant documents found over the course of judging"
    return chart_of(f"topic-{topic_id}-history", words, alt.layer(area, line), rows)
