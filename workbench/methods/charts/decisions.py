"""What is certain of pairs of runs, as a matrix and along the log; and how the order of runs settles along it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple

from workbench.methods.charts.chart import (
    Chart,
    Row,
    alt,
    chart_of,
    coloured,
    marks,
    places_across,
    tooltips,
    two_series,
)
from workbench.methods.charts.style import INK_2, RELEVANT, SERIES, UNJUDGED, WIDE

SHOWN = {"certain": RELEVANT[3], "tied for certain": RELEVANT[0], "open": UNJUDGED}
"""What is open is hatched, as unjudged documents are."""
DECIDED = {"certain": RELEVANT[3], "decided": RELEVANT[1], "tied for certain": RELEVANT[0], "open": UNJUDGED}
NAMED_RUNS = 40
LARGEST_SIDE = 720


ALIKE = 0.9
"""From here on two orders are commonly called equivalent (E. M. Voorhees, SIGIR 1998)."""


class CertainPair(NamedTuple):
    """A pair of runs, the one that leads and the other; the difference of their means, its bounds, and its state."""

    ahead: str
    behind: str
    difference: float
    lower: float
    upper: float
    state: str


Known = tuple[int, int, int, int]
"""A place of a history, the documents judged by then, all pairs of runs, and how many of these were known."""


def certain_matrix(measure: str, tags: Sequence[str], pairs: Sequence[CertainPair]) -> Chart:
    """Every pair of runs: the one in the row leads the one in the column; `tags` are the runs, the best first."""
    words = f"All pairs of {len(tags)} runs by {measure}: which are certain, and which the rest of the pool can swap"
    return chart_of("certain-pairs", words, *_matrix(tags, pairs, SHOWN))


def decided_matrix(measure: str, alpha: float, tags: Sequence[str], pairs: Sequence[CertainPair]) -> Chart:
    """The same with pairs that are decided at a risk."""
    words = f"All pairs of {len(tags)} runs by {measure}: certain, decided at a risk of {alpha:g}, or open"
    return chart_of("decided-pairs", words, *_matrix(tags, pairs, DECIDED))


def _matrix(
    tags: Sequence[str], pairs: Sequence[CertainPair], states: dict[str, str]
) -> tuple[alt.Chart, list[Row]]:
    step = max(4, min(20, LARGEST_SIDE // max(len(tags), 1)))
    place = {tag: number for number, tag in enumerate(tags, start=1)}
    rows: list[Row] = [
        pair._asdict() | {"place": place[pair.ahead], "other": place[pair.behind]} for pair in pairs
    ]
    names = f"{json.dumps(list(tags))}[datum.value - 1]"
    base = marks(width=alt.Step(step), height=alt.Step(step))
    down = alt.Axis(
        labelExpr=f"datum.value + '  ' + {names}",
        labels=len(tags) <= NAMED_RUNS,
        labelLimit=240,
        labelOverlap=False,
        ticks=False,
        domain=False,
    )
    cells = base.mark_rect(stroke=None).encode(
        alt.X(
            "other:O",
            title="Place of the run that is behind",
            axis=places_across(len(tags), step, domain=False),
        ),
        alt.Y("place:O", title=None, axis=down),
        coloured("state", states),
        tooltip=["ahead:N", "behind:N", *tooltips("+.4f", "difference", "lower", "upper"), "state:N"],
    )
    return cells, rows


def certain_history(measure: str, points: Sequence[Known]) -> Chart:
    """The share of pairs that were certain, along the rows of the log."""
    words = f"How many pairs of runs were certain by {measure} after each row of the log, whatever was still unjudged"
    title = f"Pairs of runs certain by {measure}"
    return chart_of(
        "certain", words, *_history(points, ("row", "Row of the log"), title, "step-after"), wide=True
    )


def decided_history(measure: str, alpha: float, points: Sequence[Known]) -> Chart:
    """The share of pairs that were known, along the order of drawing."""
    words = f"Pairs of runs decided by {measure} at a risk of {alpha:g}, by documents judged"
    along = ("drawn", "Documents of the order judged")
    return chart_of(
        "decisions", words, *_history(points, along, f"Pairs known by {measure}", "linear"), wide=True
    )


def _history(
    points: Sequence[Known], along: tuple[str, str], title: str, interpolate: Literal["linear", "step-after"]
) -> tuple[alt.LayerChart | alt.FacetChart, list[Row]]:
    field, head = along
    rows: list[Row] = [
        {field: place, "judged": judged, "pairs": pairs, "known": known, "share": known / max(1, pairs)}
        for place, judged, pairs, known in points
    ]
    y_axis = alt.Axis(format="%", titleColor=INK_2)
    base = marks(width=WIDE, height=240).encode(
        _along(field, head),
        alt.Y("share:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=y_axis),
        tooltip=[
            alt.Tooltip(f"{field}:Q", format=",d", title=head),
            alt.Tooltip("judged:Q", format=",d", title="documents judged"),
            alt.Tooltip("known:Q", format=",d", title="pairs known"),
            *tooltips(",d", "pairs"),
            *tooltips(".1%", "share"),
        ],
    )
    line = base.mark_line(color=SERIES[0], interpolate=interpolate)
    dots = base.mark_point(color=SERIES[0], filled=True, size=30, opacity=1)
    return alt.layer(line, dots), rows


def order_over_log(
    name: str, measure: str, runs: int, moments: Sequence[tuple[int, int, float | None, float | None]]
) -> Chart:
    """Rank correlations with the last moment along the rows of the log.

    Of each row how many pairs were judged, tau_b and tau_AP,b, None where all runs are tied.
    """
    rows: list[Row] = [
        {"row": seq, "judged": judgments, "statistic": statistic, "correlation": value}
        for place, statistic in enumerate(("tau_b", "tau_AP,b"))
        for seq, judgments, *values in moments
        if (value := values[place]) is not None
    ]
    title = f"Correlation with the last order by {measure}"
    lowest = min([0.0, *(float(row["correlation"] or 0) for row in rows)])
    colour, shape = two_series("statistic", ("tau_b", "tau_AP,b"))
    lines = marks(width=WIDE, height=240).encode(
        _along("row", "Row of the log"),
        alt.Y("correlation:Q", title=title, scale=alt.Scale(domain=[lowest, 1])),
        colour,
    )
    dots = lines.mark_point(filled=True, size=40, opacity=1).encode(
        shape,
        tooltip=[
            *tooltips(",d", "row"),
            alt.Tooltip("judged:Q", format=",d", title="pairs judged"),
            "statistic:N",
            *tooltips(".3f", "correlation"),
        ],
    )
    alike = alt.Chart(lines.data).mark_rule(color=INK_2, strokeDash=[4, 4], aria=False)
    drawing = alt.layer(alike.encode(alt.Y(datum=ALIKE, title=title)), lines.mark_line(), dots)
    words = (
        f"How the order of {runs} runs by {measure} agrees with the last one, after each row of the log: "
        "Kendall’s tau_b, and tau_AP,b, where the top counts more; "
        f"orders from {ALIKE} on (dashed) are commonly called equivalent"
    )
    return chart_of(name, words, drawing, rows, wide=True)


def _along(column: str, title: str) -> alt.X:
    """The axis of rows of the log, or of documents judged."""
    scale = alt.Scale(zero=False, nice=False)
    return alt.X(f"{column}:Q", title=title, axis=alt.Axis(format=",d"), scale=scale)
