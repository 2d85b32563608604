"""The plan of a pool as tables."""

from __future__ import annotations

from workbench.campaign.pools.plan import plan_pool, sheets_of
from workbench.core.results import Column, content
from workbench.storage.campaign import Campaign

NEW = Column("New", "new", "count")


def test_a_plan_is_shown_by_depth_topic_and_run_with_the_planned_depth_set_off(small: Campaign) -> None:
    by_depth, by_topic, by_run = sheets_of(plan_pool(small, depth=3))
    pairs = Column("Pairs at depth 3", "pairs", "count")
    assert by_depth.columns == (
        Column("Depth", "depth", "count"),
        Column("Pairs", "pairs", "count"),
        NEW,
        Column("To judge", "to_judge", "count"),
    )
    assert by_depth.rows == ((1, 5, 0, 7), (3, 8, 1, 8))
    assert by_depth.best == {(1, column) for column in range(4)}
    assert by_topic[:2] == (
        (Column("Topic", "topic", "text"), pairs, NEW),
        (("1", 4, 1), ("2", 3, 0), ("10", 1, 0)),
    )
    alone = Column("From this run only", "alone", "count")
    assert by_run[:2] == ((Column("Run", "run", "text"), pairs, alone), (("alpha", 5, 2), ("beta", 6, 3)))


def test_programs_get_all_of_a_plan(small: Campaign) -> None:
    topics = [("1", 4, 1, 3, 0, 4, 3), ("2", 3, 0, 3, 0, 3, 3), ("10", 1, 0, 1, 0, 1, 1)]
    of_topic = ("topic", "pairs", "new", "before", "judged", "to_judge", "waiting")
    assert content(plan_pool(small, depth=3)) == {
        "strategy": "depth",
        "depth": 3,
        "runs": ["alpha", "beta"],
        "pairs": 8,
        "new": 1,
        "pooled_already": 7,
        "judged": 0,
        "to_judge": 8,
        "before": 7,
        "waiting": 7,
        "refused": "",
        "others": [],
        "by_depth": [
            {"depth": 1, "pairs": 5, "new": 0, "judged": 0, "to_judge": 7},
            {"depth": 3, "pairs": 8, "new": 1, "judged": 0, "to_judge": 8},
        ],
        "by_topic": [dict(zip(of_topic, row, strict=True)) for row in topics],
        "by_run": [
            {"run": "alpha", "team": "", "pairs": 5, "alone": 2, "new": 1},
            {"run": "beta", "team": "", "pairs": 6, "alone": 3, "new": 0},
        ],
    }
