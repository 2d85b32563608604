"""What no pool can be made of is refused with the way out, planned or made, and nothing is done."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.sentences import refused
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import CHANGED, make_pool_of
from workbench.core.errors import CampaignError, NotThere, WorkbenchError
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log

BAD: dict[str, tuple[str, dict[str, Any]]] = {
    "a budget below zero": ("rrf", {"depth": 3, "budget": -1}),
    "a budget above the pool": ("rrf", {"depth": 2, "budget": 8}),
    "a budget above the pool of a depth": ("depth", {"depth": 2, "budget": 8}),
    "a budget above what is sampled": ("uniform", {"depth": 2, "budget": 8}),
    "strata that overlap": ("strata", {"strata": "1-2:100%,2-3:50%"}),
    "strata with a gap": ("strata", {"strata": "1:100%,3:50%"}),
    "a rate of 0": ("strata", {"strata": "1:100%,2-3:0%"}),
    "no run of that name": ("depth", {"depth": 2, "run_depths": ["gamma:1"]}),
    "no topic of that name": ("list", {"pairs": ["99 d1"]}),
}


@pytest.fixture
def scoreless(small: Campaign, tmp_path: Path) -> Campaign:
    """The campaign `small` with a run whose scores are all 0, and one with a single document and score."""
    (tmp_path / "flat.run").write_text("1 Q0 d1 1 0 flat\n1 Q0 d2 2 0 flat\n2 Q0 d1 1 0 flat\n")
    (tmp_path / "short.run").write_text("1 Q0 d1 1 0 short\n")
    add_runs(small.by("Olga"), [str(tmp_path / "flat.run"), str(tmp_path / "short.run")])
    return small


@pytest.mark.parametrize("case", BAD)
def test_it_is_refused_when_planned_and_when_made(small: Campaign, case: str) -> None:
    strategy, parameters = BAD[case]
    before = log.head(small)
    with refused(WorkbenchError) as planned:
        plan_pool(small, strategy=strategy, **parameters)
    with pytest.raises(type(planned.value), match=re.escape(str(planned.value))):
        add_pool(small.by("Olga"), strategy=strategy, **parameters)
    assert log.head(small) == before


@pytest.mark.parametrize("strategy", ["combsum", "combmnz"])
def test_scores_that_are_all_equal_are_not_added_up(scoreless: Campaign, strategy: str) -> None:
    before = log.head(scoreless)
    with refused(CampaignError, strategy, "flat"):
        plan_pool(scoreless, strategy=strategy, depth=2)
    with refused(CampaignError, strategy, "flat"):
        add_pool(scoreless.by("Olga"), strategy=strategy, depth=2)
    assert log.head(scoreless) == before
    # A single document has no other score to differ from, and ranks need no scores.
    tags = ["alpha", "beta", "short"]
    assert plan_pool(scoreless, strategy=strategy, depth=2, tags=tags).total == 7
    assert add_pool(scoreless.by("Olga"), strategy=strategy, depth=2, tags=tags).pairs == 7
    assert plan_pool(scoreless, strategy="rrf", depth=2).total == 7


@pytest.fixture
def nothing_said() -> OnStep:
    return lambda *_: None


def test_a_run_withdrawn_after_the_plan_makes_no_pool(small: Campaign, nothing_said: OnStep) -> None:
    planned = {"strategy": "rrf", "ties": "descending", "tags": None, "depth": 3, "budget": 8}
    expected = plan_pool(small, **planned).at_depth.new
    withdraw_runs(small.by("Olga"), ["alpha"], reason="a bug")
    before = log.head(small)
    with refused(WorkbenchError):
        make_pool_of(small.by("Olga"), planned, {}, expected, on_step=nothing_said)
    with pytest.raises(CampaignError, match=CHANGED):
        make_pool_of(small.by("Olga"), planned | {"budget": 6}, {}, expected, on_step=nothing_said)
    with refused(NotThere):
        make_pool_of(small.by("Olga"), planned | {"tags": ["alpha"]}, {}, 0, on_step=nothing_said)
    assert log.head(small) == before


def test_a_pool_that_is_made_says_so_before_anything_else(small: Campaign) -> None:
    steps: list[tuple[object, ...]] = []
    planned = {"strategy": "depth", "ties": "descending", "tags": None, "depth": 3}
    expected = plan_pool(small, **planned).at_depth.new
    make_pool_of(small.by("Olga"), planned, {}, expected, on_step=lambda *step: steps.append(step))
    assert steps[0] == (0, None, "Pooling")


def test_a_campaign_whose_runs_do_not_take_part_says_how_they_can(small: Campaign, tmp_path: Path) -> None:
    withdraw_runs(small.by("Olga"), ["alpha", "beta"], reason="a bug")
    with refused(CampaignError):
        plan_pool(small, depth=1)
    (tmp_path / "extra.run").write_text("1 Q0 d1 1 2 extra\n")
    add_runs(small.by("Olga"), [str(tmp_path / "extra.run")], contributes=False)
    with refused(CampaignError):
        plan_pool(small, depth=1)
    assert plan_pool(small, depth=1, tags=["extra"]).total == 1
    assert [run.record.tag for run in runs.in_force(small)] == ["extra"]
