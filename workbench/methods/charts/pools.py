"""Charts of pools: their size by depth, by topic, and what each run adds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from workbench.methods.charts.chart import Chart, Row, alt, chart_of, coloured, marks, tooltips, topic_axis
from workbench.methods.charts.style import INK, RELEVANT, UNJUDGED, topic_step

PARTS = {"judged": RELEVANT[2], "not yet judged": UNJUDGED, "new": "#E69F00"}
"""The parts of a pool and their colours, from the ground up."""

WIDTH, HEIGHT = 720, 280
RUN_STEP = 16
"""Pixels for each run."""


class PoolSize(NamedTuple):
    """What there is to judge at one depth or in one topic: pairs judged, not yet judged, and not yet pooled."""

    judged: int
    waiting: int
    new: int

    def rows(self, **place: str | int) -> list[Row]:
        """One row for each part."""
        return [{**place, "part": part, "pairs": pairs} for part, pairs in zip(PARTS, self, strict=True)]


class RunShare(NamedTuple):
    """What one run alone brings into a pool: pairs pooled already, and new ones."""

    tag: str
    pooled: int
    new: int


def pool_sizes(depth: int, total: int, sizes: Sequence[PoolSize]) -> Chart:
    """The size of a pool at every depth from 1, of which `sizes` has one each; `depth` and its `total` are marked."""
    rows: list[Row] = [row for place, size in enumerate(sizes, 1) for row in size.rows(depth=place)]
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
    drawing = alt.layer(areas, rule, text).properties(width=WIDTH, height=HEIGHT)
    title = f"Size of the pool by depth: pairs judged, not yet judged, and new; depth {depth:,} is marked"
    return chart_of("pool-by-depth", title, drawing, rows)


def pool_topics(how: str, sizes: Sequence[tuple[str, PoolSize]]) -> Chart:
    """What each topic has to judge when a pool is made, the largest first; `how` says which: "to depth 20"."""
    ordered = sorted(sizes, key=lambda item: -sum(item[1]))
    rows: list[Row] = [row for topic_id, size in ordered for row in size.rows(topic=topic_id)]
    base = _stacked("topic:N", width=alt.Step(topic_step(len(sizes))), height=HEIGHT)
    drawing = base.mark_bar().encode(
        alt.X("topic:N", title="Topic", sort=[topic_id for topic_id, _ in ordered], axis=topic_axis()),
        alt.Y("sum(pairs):Q", title="Pairs (documents)", stack="zero"),
    )
    title = f"Documents pooled for each topic with a pool {how}: judged, not yet judged, and new"
    return chart_of("pool-by-topic", title, drawing, rows)


def pool_runs(how: str, shares: Sequence[RunShare]) -> Chart:
    """What each run alone brings into a pool, the most first; `how` says which: "to depth 20"."""
    colours = {"already pooled": RELEVANT[2], "new": PARTS["new"]}
    ordered = sorted(shares, key=lambda share: -(share.pooled + share.new))
    rows: list[Row] = [
        {"run": share.tag, "part": part, "pairs": pairs}
        for share in ordered
        for part, pairs in zip(colours, share[1:], strict=True)
    ]
    base = _stacked("run:N", colours, width=WIDTH, height=alt.Step(RUN_STEP))
    drawing = base.mark_bar().encode(
        alt.X("sum(pairs):Q", title="Pairs that no other run has as far down", stack="zero"),
        alt.Y("run:N", title=None, sort=[share.tag for share in ordered]),
    )
    title = f"Pairs that each run alone brings into the pool {how}"
    return chart_of("pool-by-run", title, drawing, rows)


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
