"""How judging went, day by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, coloured, marks
from workbench.methods.charts.style import INK_2, SERIES

MOST_PEOPLE = 6
"""This many assessors have a colour of their own; those who judged least are drawn together."""

OTHERS = "others"
HEIGHT, NARROWEST, WIDEST, A_DAY = 200, 240, 900, 24


def judging_days(days: Sequence[tuple[str, str, int]], last: int) -> Chart:
    """Judgments per day as stacked bars, by assessor, for the `last` days up to the newest one.

    Args:
        days: day (ISO 8601), assessor, judgments; in any order, days without any left out.
        last: how many days are shown at most.
    """
    rows = _rows(days, last)
    shown, people = (list(dict.fromkeys(str(row[name]) for row in rows)) for name in ("day", "assessor"))
    colours = {name: INK_2 if name == OTHERS else SERIES[place] for place, name in enumerate(people)}
    base = marks(width=min(max(A_DAY * len(shown), NARROWEST), WIDEST), height=HEIGHT)
    drawing = base.mark_bar().encode(
        alt.X("day:O", title="Day (UTC)", sort=shown, axis=alt.Axis(labelAngle=-45, labelOverlap=True)),
        alt.Y("judgments:Q", title="Judgments (in a day)", axis=alt.Axis(tickMinStep=1)),
        coloured("assessor", colours, title="Assessor", sort=people),
        tooltip=[
            alt.Tooltip("day:O", title="Day"),
            alt.Tooltip("assessor:N", title="Assessor"),
            alt.Tooltip("judgments:Q", title="Judgments"),
        ],
    )
    return chart_of("judging-days", "Judgments of each day, by assessor.", drawing, rows)


def _rows(days: Sequence[tuple[str, str, int]], last: int) -> list[Row]:
    """A row for each day and assessor, and one for each day without judgments, so that it keeps its place."""
    if not days:
        return []
    newest = date.fromisoformat(max(day for day, _, _ in days))
    oldest = max(date.fromisoformat(min(day for day, _, _ in days)), newest - timedelta(days=last - 1))
    shown = [(oldest + timedelta(days=number)).isoformat() for number in range((newest - oldest).days + 1)]
    total = Counter[str]()
    for day, who, count in days:
        if day >= shown[0]:
            total[who] += count
    people = sorted(total, key=lambda who: (-total[who], who))
    counts = Counter[tuple[str, str]]()
    for day, who, count in days:
        counts[day, who if who in people[:MOST_PEOPLE] else OTHERS] += count
    named = [*people[:MOST_PEOPLE], *([OTHERS] if len(people) > MOST_PEOPLE else [])]
    return [{"day": day, "assessor": who, "judgments": counts[day, who]} for day in shown for who in named]
