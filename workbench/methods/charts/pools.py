"""Charts of pools: their size by depth, by topic, what each run adds; and how judging went, day by day."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, coloured, laid, marks, tooltips
from workbench.methods.charts.style import INK, INK_2, RELEVANT, SERIES, UNJUDGED, WIDE

PARTS = {"judged": RELEVANT[2], "not yet judged": UNJUDGED, "new": "#E69F00"}
"""The parts of a pool and their colours, from the ground up."""

HEIGHT = 280
RUN_STEP = 16
"""Pixels for each run."""

MOST_PEOPLE = 6
"""This many assessors have a colour of their own; those who judged least are drawn together."""

OTHERS = "others"
DAYS_HEIGHT, NARROWEST, WIDEST, A_DAY = 200, 240, 900, 24


PoolSize = tuple[int, int, int]
"""What there is to judge at one depth or in one topic: pairs judged, not yet judged, and not yet pooled."""


def pool_sizes(depth: int, total: int, sizes: Sequence[PoolSize]) -> Chart:
    """The size of a pool at every depth from 1, of which `sizes` has one each; `depth` and its `total` are marked."""
    rows: list[Row] = [row for place, size in enumerate(sizes, 1) for row in _parts(size, depth=place)]
    areas = (
        _stacked("depth:Q")
        .mark_area()
        .encode(
            alt.X(
                "depth:Q", title="Depth (documents of each ranking)", scale=alt.Scale(domainMin=0, nice=False)
            ),
            alt.Y("sum(pairs):Q", title="Pairs (topic and document)", stack="zero"),
        )
    )
    marked = alt.Chart(alt.InlineData([{"depth": depth, "words": f"depth {depth:,}: {total:,} pairs"}]))
    rule = marked.mark_rule(color=INK, strokeWidth=1.5).encode(alt.X("depth:Q"))
    late = 2 * depth > len(sizes)
    words = marked.mark_text(
        align="right" if late else "left", dx=-6 if late else 6, dy=8, baseline="top", color=INK
    )
    text = words.encode(alt.X("depth:Q"), alt.Text("words:N"), y=alt.value(0))
    drawing = alt.layer(areas, rule, text).properties(width=WIDE, height=HEIGHT)
    title = f"Size of the pool by depth: pairs judged, not yet judged, and new; depth {depth:,} is marked"
    return chart_of("pool-by-depth", title, drawing, rows, wide=True)


def _parts(size: PoolSize, **place: str | int) -> list[Row]:
    return [{**place, "part": part, "pairs": pairs} for part, pairs in zip(PARTS, size, strict=True)]


def pool_topics(how: str, sizes: Sequence[tuple[str, PoolSize]]) -> Chart:
    """What each topic has to judge when a pool is made, the largest first; `how` says which: "to depth 20"."""
    ordered = sorted(sizes, key=lambda item: -sum(item[1]))
    rows: list[Row] = [row for topic_id, size in ordered for row in _parts(size, topic=topic_id)]
    there = laid([topic_id for topic_id, _ in ordered], "Topic", HEIGHT)
    drawing = (
        _stacked("topic:N", **there.size)
        .mark_bar()
        .encode(there.topic, there.value("sum(pairs):Q", title="Pairs (documents)", stack="zero"))
    )
    title = f"Documents pooled for each topic with a pool {how}: judged, not yet judged, and new"
    return chart_of("pool-by-topic", title, drawing, rows, wide=True)


def pool_runs(how: str, shares: Sequence[tuple[str, int, int]]) -> Chart:
    """What each run alone brings into a pool, the most first; `how` says which: "to depth 20".

    Of each run its pairs that are pooled already, and the new ones.
    """
    colours = {"already pooled": RELEVANT[2], "new": PARTS["new"]}
    ordered = sorted(shares, key=lambda share: -sum(share[1:]))
    rows: list[Row] = [
        {"run": tag, "part": part, "pairs": pairs}
        for tag, *parts in ordered
        for part, pairs in zip(colours, parts, strict=True)
    ]
    base = _stacked("run:N", colours, width=WIDE, height=max(1, len(ordered)) * RUN_STEP)
    drawing = base.mark_bar().encode(
        alt.X("sum(pairs):Q", title="Pairs that no other run has as far down", stack="zero"),
        alt.Y("run:N", title=None, sort=[tag for tag, *_ in ordered]),
    )
    title = f"Pairs that each run alone brings into the pool {how}"
    return chart_of("pool-by-run", title, drawing, rows, wide=True)


def _stacked(along: str, colours: Mapping[str, str] = PARTS, **size: Any) -> alt.Chart:
    """A chart of the rows, with the colours of their parts, stacked in the order of the legend from the ground up."""
    places = f"indexof({json.dumps(list(colours))}, datum.part)"
    return (
        marks(**size)
        .transform_calculate(place=places)
        .encode(
            coloured("part", colours),
            alt.Order("place:Q"),
            tooltip=[along, "part:N", *tooltips(",", "pairs")],
        )
    )


def judging_days(days: Sequence[tuple[str, str, int]], last: int) -> Chart:
    """Judgments per day as stacked bars, by assessor, for at most the `last` days up to the newest one.

    `days` are day (ISO 8601), assessor and judgments, in any order; days without any may be left out.
    """
    rows = _rows(days, last)
    shown, people = (list(dict.fromkeys(str(row[name]) for row in rows)) for name in ("day", "assessor"))
    colours = {name: INK_2 if name == OTHERS else SERIES[place] for place, name in enumerate(people)}
    base = marks(width=min(max(A_DAY * len(shown), NARROWEST), WIDEST), height=DAYS_HEIGHT)
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
