"""How judging went, day by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from workbench.methods.charts.chart import Chart, Row, chart_of
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
    import altair as alt

    rows = _rows(days, last)
    shown = list(dict.fromkeys(str(row["day"]) for row in rows))
    people = _people(rows)
    colours = [INK_2 if name == OTHERS else SERIES[place] for place, name in enumerate(people)]
    drawing = (
        alt.Chart(alt.NamedData("rows"))
        .mark_bar()
        .encode(
            x=alt.X("day:O", title="Day (UTC)", sort=shown, axis=alt.Axis(labelAngle=-45, labelOverlap=True)),
            y=alt.Y("judgments:Q", title="Judgments (in a day)", axis=alt.Axis(tickMinStep=1)),
            color=alt.Color(
                "assessor:N", title="Assessor", sort=people, scale=alt.Scale(domain=people, range=colours)
            ),
            tooltip=[
                alt.Tooltip("day:O", title="Day"),
                alt.Tooltip("assessor:N", title="Assessor"),
                alt.Tooltip("judgments:Q", title="Judgments"),
            ],
        )
        .properties(width=min(max(A_DAY * len(shown), NARROWEST), WIDEST), height=HEIGHT)
    )
    return chart_of("judging-days", "Judgments of each day, by assessor.", drawing, rows)


def _rows(days: Sequence[tuple[str, str, int]], last: int) -> list[Row]:
    """A row for each day and assessor, and one for each day without judgments, so that it keeps its place."""
    if not days:
        return []
    newest = date.fromisoformat(max(day for day, _, _ in days))
    oldest = max(date.fromisoformat(min(day for day, _, _ in days)), newest - timedelta(days=last - 1))
    shown = [(oldest + timedelta(days=number)).isoformat() for number in range((newest - oldest).days + 1)]
    people = _by_diligence([(who, count) for day, who, count in days if day >= shown[0]])
    counts = Counter[tuple[str, str]]()
    for day, who, count in days:
        counts[day, who if who in people[:MOST_PEOPLE] else OTHERS] += count
    named = [*people[:MOST_PEOPLE], *([OTHERS] if len(people) > MOST_PEOPLE else [])]
    return [{"day": day, "assessor": who, "judgments": counts[day, who]} for day in shown for who in named]


def _by_diligence(counts: Sequence[tuple[str, int]]) -> list[str]:
    total = Counter[str]()
    for who, count in counts:
        total[who] += count
    return sorted(total, key=lambda who: (-total[who], who))


def _people(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(str(row["assessor"]) for row in rows))
