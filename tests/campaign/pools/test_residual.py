"""A pool of the residual collection is that of the runs without what was judged before the round."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import write_run
from tests.sentences import refused
from tests.three_rounds import ROUNDS, add_round, judge
from workbench.analysis.run_profiles.contribution import brought
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.choosing import choose_next
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.rounds import cancel_round, open_round, round_counts, seen_by_name
from workbench.core.errors import CampaignError
from workbench.core.records import Topic
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.release.export import export_qrels
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.collection import pools, rounds, topics

STRATEGIES: dict[str, dict[str, Any]] = {
    "depth": {"depth": 2},
    "rrf": {"depth": 3, "budget": 4},
    "combsum": {"depth": 3, "budget": 4},
    "ntcir": {"depth": 2, "percent": 50.0},
    "random": {"depth": 3, "budget": 5, "seed": 7},
}


@pytest.fixture
def second(tmp_path: Path) -> Iterator[Campaign]:
    """The campaign in its second round, before anything of it is pooled or judged; a pool to depth 2 in its first."""
    with create_campaign(tmp_path / "covid.db") as campaign:
        add_round(campaign, ROUNDS["1"], tmp_path)
        add_pool(campaign.by("org"), depth=2)
        judge(campaign, ROUNDS["1"].grades)
        open_round(campaign.by("org"), "2")
        add_round(campaign, ROUNDS["2"], tmp_path)
        yield campaign


def brought_in(campaign: Campaign, pool: int) -> set[tuple[str, str]]:
    return {pair.pooled[:2] for pair in pools.each_pair(campaign) if pair.pool == pool}


def wrong(campaign: Campaign) -> list[object]:
    return [(finding.question, finding.wrong) for finding in audit(campaign) if finding.wrong]


@pytest.mark.parametrize("strategy", list(STRATEGIES))
@pytest.mark.parametrize("ties", ["descending", "ascending"])
def test_it_is_the_pool_of_run_files_with_the_lines_deleted(
    second: Campaign, tmp_path: Path, strategy: str, ties: str
) -> None:
    (tmp_path / "cut").mkdir()
    with create_campaign(tmp_path / "cut" / "cut.db") as cut:
        with cut.write():
            topics.put(cut.by("org"), [Topic(each, "") for each in "123"], files=[])
        files = []
        for tag, rows in ROUNDS["2"].runs.items():
            path = Path(write_run(tmp_path / "cut" / f"{tag}.run", tag, rows))
            lines = path.read_text().splitlines(keepends=True)
            path.write_text(
                "".join(line for line in lines if tuple(line.split()[0:3:2]) not in ROUNDS["1"].grades)
            )
            files.append(str(path))
        add_runs(cut.by("org"), files)
        add_pool(cut.by("org"), strategy=strategy, ties=ties, **STRATEGIES[strategy])
        alone = {pair.pooled for pair in pools.each_pair(cut)}
    plan = plan_pool(second, strategy=strategy, ties=ties, residual=True, **STRATEGIES[strategy])
    made = add_pool(second.by("org"), strategy=strategy, ties=ties, residual=True, **STRATEGIES[strategy])
    found = {pair.pooled for pair in pools.each_pair(second) if pair.pool == 2}
    earlier = brought_in(second, 1)
    assert found == {pair for pair in alone if pair[:2] not in earlier}
    assert (plan.total, plan.at_depth.new) == (made.pairs, made.pool.pairs) == (len(alone), len(found))
    assert wrong(second) == []


def test_a_round_that_is_opened_again_under_its_name_takes_out_what_was_judged_by_then(
    tmp_path: Path,
) -> None:
    first = ROUNDS["1"]
    with create_campaign(tmp_path / "again.db") as campaign:
        add_round(campaign, first, tmp_path)
        add_pool(campaign.by("org"), depth=2)
        residual: dict[str, Any] = {"depth": 9, "tags": sorted(first.runs), "residual": True}
        before = []
        for grades in ({}, first.grades):
            judge(campaign, grades)
            open_round(campaign.by("org"), "2")
            before.append(plan_pool(campaign, **residual).total)
            if not grades:
                cancel_round(campaign.by("org"), "2")
        made = add_pool(campaign.by("org"), **residual)
    assert before == [before[0], before[0] - len(first.grades)]
    assert made.pairs == before[1]


def test_samples_of_it_are_made_again_by_their_record(second: Campaign) -> None:
    made = add_pool(second.by("org"), strategy="uniform", depth=3, percent=50.0, seed=1, residual=True).pool
    assert brought_in(second, made.pool).isdisjoint(ROUNDS["1"].grades)
    assert wrong(second) == []
    judge(second, dict.fromkeys(brought_in(second, made.pool), 1))
    assert score_campaign(second, ["statNumRel"]).rows[0].values[0] > 0


def test_what_runs_brought_to_it_is_counted_down_to_its_own_depth(second: Campaign) -> None:
    add_pool(second.by("org"), depth=2, residual=True)
    found = brought(second)
    # a2 n1 d3, d5 n3, n1 d1; b2 d3 n2, n3, d2 n1: n2 stands third in the whole ranking of b2.
    assert [found.pooled[run] for run in (3, 4)] == [6, 5]


def test_a_release_keeps_rounds_and_pools_of_the_residual_collection(
    second: Campaign, tmp_path: Path
) -> None:
    add_pool(second.by("org"), depth=2, residual=True)
    judge(second, ROUNDS["2"].grades)
    open_round(second.by("org"), "2.4")
    cancel_round(second.by("org"), "2.4")
    open_round(second.by("org"), "2.5")
    save_bundle(second, tmp_path / "covid.zip", options=BundleOptions(runs=True))
    restored = import_bundle(tmp_path / "covid.zip", tmp_path / "again.db", actor="Ida")
    assert restored.same_scores
    with open_campaign(tmp_path / "again.db") as again:
        assert [each.name for each in rounds.all_rounds(again)] == ["1", "2", "2.5"]
        assert [pool.record.residual for pool in pools.all_pools(again)] == [None, "2"]
        assert [counts.runs for counts in round_counts(again)] == [2, 2, 0]
        for name in ("1", "2", "2-residual", "2-own"):
            tables = [score_campaign(seen_by_name(each, name)).rows for each in (second, again)]
            assert tables[0] == tables[1] != ()
        with refused(CampaignError):
            plan_pool(again, depth=1)
        assert wrong(again) == []
        assert [finding.not_checked for finding in audit(again) if "recipe" in finding.question] == [()]


def test_a_list_of_pairs_is_pooled_as_it_is(second: Campaign) -> None:
    listed = {"strategy": "list", "pairs": ["1 d1"], "residual": True}
    with refused(CampaignError):
        plan_pool(second, **listed)
    with refused(CampaignError):
        add_pool(second.by("org"), **listed)


def test_an_adaptive_pool_chooses_from_what_is_left(second: Campaign) -> None:
    made = add_pool(second.by("org"), strategy="mtf", depth=3, budget=6, residual=True)
    assert made.pool.record.residual == "2"
    for _ in range(4):
        choose_next(second)
        pending = brought_in(second, 2) - {line[:2] for line in export_qrels(second).qrels}
        judge(second, dict.fromkeys(pending, 1))
    found = brought_in(second, 2)
    assert len(found | {("2", "d5")}) == 6  # which the first round's pool has already
    assert found.isdisjoint(ROUNDS["1"].grades)
    assert wrong(second) == []
