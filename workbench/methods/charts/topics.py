"""Charts of topics: how hard they are, how one was judged, and its rankings as a map coloured by grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.methods.charts import style
from workbench.methods.charts.chart import Chart, Row, alt, chart_of, coloured, laid, marks

PIXELS_PER_RANK = 7
NARROWEST, WIDEST = 280, 880
FEW_RUNS = 40
ROW, LOW_ROW = 16, 11
"""Pixels of a run's row: up to FEW_RUNS of them, and of more."""

UNJUDGED_NAME = "Unjudged"


class MapStretch(NamedTuple):
    """Ranks `first` to `last` of a run, whose documents all have the grade of this name."""

    run: str
    first: int
    last: int
    grade: str


def topic_spreads(measure: str, runs: int, rows: Sequence[Row]) -> Chart:
    """Topics in the order given: the median of all runs as a dot, on a line from the lowest score to the highest.

    Each has its `topic`, and the `lowest`, `median` and `highest` score of all runs.
    """
    there = laid([str(row["topic"]) for row in rows], "Topic, the hardest first", 240)
    shown = [alt.Tooltip(f"{name}:Q", title=name, format=".4f") for name in ("lowest", "median", "highest")]
    base = marks(**there.size).encode(there.topic, tooltip=["topic:N", *shown])
    reach = base.mark_rule(color=style.INK_2, opacity=0.5, strokeWidth=min(2, there.step)).encode(
        there.value("lowest:Q", title=f"{measure} of {runs} runs"), there.other("highest:Q")
    )
    medians = base.mark_point(
        color=style.ACCENT, filled=True, size=style.mark_size(60, there.step), opacity=1
    ).encode(there.value("median:Q"))
    words = (
        f"{measure} of all runs on every topic, the hardest first: the median (dot), lowest to highest (line)"
    )
    return chart_of("topics", words, alt.layer(reach, medians), rows, wide=True)


def history(topic_id: str, rows: Sequence[Row]) -> Chart:
    """How many documents of a topic were known to be `relevant`, of those `judged`, after so many `judgments`."""
    base = marks(width=style.WIDE, height=240).encode(
        alt.X(
            "judgments:Q",
            title="Judgments of the topic",
            scale=alt.Scale(nice=False),
            axis=alt.Axis(tickMinStep=1, grid=False),
        ),
        alt.Y("relevant:Q", title="Relevant documents found", axis=alt.Axis(tickMinStep=1)),
    )
    area = base.mark_area(color=style.LINE, interpolate="step-after", opacity=0.6)
    line = base.mark_line(color=style.ACCENT, interpolate="step-after").encode(
        tooltip=["judgments:Q", "judged:Q", "relevant:Q"]
    )
    words = f"Topic {topic_id}: relevant documents found over the course of judging"
    return chart_of(f"topic-{topic_id}-history", words, alt.layer(area, line), rows, wide=True)


def colours_of(names: Mapping[int, str], relevant_from: int) -> dict[str, str]:
    """The colour of each grade by its name: special, not relevant, the relevant from light to dark, unjudged."""
    relevant = sorted(grade for grade in names if grade >= relevant_from)
    ramp = dict(zip(relevant, style.relevant_colours(len(relevant)), strict=True))
    colours = {
        name: ramp.get(grade) or (style.SPECIAL if grade < 0 else style.NOT_RELEVANT)
        for grade, name in sorted(names.items())
    }
    return {**colours, UNJUDGED_NAME: style.UNJUDGED}


def topic_map(
    topic_id: str, runs: Sequence[str], colours: dict[str, str], stretches: Sequence[MapStretch]
) -> Chart:
    """The map with `runs` from top to bottom; `colours` by the names of grades, in the order of the legend."""
    rows: list[Row] = [one._asdict() for one in stretches]
    deepest = max((one.last for one in stretches), default=1)
    ranks = alt.Scale(domain=[0.5, deepest + 0.5], nice=False, zero=False)
    height = ROW if len(runs) <= FEW_RUNS else LOW_ROW
    names = alt.Axis(labelFontSize=12 if height == ROW else 10, labelLimit=200, ticks=False, domain=False)
    width = min(max(deepest * PIXELS_PER_RANK, NARROWEST), WIDEST)
    base = marks(width=width, height=alt.Step(height))
    spans = base.transform_calculate(left="datum.first - 0.5", right="datum.last + 0.5")
    drawing = spans.mark_rect().encode(
        alt.X("left:Q", title="Rank", scale=ranks, axis=alt.Axis(grid=False, tickMinStep=1)),
        alt.X2("right:Q"),
        alt.Y("run:N", title="Run", sort=list(runs), axis=names, scale=alt.Scale(paddingInner=0.15)),
        coloured("grade", colours, title="Grade"),
        tooltip=[
            alt.Tooltip("run:N", title="Run"),
            alt.Tooltip("first:Q", title="From rank"),
            alt.Tooltip("last:Q", title="To rank"),
            alt.Tooltip("grade:N", title="Grade"),
        ],
    )
    words = f"Topic {topic_id}: the grade of the document at each rank of each run"
    return chart_of(f"topic-{topic_id}-map", words, drawing, rows)
