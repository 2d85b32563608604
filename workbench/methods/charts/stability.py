"""How the order of runs settles along the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.methods.charts.chart import Chart, Row, chart_of
from workbench.methods.charts.style import INK_2, SERIES

ALIKE = 0.9
"""From here on two orders are commonly called equivalent (E. M. Voorhees, SIGIR 1998)."""

NAMES = ["tau_b", "tau_AP,b"]


class Moment(NamedTuple):
    """A row of the log: how many pairs were judged, and the correlations, None where all runs are tied."""

    seq: int
    judgments: int
    tau_b: float | None
    tau_ap_b: float | None


def order_over_log(name: str, measure: str, runs: int, moments: Sequence[Moment]) -> Chart:
    """Rank correlations with the last moment, tau_b and tau_AP,b, along the rows of the log."""
    import altair as alt

    rows = _rows(moments)
    title = f"Correlation with the last order by {measure}"
    lowest = min([0.0, *(float(row["correlation"] or 0) for row in rows)])
    data = alt.NamedData(name="rows")
    lines = alt.Chart(data, width=640, height=240).encode(
        alt.X(
            "row:Q",
            title="Row of the log",
            axis=alt.Axis(format=",d"),
            scale=alt.Scale(zero=False, nice=False),
        ),
        alt.Y("correlation:Q", title=title, scale=alt.Scale(domain=[lowest, 1])),
        alt.Color("statistic:N", title=None, scale=alt.Scale(domain=NAMES, range=list(SERIES[:2]))),
    )
    dots = lines.mark_point(filled=True, size=40, opacity=1).encode(
        shape=alt.Shape(
            "statistic:N", title=None, scale=alt.Scale(domain=NAMES, range=["circle", "diamond"])
        ),
        tooltip=[
            alt.Tooltip("row:Q", format=",d"),
            alt.Tooltip("judged:Q", format=",d", title="pairs judged"),
            "statistic:N",
            alt.Tooltip("correlation:Q", format=".3f"),
        ],
    )
    alike = alt.Chart(data).mark_rule(color=INK_2, strokeDash=[4, 4], aria=False)
    drawing = alt.layer(alike.encode(alt.Y(datum=ALIKE, title=title)), lines.mark_line(), dots)
    words = (
        f"How the order of {runs} runs by {measure} agrees with the last one, after each row of the log: "
        "Kendall’s tau_b, and tau_AP,b, where the top counts more; "
        f"orders from {ALIKE} on (dashed) are commonly called equivalent"
    )
    return chart_of(name, words, drawing, rows)


def _rows(moments: Sequence[Moment]) -> list[Row]:
    return [
        {"row": one.seq, "judged": one.judgments, "statistic": statistic, "correlation": value}
        for statistic, values in zip(
            NAMES, ([m.tau_b for m in moments], [m.tau_ap_b for m in moments]), strict=True
        )
        for one, value in zip(moments, values, strict=True)
        if value is not None
    ]
