"""What a pool would hold is counted before it is made; the numbers are those of the small campaign, by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.conftest import write_run
from tests.judged_pairs import judge_as
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.material import Planner, planner_of
from workbench.campaign.pools.plan import DepthPlan, OtherRun, RunPlan, TopicPlan, plan_pool, shown_depths
from workbench.methods.pooling import needs
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_the_plan_has_the_size_at_every_depth_and_changes_nothing(small: Campaign) -> None:
    before = log.head(small)
    plan = plan_pool(small, depth=3)
    assert plan.pairs.tolist() == [0, 5, 7, 8]
    assert plan.new.tolist() == [0, 0, 0, 1]
    assert plan.to_judge.tolist() == [7, 7, 7, 8]
    assert (plan.total, plan.pooled_already, plan.deepest, plan.before, plan.waiting) == (8, 7, 3, 7, 7)
    assert log.head(small) == before


def test_the_plan_has_the_size_of_every_topic(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d4", 1)
    plan = plan_pool(small, depth=1)
    assert plan.by_topic == (
        TopicPlan("1", pairs=2, new=0, before=3, judged=1, to_judge=2, waiting=2),
        TopicPlan("2", pairs=2, new=0, before=3, judged=0, to_judge=3, waiting=3),
        TopicPlan("10", pairs=1, new=0, before=1, judged=0, to_judge=1, waiting=1),
    )
    assert plan_pool(small, depth=3).by_topic[0] == TopicPlan("1", 4, 1, 3, 1, 3, 2)


def test_the_plan_says_what_each_run_brings_and_what_it_alone_brings(small: Campaign) -> None:
    assert plan_pool(small, depth=3).by_run == (
        RunPlan("alpha", "", brings=5, alone=2, new=1),
        RunPlan("beta", "", brings=6, alone=3, new=0),
    )


def test_a_run_that_is_not_drawn_on_has_its_price(small: Campaign, tmp_path: Path) -> None:
    add_runs(
        small.by("Olga"),
        [write_run(tmp_path / "c.run", "gamma", {"1": "d9 d1 d8", "10": "d6"})],
        contributes=False,
    )
    assert plan_pool(small, depth=2).others == (OtherRun("gamma", "", 1),)
    assert plan_pool(small, depth=3).others == (OtherRun("gamma", "", 2),)
    assert plan_pool(small, depth=2, tags=["gamma", "beta"]).others == (OtherRun("alpha", "", 1),)


def test_judgments_are_counted_once_by_any_assessor_and_only_while_they_stand(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    judge_as(small, "Ben", "1", "d1", 0)
    judge_as(small, "Ann", "1", "d2", None)
    assert plan_pool(small, depth=3).at_depth == DepthPlan(3, 8, 1, judged=2, to_judge=6)
    judge_as(small, "Ann", "1", "d2", None, kind="cleared")
    plan = plan_pool(small, depth=3)
    assert (plan.waiting, plan.at_depth) == (6, DepthPlan(3, 8, 1, judged=1, to_judge=7))
    assert plan.judged.tolist() == [0, 1, 1, 1]


def test_another_depth_over_the_same_runs_can_be_asked_for(small: Campaign) -> None:
    plan = plan_pool(small, depth=1)
    assert plan.at(2) == DepthPlan(2, 7, 0, 0, 7)
    assert plan.at(50) == DepthPlan(50, 8, 1, 0, 8)
    assert shown_depths(plan) == [1, 3]
    assert shown_depths(plan_pool(small, depth=20)) == [1, 3, 20]


def test_the_plan_follows_runs_and_pools(small: Campaign, tmp_path: Path) -> None:
    assert plan_pool(small, depth=2).total == 7
    add_runs(small.by("Olga"), [write_run(tmp_path / "c.run", "gamma", {"1": "d9 d1"})])
    assert plan_pool(small, depth=2).at_depth == DepthPlan(2, 8, 1, 0, 8)
    add_pool(small.by("Olga"), depth=2)
    assert plan_pool(small, depth=2).at_depth == DepthPlan(2, 8, 0, 0, 8)


def test_what_only_a_withdrawn_run_had_stays_pooled_and_is_still_to_be_judged(small: Campaign) -> None:
    withdraw_runs(small.by("Olga"), ["beta"])
    plan = plan_pool(small, depth=2)
    assert plan.at_depth == DepthPlan(2, 4, 0, 0, 7)
    assert [row.before for row in plan.by_topic] == [3, 3, 1]
    assert [row.pairs for row in plan.by_topic] == [2, 2, 0]


def test_equal_scores_are_taken_in_the_order_asked_for(tmp_path: Path, small: Campaign) -> None:
    lines = "1 Q0 d7 1 9 tied\n1 Q0 d1 2 9 tied\n"
    (tmp_path / "tied.run").write_text(lines, encoding="utf-8")
    add_runs(small.by("Olga"), [str(tmp_path / "tied.run")], contributes=False)
    assert plan_pool(small, depth=1, tags=["tied"]).at_depth.new == 1
    assert plan_pool(small, depth=1, tags=["tied"], ties="ascending").at_depth.new == 0
    assert plan_pool(small, depth=1, tags=["tied"]).at_depth.new == 1


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


def test_a_plan_in_use_stays_as_it_was(small: Campaign) -> None:
    plan_pool(small, depth=3)
    before = planner_of(small).material(small, "descending", RANKS_ALONE, [0, 1])
    judge_as(small, "Ann", "1", "d1", 2)
    assert plan_pool(small, depth=3).at_depth.judged == 1
    assert (int(before.judged.sum()), int(before.done.sum())) == (0, 0)


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


def test_what_was_judged_before_it_is_pooled_need_not_be_judged_again(
    small: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 d3 1\n", encoding="utf-8")
    add_qrels(small.by("Olga"), [str(tmp_path / "qrels.txt")])
    plan = plan_pool(small, depth=3)
    assert (plan.new.tolist(), plan.to_judge.tolist()) == ([0, 0, 0, 1], [7, 7, 7, 7])
