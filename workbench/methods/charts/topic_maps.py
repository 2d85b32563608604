"""The rankings of a topic as a map: a row for each run, a column for each rank, coloured by grade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.methods.charts.chart import Chart, Row, chart_of
from workbench.methods.charts.style import NOT_RELEVANT, SPECIAL, UNJUDGED, relevant_colours

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


class MapGrade(NamedTuple):
    """A grade as the map shows it: its number and its name; unjudged has none."""

    grade: int
    name: str


def colours_of(grades: Sequence[MapGrade], relevant_from: int) -> dict[str, str]:
    """The colour of each grade by its name: special, not relevant, the relevant from light to dark, unjudged."""
    ordered = sorted(grades)
    relevant = [grade for grade in ordered if grade.grade >= relevant_from]
    ramp = dict(zip(relevant, relevant_colours(len(relevant)), strict=True))
    colours = {
        grade.name: ramp.get(grade) or (SPECIAL if grade.grade < 0 else NOT_RELEVANT) for grade in ordered
    }
    return {**colours, UNJUDGED_NAME: UNJUDGED}


def topic_map(
    topic_id: str, runs: Sequence[str], colours: dict[str, str], stretches: Sequence[MapStretch]
) -> Chart:
    """The map with `runs` from top to bottom; `colours` by the names of grades, in the order of the legend."""
    import altair as alt

    rows: list[Row] = [one._asdict() for one in stretches]
    deepest = max((one.last for one in stretches), default=1)
    ranks = alt.Scale(domain=[0.5, deepest + 0.5], nice=False, zero=False)
    height = ROW if len(runs) <= FEW_RUNS else LOW_ROW
    names = alt.Axis(labelFontSize=12 if height == ROW else 10, labelLimit=200, ticks=False, domain=False)
    drawing = (
        alt.Chart(
            alt.NamedData(name="rows"),
            width=min(max(deepest * PIXELS_PER_RANK, NARROWEST), WIDEST),
            height=alt.Step(height),
        )
        .transform_calculate(left="datum.first - 0.5", right="datum.last + 0.5")
        .mark_rect()
        .encode(
            alt.X("left:Q", title="Rank", scale=ranks, axis=alt.Axis(grid=False, tickMinStep=1)),
            alt.X2("right:Q"),
            alt.Y("run:N", title="Run", sort=list(runs), axis=names, scale=alt.Scale(paddingInner=0.15)),
            alt.Color(
                "grade:N", title="Grade", scale=alt.Scale(domain=list(colours), range=list(colours.values()))
            ),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("first:Q", title="From rank"),
                alt.Tooltip("last:Q", title="To rank"),
                alt.Tooltip("grade:N", title="Grade"),
            ],
        )
    )
    words = f"Topic {topic_id}: the grade of the document at each rank of each run"
    return chart_of(f"topic-{topic_id}-map", words, drawing, rows)
