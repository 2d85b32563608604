"""Charts of scores over what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any, NamedTuple

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, marks, tooltips
from workbench.methods.charts.style import ACCENT, INK_2, UNJUDGED, WIDE

HEIGHT = 420
DECADES = 100
"""Costs that differ by more than this factor are on a scale of logarithms."""
LETTER, LINE_HEIGHT = 7, 15
"""About how many pixels a letter of a name takes, and a line."""
ROOM = 90
"""Pixels beside the outermost runs, for their names."""


class Placed(NamedTuple):
    """A run: its score with its interval (None without one), what it costs, and whether it is on the front."""

    run: str
    score: float
    low: float | None
    high: float | None
    cost: float
    front: bool


def score_over_cost(
    measure: str,
    cost: str,
    placed: Sequence[Placed],
    *,
    more_is_better: bool = False,
    best_is_low: bool = False,
) -> Chart:
    """Each run as a dot over what it costs, with its interval, and the front as steps with the names of its runs.

    `more_is_better` of what it costs; with `best_is_low` the best score is the lowest.
    """
    costs = [each.cost for each in placed]
    is_log = min(costs) > 0 and max(costs) / min(costs) > DECADES
    named = _named(placed, is_log=is_log, best_is_low=best_is_low)
    rows: list[Row] = [{**each._asdict(), "name": each.run if each.run in named else None} for each in placed]
    title = f"{cost}{', logarithmic' if is_log else ''}"
    scale = alt.Scale(type="log" if is_log else "linear", zero=False, nice=False, padding=ROOM)
    # The room for names reaches below 0, where no cost is.
    axis = alt.Axis(tickCount=6, format="~g", labelExpr="datum.value < 0 ? '' : datum.label")
    x = alt.X("cost:Q", title=title, scale=scale, axis=axis)
    y = alt.Y("score:Q", title=measure, scale=alt.Scale(zero=False, padding=LINE_HEIGHT))
    tooltip: list[Any] = ["run:N", *tooltips(".4f", "score", "low", "high"), *tooltips(",.4~g", "cost")]
    base = marks(width=WIDE, height=HEIGHT).encode(x, y, tooltip=[*tooltip, "front:N"])
    intervals = base.transform_filter("datum.low !== null").mark_rule(color=UNJUDGED, strokeWidth=1.5)
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        color=alt.condition("datum.front", alt.value(ACCENT), alt.value(INK_2))
    )
    on_front = base.transform_filter("datum.front")
    bend: Any = "step-before" if more_is_better else "step-after"
    steps = on_front.mark_line(color=ACCENT, strokeWidth=1.5, interpolate=bend)
    side: Any = {"align": "left", "dx": 7} if more_is_better else {"align": "right", "dx": -7}
    names = on_front.transform_filter("datum.name !== null").mark_text(dy=10 if best_is_low else -8, **side)
    names = names.encode(text="name:N")
    reach = intervals.encode(alt.Y("low:Q", title=measure), alt.Y2("high:Q"))
    words = (
        f"{measure} of each run over {cost}, with 95 % intervals over topics, and the observed Pareto front"
    )
    return chart_of("costs", words, alt.layer(reach, steps, dots, names), rows, wide=True)


def _named(placed: Sequence[Placed], *, is_log: bool, best_is_low: bool) -> set[str]:
    """The runs of the front whose names do not cover each other, the best first.

    No dot is better and beside a run of the front on the side of its name, but the names of others may be.
    """
    across = [log10(each.cost) if is_log else each.cost for each in placed]
    ends = [value for each in placed for value in (each.low, each.high, each.score) if value is not None]
    wide, high = max(across) - min(across) or 1.0, max(ends) - min(ends) or 1.0
    taken: list[tuple[float, float, float]] = []
    found = set()
    best_first = sorted(
        zip(placed, across, strict=True), key=lambda one: one[0].score, reverse=not best_is_low
    )
    for each, place in best_first:
        end = (place - min(across)) / wide * (WIDE - 2 * ROOM)
        top = (max(ends) - each.score) / high * (HEIGHT - 2 * LINE_HEIGHT)
        start = end - LETTER * len(each.run)
        is_free = all(abs(top - y) >= LINE_HEIGHT or start > right or end < left for left, right, y in taken)
        if each.front and is_free:
            taken.append((start, end, top))
            found.add(each.run)
    return found
