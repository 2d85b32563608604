"""The chart of what users say of pairs of runs, over what a measure says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, coloured, marks, tooltips
from workbench.methods.charts.style import ACCENT, INK_2, SPECIAL, UNJUDGED, WIDE

AS_USERS, OPPOSITE, OPEN = "as users", "opposite", "not decided"
COLOURS: Mapping[str, str] = MappingProxyType({AS_USERS: ACCENT, OPPOSITE: SPECIAL, OPEN: INK_2})


def differences_chart(measure: str, metric: str, placed: Sequence[Row]) -> Chart:
    """Pairs of runs: the difference online, with its interval, over the difference offline.

    Each has its `better` and `worse` run by the measure, `offline`, `online`, `low` and `high` (None without an
    interval), and `users`, one of COLOURS.
    """
    numbers = tooltips("+.4f", "offline", "online", "low", "high")
    base = marks(width=WIDE, height=360).encode(
        alt.X("offline:Q", title=f"Difference in {measure}", axis=alt.Axis(tickCount=8)),
        coloured("users", COLOURS),
        tooltip=["better:N", "worse:N", "users:N", *numbers],
    )
    title = f"Difference in {metric}, with 95 % interval"
    low, online = (alt.Y(f"{name}:Q", title=title) for name in ("low", "online"))
    lines = base.mark_rule(strokeWidth=1.5, opacity=0.6).encode(low, alt.Y2("high:Q"))
    dots = base.mark_point(filled=True, size=50, opacity=1).encode(online)
    even = alt.Chart().mark_rule(color=UNJUDGED).encode(y=alt.datum(0))
    words = f"Pairs of runs by {metric} over {measure}: above 0 users prefer the run that the measure prefers"
    return chart_of("online", words, alt.layer(even, lines, dots), placed, wide=True)
