"""The plan of a pool as tables and as JSON."""

from __future__ import annotations

from workbench.campaign.pools.plan import PoolPlan, shown_depths
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet


def sheets_of(plan: PoolPlan) -> list[Sheet]:
    """By depth where the strategy has one, by topic, and by run."""
    return [
        *([] if plan.depth is None else [_sheet_of_depths(plan)]),
        sheet_of_topics(plan),
        _sheet_of_runs(plan),
    ]


def sheet_of_topics(plan: PoolPlan) -> Sheet:
    """The pairs of each topic."""
    rows = tuple((topic.topic_id, topic.pairs, topic.new) for topic in plan.by_topic)
    return Sheet((Column("Topic", "topic", "text"), _pairs(plan), Column("New", "new", "count")), rows)


def _sheet_of_depths(plan: PoolPlan) -> Sheet:
    shown = list(map(plan.at, shown_depths(plan)))
    columns = (
        Column("Depth", "depth", "count"),
        Column("Pairs", "pairs", "count"),
        Column("New", "new", "count"),
        Column("To judge", "to_judge", "count"),
    )
    rows = tuple((row.depth, row.pairs, row.new, row.to_judge) for row in shown)
    here = {place for place, row in enumerate(shown) if row.depth == plan.depth}
    return Sheet(columns, rows, frozenset((row, column) for row in here for column in range(len(columns))))


def _sheet_of_runs(plan: PoolPlan) -> Sheet:
    columns = (Column("Run", "run", "text"), _pairs(plan), Column("From this run only", "alone", "count"))
    return Sheet(columns, tuple((run.tag, run.brings, run.alone) for run in plan.by_run))


def _pairs(plan: PoolPlan) -> Column:
    return Column("Pairs" if plan.depth is None else f"Pairs at depth {plan.depth}", "pairs", "count")


def content_of(plan: PoolPlan) -> dict[str, object]:
    """All of it for JSON."""
    depths = [] if plan.depth is None else [plan.at(depth) for depth in shown_depths(plan)]
    return {
        "strategy": plan.strategy,
        "depth": plan.depth,
        "runs": list(plan.tags),
        "pairs": plan.total,
        "pooled_already": plan.pooled_already,
        "to_judge": plan.at_depth.to_judge,
        "by_depth": [each._asdict() for each in depths],
        "by_topic": [each._asdict() for each in plan.by_topic],
        "by_run": [each._asdict() for each in plan.by_run],
    }
