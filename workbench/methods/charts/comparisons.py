"""Charts that set runs, or leaderboards, side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from workbench.core.wording import counted
from workbench.methods.charts.chart import (
    Chart,
    Row,
    alt,
    chart_of,
    coloured,
    laid,
    marks,
    places_across,
    tooltips,
)
from workbench.methods.charts.style import ACCENT, INK, INK_2, LINE, RELEVANT, SERIES, UNJUDGED, WIDE

AHEAD, BEHIND = SERIES[0], SERIES[1]
FEW_RUNS = 60
"""Lines of two leaderboards stand closer for more runs than these."""
MOST_LETTERS = 4

STRONG, CLEAR, NONE = "p up to 0.01", "p up to 0.05", "p above 0.05"
PAIR_COLOURS = {STRONG: RELEVANT[3], CLEAR: RELEVANT[0], NONE: LINE}
MOVES = {"higher": SERIES[0], "lower": SERIES[1], "at the same place": INK_2}
SLOPE_COLUMNS = ("run", "one", "one_place", "two", "two_place", "moves")
ROOM = ((20, 28, 12), (40, 20, 12), (80, 14, 11), (150, 11, 10), (10**9, 8, 7))
"""Up to this many runs: pixels for each in the matrix of pairs, and the size of letters."""


class Slope(NamedTuple):
    """A run on two boards: its values, and its places, which count from 1 and are all different."""

    run: str
    one: float
    two: float
    one_place: int
    two_place: int


def leaderboard(measure: str, placed: Sequence[Row]) -> Chart:
    """Runs in this order: the score as a dot, its interval as a line, and the unjudged share as a bar beside it.

    Each has its `run`, `score`, `low` and `high` (None without an interval), and `unjudged`.
    """
    rows: list[Row] = [{"place": place, **run} for place, run in enumerate(placed, start=1)]
    step = 20 if len(rows) <= FEW_RUNS else 14
    with_intervals = any(run["low"] is not None for run in placed)
    title = f"{measure}, and 95 % interval" if with_intervals else measure
    numbers = [*tooltips(".4f", "score", "low", "high"), *tooltips(".0%", "unjudged")]
    tooltip = ["place:Q", "run:N", *numbers]
    order, dots = _dots(placed, "score", title, tooltip, step, with_intervals=with_intervals)
    share = alt.X(
        "unjudged:Q", title="Unjudged", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=2)
    )
    bars = (
        marks(width=120, height=alt.Step(step))
        .mark_bar(color=UNJUDGED)
        .encode(alt.Y("run:N", sort=order, axis=None), share, tooltip=tooltip)
    )
    words = f"The runs by {measure}, the best first, with 95 % intervals over topics"
    words += ", and the unjudged share of the first ten ranks"
    return chart_of("leaderboard", words, alt.hconcat(dots, bars, spacing=16), rows)


def strengths(placed: Sequence[Row]) -> Chart:
    """Runs in this order: the strength in battles as a dot, and its interval as a line.

    Each has its `run`, `strength`, `low` and `high` (None without an interval), and `battles`.
    """
    tooltip = ["run:N", *tooltips("+.4f", "strength", "low", "high"), "battles:Q"]
    _, dots = _dots(placed, "strength", "Strength in log-odds, and interval over topics", tooltip)
    words = "The runs by their strength in battles, the strongest first, with intervals over topics"
    return chart_of("battles", words, dots, placed)


def _dots(
    placed: Sequence[Row],
    value: str,
    title: str,
    tooltip: Sequence[Any],
    step: int = 20,
    *,
    with_intervals: bool = True,
) -> tuple[list[str], Any]:
    """The order of the runs, and a value of each as a dot, with a line from `low` to `high`."""
    order = [str(run["run"]) for run in placed]
    runs = alt.Y("run:N", sort=order, title=None, axis=alt.Axis(labelLimit=320, ticks=False))
    base = marks(width=560, height=alt.Step(step)).encode(runs, tooltip=list(tooltip))
    low, at = (alt.X(f"{name}:Q", title=title, scale=alt.Scale(zero=False)) for name in ("low", value))
    dots = base.mark_point(color=ACCENT, filled=True, size=60, opacity=1).encode(at)
    if with_intervals:
        dots = base.mark_rule(color=INK_2, strokeWidth=1.5).encode(low, alt.X2("high:Q")) + dots
    return order, dots


def topic_differences(
    run: str,
    baseline: str,
    measure: str,
    values: Mapping[str, tuple[float, float]],
    *,
    lowest_is_best: bool = False,
) -> Chart:
    """How far a run is ahead of the baseline on every topic, the topic with the largest lead first.

    `values` are those of the run and of the baseline by topic.
    """
    better = -1 if lowest_is_best else 1
    ordered = sorted(values, key=lambda topic: (better * (values[topic][1] - values[topic][0]), topic))
    # Two runs never have the same tag, but one may be called "topic" or "difference".
    rows: list[Row] = [
        {
            "topic": topic,
            "run": run,
            "value": value,
            "baseline": baseline,
            "baseline_value": other,
            "difference": value - other,
        }
        for topic in ordered
        for value, other in [values[topic]]
    ]
    there = laid(ordered, f"{counted(len(rows), 'topic')}, by difference")
    bars = (
        marks(**there.size)
        .mark_bar()
        .encode(
            there.topic,
            there.value("difference:Q", title=f"Difference in {measure}"),
            color=alt.condition(f"{better} * datum.difference > 0", alt.value(AHEAD), alt.value(BEHIND)),
            tooltip=["topic:N", "value:Q", "baseline_value:Q", "difference:Q"],
        )
    )
    words = f"{measure} of {run} minus that of {baseline} on every topic, the largest lead first"
    return chart_of(f"{run}-{baseline}-topics", words, bars, rows, wide=True)


def precision_recall(levels: Sequence[float], curves: Mapping[str, Sequence[float]]) -> Chart:
    """Interpolated precision at these levels of recall, averaged over topics: one line for each run."""
    rows: list[Row] = [
        {"run": run, "recall": recall, "precision": precision}
        for run, curve in curves.items()
        for recall, precision in zip(levels, curve, strict=True)
    ]
    runs = list(curves)
    base = marks(width=WIDE, height=360).encode(
        alt.X("recall:Q", title="Recall", scale=alt.Scale(domain=[0, 1])),
        alt.Y(
            "precision:Q", title="Interpolated precision, mean over topics", scale=alt.Scale(domain=[0, 1])
        ),
    )
    tooltip = ["run:N", "recall:Q", *tooltips(".4f", "precision")]
    drawing = _series(base, "run", runs, 64, tooltip, title="Run", legend=alt.Legend(columns=2))
    words = f"Interpolated precision at eleven levels of recall: {', '.join(runs)}"
    return chart_of("precision-recall", words, alt.layer(*drawing), rows, wide=True)


def pairs_matrix(
    measure: str,
    means: Mapping[str, float],
    p_values: Sequence[Sequence[float]],
    *,
    letters: Sequence[str],
    test: str,
) -> Chart:
    """Every pair of runs: whether the one in the column is ahead of the one in the row, beyond chance.

    `means` are by run, from the top of the board down, `letters` the groups; `test` is what the p-values are of.
    """
    tags = list(means)
    rows: list[Row] = [
        {
            "ahead": tags[i],
            "ahead_place": i + 1,
            "behind": tags[j],
            "behind_place": j + 1,
            "difference": means[tags[i]] - means[tags[j]],
            "p_value": p_values[i][j],
            "shown": STRONG if p_values[i][j] <= 0.01 else CLEAR if p_values[i][j] <= 0.05 else NONE,
        }
        for i, j in combinations(range(len(tags)), 2)
    ]
    step, size = next((step, size) for most, step, size in ROOM if len(tags) <= most)
    base = marks(width=alt.Step(step), height=alt.Step(step))
    cells = base.mark_rect(stroke=None).encode(
        *_pair_axes(measure, tags, letters, step, size),
        coloured("shown", PAIR_COLOURS, title=f"Ahead, by {test}", legend=alt.Legend(titleLimit=480)),
        tooltip=[
            "ahead:N",
            "behind:N",
            *tooltips(".4f", "difference"),
            alt.Tooltip("p_value:Q", format=".4f", title="p"),
        ],
    )
    words = f"All pairs of {len(tags)} runs by {measure}: which differ beyond chance by {test}; letters are groups"
    return chart_of("pairs", words, cells, rows)


def letters_shown(letters: str) -> str:
    """The groups of a run apart from each other; of more than four the ends."""
    names = re.findall("[A-Za-z][0-9]*", letters)
    return " ".join(names) if len(names) <= MOST_LETTERS else f"{names[0]} … {names[-1]}"


def board_slopes(one: str, two: str, slopes: Sequence[Slope]) -> Chart:
    """The places of the runs on two boards, joined by a line for each run."""
    rows: list[Row] = [_slope_row(slope) for slope in slopes]
    height = (20 if len(rows) <= FEW_RUNS else 14) * max(len(rows), 2)
    base = marks(width=280, height=height).encode(
        tooltip=[f"{name}:{'N' if name in ('run', 'moves') else 'Q'}" for name in SLOPE_COLUMNS]
    )
    scale = alt.Scale(domain=[0.5, len(rows) + 0.5], reverse=True, nice=False, zero=False)
    left, right = (alt.Y(f"{side}_place:Q", scale=scale, axis=None) for side in ("one", "two"))
    lines = base.mark_rule(strokeWidth=1.5).encode(
        alt.XDatum(0, scale=alt.Scale(domain=[0, 1]), axis=_sides(one, two), title=None),
        left,
        alt.X2Datum(1),
        alt.Y2("two_place"),
        color=coloured("moves", MOVES, title="In the second"),
    )
    letters: dict[str, Any] = {"baseline": "middle", "limit": 320, "fontSize": 12, "color": INK}
    names = [
        base.transform_calculate(words=words).mark_text(**look).encode(alt.XDatum(x), y, text="words:N")
        for x, y, words, look in (
            (0, left, "datum.run + '   ' + format(datum.one, '.4f')", letters | {"align": "right", "dx": -8}),
            (1, right, "format(datum.two, '.4f') + '   ' + datum.run", letters | {"align": "left", "dx": 8}),
        )
    ]
    words = f"The runs in their order by {one} and by {two}"
    return chart_of("leaderboards", words, alt.layer(lines, *names), rows)


def topics_needed(measure: str, topics: int, rows: Sequence[Row]) -> Chart:
    """How many `topics` show a `difference` of some size with some `power`; so many there are now."""
    height = alt.Scale(type="log")
    base = marks(width=WIDE, height=320).encode(
        alt.X("difference:Q", title=f"Difference in {measure}", scale=alt.Scale(zero=False)),
        alt.Y("topics:Q", title="Topics needed", scale=height),
    )
    powers = list(dict.fromkeys(str(row["power"]) for row in rows))
    drawing = _series(base, "power", powers, 48, ["difference:Q", "topics:Q", "power:N"], title="Power")
    mark = alt.Chart(alt.InlineData(values=[{"now": topics}])).encode(alt.Y("now:Q", scale=height))
    now = mark.mark_rule(color=INK_2, strokeDash=[4, 4])
    name = mark.mark_text(align="right", dy=-8, color=INK).encode(
        x=alt.value("width"), text=alt.value(f"{topics} topics now")
    )
    words = f"Number of topics needed to detect a difference in {measure} of this size, by power"
    return chart_of("topics-needed", words, alt.layer(*drawing, now, name), rows, wide=True)


def _series(
    base: alt.Chart, column: str, domain: Sequence[str], size: int, tooltip: Sequence[Any], **legend: Any
) -> tuple[alt.Chart, alt.Chart]:
    """A line with points for each value of a column."""
    # Where the domains are written out, the legends of colour and shape become one.
    series: dict[str, Any] = {"scale": alt.Scale(domain=domain), **legend}
    points = base.mark_point(filled=True, opacity=1, size=size).encode(
        alt.Color(f"{column}:N", **series), alt.Shape(f"{column}:N", **series), tooltip=tooltip
    )
    return base.mark_line().encode(alt.Stroke(f"{column}:N", **series)), points


def _pair_axes(
    measure: str, tags: Sequence[str], letters: Sequence[str], step: int, size: int
) -> tuple[alt.X, alt.Y]:
    """The place of the run that is ahead across, every run with its groups down; letters of this size."""
    labels = [
        f"{place}  {tag} · {letters_shown(groups)}"
        for place, (tag, groups) in enumerate(zip(tags, letters, strict=True), start=1)
    ]
    names = f"{json.dumps(labels)}[datum.value - 1]"
    places = alt.Scale(domain=list(range(1, len(tags) + 1)))
    down = alt.Axis(labelExpr=names, labelFontSize=size, labelLimit=320, labelOverlap=False, ticks=False)
    title = f"Place of the run that is ahead in {measure}"
    return (
        alt.X(
            "ahead_place:O",
            title=title,
            scale=places,
            axis=places_across(len(tags), step, labelFontSize=size),
        ),
        alt.Y("behind_place:O", title=None, scale=places, axis=down),
    )


def _sides(one: str, two: str) -> alt.Axis:
    """What the two boards are called, above them."""
    return alt.Axis(
        values=[0, 1],
        labelExpr=f"datum.value == 0 ? {json.dumps(one)} : {json.dumps(two)}",
        orient="top",
        labelFontSize=13,
        labelLimit=320,
        grid=False,
        ticks=False,
        domain=False,
    )


def _slope_row(slope: Slope) -> Row:
    moved = slope.one_place - slope.two_place
    moves = tuple(MOVES)[0 if moved > 0 else 1 if moved < 0 else 2]
    return {name: getattr(slope, name, moves) for name in SLOPE_COLUMNS}
