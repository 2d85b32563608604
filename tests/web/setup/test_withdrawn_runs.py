"""Each run withdrawn from a judged pool of each strategy: what asks about the pool afterwards still answers.

The last run has documents of its own, as the numbers of such documents come after those of all other runs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import write_run
from tests.fixture_types import SignIn
from tests.labels_of_models import add_labels_of_model
from tests.web.setup.test_every_strategy import CASES, LIKE_OTHERS, strategy_of
from workbench.analysis.run_profiles.contribution import brought
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.analysis.trust.decisions import decide
from workbench.analysis.trust.found import found_of
from workbench.campaign.content_changes import restore_runs, withdraw_runs
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.choosing import choose_next
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.errors import CampaignError, NotThere
from workbench.methods.pooling import STRATEGIES
from workbench.release.audit.checks import audit
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.people import members

GAMMA = {"1": "d9 d1 d8 d7", "2": "d6 d9 d2", "10": "d6 d9"}
PAGES = ("dashboard", "board", "runs", "pool", "stop", "reuse")
# A pool whose parameters name a withdrawn run is refused, which another test holds.
NAMES = [
    name
    for name in CASES
    if strategy_of(name) in STRATEGIES and name not in LIKE_OTHERS and "run_depths" not in CASES[name]
]


@pytest.fixture
def served(instance: Path, small_file: Path, tmp_path: Path) -> Path:
    """The campaign `small` without its pool, with a third run and labels of a model; Anna is its organiser."""
    path = instance / "small.db"
    shutil.copyfile(small_file, path)
    with open_campaign(path) as campaign:
        retire_pool(campaign.by("Olga"), 1)
        add_runs(campaign.by("Olga"), [write_run(tmp_path / "gamma.run", "gamma", GAMMA)])
        (tmp_path / "gpt.qrels").write_text("1 0 d1 1\n1 0 d2 0\n2 0 d2 0\n10 0 d6 1\n", encoding="utf-8")
        add_labels_of_model(campaign, tmp_path / "gpt.qrels", "gpt")
        with campaign.write():
            members.put(campaign.by("Olga"), "Anna", "organiser")
    return path


def judge_all(campaign: Campaign, folder: Path) -> None:
    """Judge all that is pooled, and what adaptive pools choose then: every other document is relevant."""
    for _ in range(20):
        pairs = pools.all_pairs(campaign)
        lines = [
            f"{topic_id} 0 {document_id} {int(document_id[1:]) % 2}\n" for topic_id, document_id in pairs
        ]
        (folder / "all.qrels").write_text("".join(lines))
        add_qrels(campaign.by("Olga"), [str(folder / "all.qrels")])
        if not choose_next(campaign):
            return


def larger(name: str) -> dict[str, object]:
    """The parameters of a case for a pool that goes on."""
    given = CASES[name]
    return given | ({"budget": given["budget"] + 1} if "budget" in given else {})


@pytest.mark.parametrize(
    "name",
    [
        name if name in {"hedge", "uniform", "sequential-pps"} else pytest.param(name, marks=pytest.mark.slow)
        for name in NAMES
    ],
)
def test_whichever_run_is_withdrawn_the_pool_is_scored_audited_and_goes_on(
    served: Path, app: Flask, client_of: SignIn, tmp_path: Path, name: str
) -> None:
    strategy, anna = strategy_of(name), client_of(app, "Anna")
    with open_campaign(served) as campaign:
        add_pool(campaign.by("Olga"), strategy=strategy, **CASES[name])
        judge_all(campaign, tmp_path)
        for out in ("alpha", "beta", "gamma"):
            withdraw_runs(campaign.by("Olga"), [out])
            scored = [row.tag for row in score_campaign(campaign, ["P@2", "AP"]).rows]
            assert sorted([*scored, out]) == ["alpha", "beta", "gamma"]
            assert len(certain_pairs(campaign, "P@2").rows()) == 1
            found = decide(campaign)
            assert (found is not None) == (strategy == "sequential-pps")
            found_of(campaign, alpha=0.05)
            brought(campaign)
            plan = plan_pool(campaign, strategy=strategy, **larger(name))
            made = add_pool(campaign.by("Olga"), strategy=strategy, **larger(name))
            assert STRATEGIES[strategy].kind == "adaptive" or plan.at_depth.new == made.pool.pairs
            judge_all(campaign, tmp_path)
            decide(campaign)
            assert [finding for finding in audit(campaign) if finding.wrong] == []
            for page in PAGES:
                assert anna.get(f"/c/small/{page}").status_code == 200, (out, page)
            restore_runs(campaign.by("Olga"), [out])


def test_a_random_order_goes_on_with_all_its_runs_and_what_only_a_withdrawn_one_has_weighs_nothing(
    served: Path, tmp_path: Path
) -> None:
    order = {"strategy": "sequential-pps", "depth": 4, "measure": "P@4", "seed": 5}
    with open_campaign(served) as campaign:
        add_pool(campaign.by("Olga"), budget=6, **order)
        judge_all(campaign, tmp_path)
        before = decide(campaign)
        withdraw_runs(campaign.by("Olga"), ["gamma"])
        add_pool(campaign.by("Olga"), budget=12, tags=["alpha", "beta"], **order)
        judge_all(campaign, tmp_path)
        add_pool(campaign.by("Olga"), tags=["gamma", "beta", "alpha"], **order)
        judge_all(campaign, tmp_path)
        after = decide(campaign)
        assert before is not None
        assert after is not None
        assert [pool.record.runs for pool in pools.in_force(campaign)] == [("alpha", "beta", "gamma")] * 3
        assert after.order.pairs == before.order.pairs
        assert len(after.order.gain) == len(after.order.pairs)
        ((run_a, run_b, difference, lower, upper, state, *_),) = after.pairs
        means = {row.tag: row.values[0] for row in score_campaign(campaign, ["P@4"]).rows}
        assert state == ("certain" if difference else "tied for certain")
        assert lower == upper == pytest.approx(means[run_a] - means[run_b])


def test_runs_that_are_not_those_of_the_order_do_not_go_on_in_it(served: Path, tmp_path: Path) -> None:
    order = {"strategy": "sequential-pps", "depth": 4, "measure": "P@4", "seed": 5}
    with open_campaign(served) as campaign:
        add_pool(campaign.by("Olga"), budget=6, **order)
        judge_all(campaign, tmp_path)
        withdraw_runs(campaign.by("Olga"), ["gamma"])
        with pytest.raises(NotThere, match="gamma: withdrawn"):
            add_pool(campaign.by("Olga"), tags=["alpha", "gamma"], **order)
        with pytest.raises(CampaignError, match="in another order"):
            add_pool(campaign.by("Olga"), tags=["alpha"], **order)
