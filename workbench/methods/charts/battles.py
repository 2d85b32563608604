"""The chart of strengths from battles."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, marks, tooltips
from workbench.methods.charts.style import ACCENT, INK_2


def strengths_chart(placed: Sequence[Row]) -> Chart:
    """Runs in this order: the strength as a dot, and its interval as a line.

    Each has its `run`, `strength`, `low` and `high` (None without an interval), and `battles`.
    """
    order = [str(run["run"]) for run in placed]
    runs = alt.Y("run:N", sort=order, title=None, axis=alt.Axis(labelLimit=320, ticks=False))
    numbers = tooltips("+.4f", "strength", "low", "high")
    base = marks(width=560, height=alt.Step(20)).encode(runs, tooltip=["run:N", *numbers, "battles:Q"])
    title = "Strength in log-odds, and interval over topics"
    low, strength = (alt.X(f"{name}:Q", title=title) for name in ("low", "strength"))
    lines = base.mark_rule(color=INK_2, strokeWidth=1.5).encode(low, alt.X2("high:Q"))
    dots = base.mark_point(color=ACCENT, filled=True, size=60, opacity=1).encode(strength)
    words = "The runs by their strength in battles, the strongest first, with intervals over topics"
    return chart_of("battles", words, lines + dots, placed)
