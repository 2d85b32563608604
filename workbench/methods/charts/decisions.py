"""What is certain of pairs of runs: all pairs as a matrix, and how many were certain along the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple

from workbench.methods.charts.chart import Chart, Row, chart_of
from workbench.methods.charts.style import INK_2, RELEVANT, SERIES, UNJUDGED

SHOWN = {
    "certain": RELEVANT[3],
    "tied for certain": RELEVANT[0],
    "open": UNJUDGED,
}
"""What is open is hatched, as unjudged documents are."""
DECIDED = {"certain": RELEVANT[3], "decided": RELEVANT[1], "tied for certain": RELEVANT[0], "open": UNJUDGED}
NAMED_RUNS = 40
LARGEST_SIDE = 720


class CertainPair(NamedTuple):
    """A pair of runs, the one that leads and the other; the difference of their means, its bounds, and its state."""

    ahead: str
    behind: str
    difference: float
    lower: float
    upper: float
    state: str


class Known(NamedTuple):
    """How many of the pairs of runs were known at a place of a history, and how many documents were judged by then."""

    place: int
    judged: int
    pairs: int
    known: int


def certain_matrix(measure: str, tags: Sequence[str], pairs: Sequence[CertainPair]) -> Chart:
    """Every pair of runs: the one in the row leads the one in the column; `tags` are the runs, the best first."""
    words = f"All pairs of {len(tags)} runs by {measure}: which are certain, and which the rest of the pool can swap"
    return _matrix("certain-pairs", words, tags, pairs, SHOWN)


def decided_matrix(measure: str, alpha: float, tags: Sequence[str], pairs: Sequence[CertainPair]) -> Chart:
    """The same with pairs that are decided at a risk."""
    words = f"All pairs of {len(tags)} runs by {measure}: certain, decided at a risk of {alpha:g}, or open"
    return _matrix("decided-pairs", words, tags, pairs, DECIDED)


def _matrix(
    name: str, words: str, tags: Sequence[str], pairs: Sequence[CertainPair], states: dict[str, str]
) -> Chart:
    import altair as alt

    step = max(4, min(20, LARGEST_SIDE // max(len(tags), 1)))
    place = {tag: number for number, tag in enumerate(tags, start=1)}
    rows: list[Row] = [
        pair._asdict() | {"place": place[pair.ahead], "other": place[pair.behind]} for pair in pairs
    ]
    names = f"{json.dumps(list(tags))}[datum.value - 1]"
    base = alt.Chart(alt.NamedData(name="rows"), width=alt.Step(step), height=alt.Step(step))
    across = alt.Axis(
        orient="top", labelAngle=0, labelOverlap="greedy", labelSeparation=6, ticks=False, domain=False
    )
    down = alt.Axis(
        labelExpr=f"datum.value + '  ' + {names}",
        labels=len(tags) <= NAMED_RUNS,
        labelLimit=240,
        labelOverlap=False,
        ticks=False,
        domain=False,
    )
    cells = base.mark_rect(stroke=None).encode(
        alt.X("other:O", title="Place of the run that is behind", axis=across),
        alt.Y("place:O", title=None, axis=down),
        alt.Color("state:N", title=None, scale=alt.Scale(domain=list(states), range=list(states.values()))),
        tooltip=[
            "ahead:N",
            "behind:N",
            alt.Tooltip("difference:Q", format="+.4f"),
            alt.Tooltip("lower:Q", format="+.4f"),
            alt.Tooltip("upper:Q", format="+.4f"),
            "state:N",
        ],
    )
    return chart_of(name, words, cells, rows)


def certain_history(measure: str, points: Sequence[Known]) -> Chart:
    """The share of pairs that were certain, along the rows of the log."""
    words = f"How many pairs of runs were certain by {measure} after each row of the log, whatever was still unjudged"
    title = f"Pairs of runs certain by {measure}"
    return _history("certain", words, points, ("row", "Row of the log"), title, "step-after")


def decided_history(measure: str, alpha: float, points: Sequence[Known]) -> Chart:
    """The share of pairs that were known, along the order of drawing."""
    words = f"Pairs of runs decided by {measure} at a risk of {alpha:g}, by documents judged"
    along = ("drawn", "Documents of the order judged")
    return _history("decisions", words, points, along, f"Pairs known by {measure}", "linear")


def _history(
    name: str,
    words: str,
    points: Sequence[Known],
    along: tuple[str, str],
    title: str,
    interpolate: Literal["linear", "step-after"],
) -> Chart:
    import altair as alt

    field, head = along
    rows: list[Row] = [
        {field: place, "judged": judged, "pairs": pairs, "known": known, "share": known / max(1, pairs)}
        for place, judged, pairs, known in points
    ]
    x = alt.X(f"{field}:Q", title=head, axis=alt.Axis(format=",d"), scale=alt.Scale(zero=False, nice=False))
    y_axis = alt.Axis(format="%", titleColor=INK_2)
    base = alt.Chart(alt.NamedData(name="rows"), width=640, height=240).encode(
        x,
        alt.Y("share:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=y_axis),
        tooltip=[
            alt.Tooltip(f"{field}:Q", format=",d", title=head),
            alt.Tooltip("judged:Q", format=",d", title="documents judged"),
            alt.Tooltip("known:Q", format=",d", title="pairs known"),
            alt.Tooltip("pairs:Q", format=",d"),
            alt.Tooltip("share:Q", format=".1%"),
        ],
    )
    line = base.mark_line(color=SERIES[0], interpolate=interpolate)
    dots = base.mark_point(color=SERIES[0], filled=True, size=30, opacity=1)
    return chart_of(name, words, alt.layer(line, dots), rows)
