"""The plan of a pool as tables."""

from __future__ import annotations

from workbench.setup.pools import plan_pool
from workbench.setup.pools.plan_sheets import sheets_of
from workbench.storage.campaign import Campaign


def test_the_row_of_the_depth_that_is_planned_is_set_off(small: Campaign) -> None:
    by_depth, by_topic, by_run = sheets_of(plan_pool(small, depth=3))
    assert [row[0] for row in by_depth.rows] == [1, 3]
    assert by_depth.best == {(1, column) for column in range(4)}
    assert (by_topic.best, by_run.best) == (set(), set())
