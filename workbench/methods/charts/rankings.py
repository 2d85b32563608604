"""Charts of rankings of one topic: precision over recall, ROC curves, and gain by rank."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.wording import counted
from workbench.methods.charts.chart import Chart, Row, alt, chart_of, marks
from workbench.methods.charts.style import INK_2, SERIES

MOST_RUNS = len(SERIES)
"""At most this many lines can be told apart."""
DOTTED = 24
"""Up to this many points a run, each has a dot; so a line of a single point is seen too."""
AT_RANKS, INTERPOLATED = "at each rank", "interpolated"
BEST = "best possible ranking"
WIDTH, HEIGHT = 480, 340
"""Two of them stand side by side on a wide page."""
MOST_POINTS = 2000
"""A line has hardly more points than this: about 500 columns with four of each."""
LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"


class Point(NamedTuple):
    """A point of a line; `rank` is None where it belongs to no rank."""

    rank: int | None
    x: float | int
    y: float


class Line(NamedTuple):
    """The line of a run; `note` says in its legend what a number says of it, such as its area."""

    run: str
    points: Sequence[Point]
    note: str = ""
    kind: str = ""


def precision_recall(topic_id: str, relevant: int, lines: Sequence[Line], thinning: str) -> Chart:
    """Precision over recall, each run with a line of kind AT_RANKS and one of kind INTERPOLATED."""
    rows = _rows(lines, "recall", "precision", kind="line")
    kinds = alt.StrokeDash(
        "line:N",
        scale=alt.Scale(domain=[AT_RANKS, INTERPOLATED], range=[[1, 0], [5, 3]]),
        legend=alt.Legend(title=None, symbolType="stroke"),
    )
    base = _base(
        alt.X(
            "recall:Q",
            title=f"Recall, of {counted(relevant, 'relevant document')}",
            scale=alt.Scale(domain=[0, 1]),
        ),
        alt.Y(
            "precision:Q",
            title="Precision; unjudged documents count as not relevant",
            scale=alt.Scale(domain=[0, 1]),
        ),
    )
    drawn = base.mark_line(strokeWidth=1.6).encode(
        _colour(lines), kinds, alt.Order("place:Q"), detail="line:N"
    )
    dots = _dots(base.transform_filter("datum.line == " + json.dumps(AT_RANKS)), lines, rows)
    words = f"Topic {topic_id}: precision over recall at each rank, and interpolated; {_names(lines)}"
    return chart_of(
        f"{topic_id}-precision-recall", words + _said(thinning), alt.layer(drawn, *dots), rows, wide=True
    )


def roc(topic_id: str, others: int, lines: Sequence[Line], thinning: str) -> Chart:
    """ROC curves: the share of the relevant documents found over that of the others, beside the line of chance."""
    rows = _rows(lines, "false_positive_rate", "true_positive_rate")
    title = f"False positive rate, of {others:,} documents that are unjudged or not relevant"
    base = _base(
        alt.X("false_positive_rate:Q", title=title, scale=alt.Scale(domain=[0, 1])),
        alt.Y("true_positive_rate:Q", title="True positive rate (recall)", scale=alt.Scale(domain=[0, 1])),
    )
    ends = alt.InlineData(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    chance = alt.Chart(ends).mark_line(color=INK_2, strokeDash=[2, 3], strokeWidth=1).encode(x="x:Q", y="y:Q")
    drawn = base.mark_line(strokeWidth=1.8).encode(_colour(lines), alt.Order("place:Q"))
    words = f"Topic {topic_id}: ROC curves with their areas; {_names(lines)}"
    whole = alt.layer(chance, drawn, *_dots(base, lines, rows))
    return chart_of(f"{topic_id}-roc", words + _said(thinning), whole, rows, wide=True)


def gain(topic_id: str, measure: str, lines: Sequence[Line], best: Sequence[Point], thinning: str) -> Chart:
    """A measure of gain by rank, one line for each run, and that of the best possible ranking where `best` has it."""
    with_best = [*lines, *([Line(BEST, best)] if best else [])]
    rows = _rows(with_best, "rank", "gain")
    base = _base(
        alt.X(
            "rank:Q",
            title="Rank",
            scale=alt.Scale(domainMin=1, nice=False),
            axis=alt.Axis(tickMinStep=1, format=",d"),
        ),
        alt.Y("gain:Q", title=f"{measure} down to this rank; unjudged documents gain nothing"),
    )
    drawn = base.mark_line(strokeWidth=1.8).encode(_colour(lines, best=bool(best)), alt.Order("place:Q"))
    words = f"Topic {topic_id}: {measure} at each rank; {_names(lines)}"
    whole = alt.layer(drawn, *_dots(base, lines, rows, best=bool(best)))
    return chart_of(f"{topic_id}-gain", words + _said(thinning), whole, rows, wide=True)


def thinned(x: NDArray[np.float64], y: NDArray[np.float64], most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Which points of a line to draw: all if there are at most `most`, else about that many, ascending.

    x never falls. The line is cut into columns of equal width; of each the first, the lowest, the highest and the last
    point stay. So the picture reaches as high and as low in every column as with all points, and no peak is lost.

    Source: Jugel, Jerzak, Hackenbroich and Markl, PVLDB 7(10), 2014 (M4).
    """
    if len(x) <= most:
        return np.arange(len(x))
    columns = max(1, most // 4)
    width = (x[-1] - x[0]) / columns or 1.0
    column = np.minimum((x - x[0]) // width, columns - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    ends = np.append(starts[1:], len(x))
    kept = [
        place
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        for place in (start, start + int(y[start:end].argmin()), start + int(y[start:end].argmax()), end - 1)
    ]
    return np.unique(np.array(kept, np.int64))


def _rows(lines: Sequence[Line], x: str, y: str, *, kind: str = "") -> list[Row]:
    """One row for each point, numbered by `place` along its line.

    Points of one x have their order too: without it a renderer draws teeth in any order.
    """
    return [
        {"run": line.run}
        | ({kind: line.kind} if kind else {})
        | {"place": place, "rank": point.rank, x: point.x, y: point.y}
        for line in lines
        for place, point in enumerate(line.points, start=1)
    ]


def _base(x: alt.X, y: alt.Y) -> alt.Chart:
    return marks(width=WIDTH, height=HEIGHT).encode(x, y)


def _colour(lines: Sequence[Line], *, best: bool = False) -> alt.Color:
    """A colour for each run, named in the legend with its note."""
    runs = list(dict.fromkeys(line.run for line in lines))
    # Without the mark, digits behind a name in Arabic or Hebrew letters are drawn before it.
    notes = {line.run: f"{line.run}{LEFT_TO_RIGHT} · {line.note}" for line in lines if line.note}
    domain, colours = [*runs, *([BEST] if best else [])], [*SERIES[: len(runs)], *([INK_2] if best else [])]
    named = f"{json.dumps(notes)}[datum.label] || datum.label"
    legend = alt.Legend(title=None, columns=2, labelExpr=named, labelLimit=320, symbolType="stroke")
    return alt.Color("run:N", scale=alt.Scale(domain=domain, range=colours), legend=legend)


def _dots(
    base: alt.Chart, lines: Sequence[Line], rows: Sequence[Row], *, best: bool = False
) -> list[alt.Chart]:
    """A dot for each point where there are few."""
    if len(rows) > DOTTED * len({line.run for line in lines}):
        return []
    columns = [f"{name}:{'N' if isinstance(value, str) else 'Q'}" for name, value in rows[0].items()]
    shown = [column for column in columns if column != "place:Q"]
    return [base.mark_point(filled=True, opacity=1, size=28).encode(_colour(lines, best=best), tooltip=shown)]


def _names(lines: Sequence[Line]) -> str:
    runs = list(dict.fromkeys(f"{line.run} ({line.note})" if line.note else line.run for line in lines))
    return ", ".join(runs) + "; unjudged documents count as not relevant"


def _said(thinning: str) -> str:
    return f"; {thinning}" if thinning else ""
