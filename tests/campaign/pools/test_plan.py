"""What a pool would hold is counted before it is made; the numbers are those of the small campaign, by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.judged_pairs import judge_as
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.material import Planner, planner_of
from workbench.campaign.pools.plan import DepthPlan, plan_pool
from workbench.campaign.pools.refusals import Growth
from workbench.methods.pooling import needs
from workbench.storage.campaign import Campaign


def test_what_only_a_withdrawn_run_had_stays_pooled_and_is_still_to_be_judged(small: Campaign) -> None:
    withdraw_runs(small.by("Olga"), ["beta"])
    plan = plan_pool(small, depth=2)
    assert plan.at_depth == DepthPlan(2, 4, 0, 0, 7)
    assert [row.before for row in plan.by_topic] == [3, 3, 1]
    assert [row.pairs for row in plan.by_topic] == [2, 2, 0]


def test_what_was_kept_equals_what_is_read_again(small: Campaign) -> None:
    def judged_so_far() -> int:
        kept, anew = (
            planner.material(small, "descending", RANKS_ALONE, everyone)
            for planner in (planner_of(small), fresh())
        )
        for name in ("head", "starts", "pooled", "judged", "before", "done"):
            assert np.array_equal(getattr(kept, name), getattr(anew, name)), name
        assert [part.tolist() for part in kept.reach] == [part.tolist() for part in anew.reach]
        return int(kept.done.sum())

    def fresh() -> Planner:
        planner = Planner()
        planner.rankings(small, "descending", RANKS_ALONE)
        return planner

    everyone = [0, 1]
    assert plan_pool(small, depth=2).at_depth.judged == 0
    judge_as(small, "Ann", "1", "d1", 2)
    assert judged_so_far() == 1
    judge_as(small, "Ben", "1", "d1", 0)
    judge_as(small, "Ann", "1", "d1", None, kind="cleared")
    assert judged_so_far() == 1
    judge_as(small, "Ben", "1", "d1", None, kind="cleared")
    judge_as(small, "Ben", "2", "d5", None)
    assert judged_so_far() == 1
    add_pool(small.by("Olga"), depth=3)
    judge_as(small, "Ben", "1", "d3", 0)
    assert plan_pool(small, depth=3).at_depth == DepthPlan(3, 8, 0, 2, 6)
    assert judged_so_far() == 2


RANKS_ALONE = needs("depth", "descending", {"depth": 1})


@pytest.mark.slow
@pytest.mark.data
def test_the_sizes_of_the_pools_of_robust03_are_known(data_folder: Path, tmp_path: Path) -> None:
    from workbench.campaign.new_campaign import new_campaign

    files = sorted(str(path) for path in (data_folder / "robust03" / "runs").iterdir())
    with new_campaign(tmp_path / "robust.db", title="Robust 2003", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), files)
        plan = plan_pool(campaign, depth=100)
    assert [plan.at(depth).pairs for depth in (1, 5, 10, 20, 50, 100)] == [
        *(843, 3_270, 6_107, 11_235, 25_951, 49_528)
    ]
    assert len(plan.by_topic) == 100
    alone = sum(run.alone for run in plan.by_run)
    assert round(alone / plan.total, 2) == 0.51


@pytest.mark.parametrize(
    ("before", "new", "is_asked"),
    [(1_000, 2_000, True), (1_000, 1_999, False), (100, 500, True), (100, 499, False), (0, 10_000, False)],
)
def test_pools_that_become_three_times_as_large_by_500_pairs_or_more_need_a_yes(
    before: int, new: int, is_asked: bool
) -> None:
    assert Growth(before, new).is_much_larger == is_asked
