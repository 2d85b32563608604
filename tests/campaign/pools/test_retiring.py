"""A pool can be taken out again: its pairs are judged no more, and what is judged stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judged_pairs import judge_as, submission
from tests.sentences import refused
from workbench.campaign import assessing
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.errors import AlreadyDone, CampaignError, JudgmentRefused, NotThere
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.release.export import export_qrels
from workbench.scoring.board import score_campaign
from workbench.scoring.board.live import board_of
from workbench.scoring.board.loading import load_scoring
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log import log


def pairs(campaign: Campaign, as_of: int | None = None) -> set[tuple[str, str]]:
    return {pair.pooled[:2] for pair in pools.pooled_pairs(campaign.at(as_of))}


def wrong(campaign: Campaign) -> list[object]:
    return [(finding.question, finding.wrong) for finding in audit(campaign) if finding.wrong]


def test_the_pairs_of_a_retired_pool_are_in_no_pool_and_its_row_is_in_the_log(small: Campaign) -> None:
    before = pairs(small)
    made = add_pool(small.by("Olga"), depth=3).pool
    assert len(pairs(small)) == 8
    retired = retire_pool(small.by("Olga"), made.pool, reason="")
    assert (retired.judged, retired.pool.retired) == (0, log.newest_seq(small))
    assert pairs(small) == before
    (step,) = pools.retirements(small)
    assert (step.actor, step.content) == ("Olga", {"pool": 2, "reason": ""})
    assert [pool.pool for pool in pools.in_force(small)] == [1]
    assert wrong(small) == []


def test_before_its_retirement_a_pool_is_where_it_was(small: Campaign) -> None:
    made = add_pool(small.by("Olga"), depth=3).pool
    retire_pool(small.by("Olga"), made.pool)
    assert len(pairs(small, made.seq)) == 8
    assert len(pairs(small, made.seq - 1)) == 7
    assert pools.pooled_by_topic(small.at(made.seq)) == {"1": 4, "10": 1, "2": 3}
    assert pools.pooled_by_topic(small) == {"1": 3, "10": 1, "2": 3}
    assert pools.is_pooled(small.at(made.seq), "1", "d3")
    assert not pools.is_pooled(small, "1", "d3")
    assert [pool.pool for pool in pools.in_force(small.at(made.seq))] == [1, 2]


def test_queues_progress_and_plans_know_its_pairs_no_more(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    assert plan_pool(small, depth=2).before == 7
    assert {row.topic_id for row in assessing.topic_progress(small, "Ann")} == {"1", "10", "2"}
    retire_pool(small.by("Olga"), 1, reason="the wrong runs")
    assert assessing.topic_progress(small, "Ann") == []
    assert plan_pool(small, depth=2).before == 0
    made = add_pool(small.by("Olga"), depth=1)
    assert (made.pairs, made.pool.pairs) == (5, 5)
    assert plan_pool(small, depth=1).before == 5
    assert wrong(small) == []


def test_what_was_judged_stays_in_qrels_and_scores_and_is_judged_no_more(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    before = export_qrels(small).qrels
    scores = score_campaign(small, ["P@5", "num_rel"]).rows
    with refused(CampaignError):
        retire_pool(small.by("Olga"), 1)
    assert retire_pool(small.by("Olga"), 1, reason="the wrong runs").judged == 1
    assert export_qrels(small).qrels == before
    assert score_campaign(small, ["P@5", "num_rel"]).rows == scores
    with refused(NotThere, "d2", "1"):
        judge_as(small, "Ann", "1", "d2", 1)


def test_a_judgment_on_its_way_is_refused_with_a_reason(small: Campaign) -> None:
    sent = submission(small, "Ann", "1", "d2", 1)  # type: ignore[operator]
    retire_pool(small.by("Olga"), 1)
    with pytest.raises(JudgmentRefused, match="is not pooled") as error:
        assessing.judge(small, sent, assessor="Ann")
    assert error.value.reason == "unknown pair"


def test_labels_of_any_moment_know_which_pools_were_in_force(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    assert POOLED in board_of(small).scoring(small).labels.label.tolist()
    retired = retire_pool(small.by("Olga"), 1, reason="too deep").pool.retired
    assert retired is not None
    for seq in (retired - 1, retired):
        loaded = load_scoring(small.at(seq)).labels.label.tolist()
        assert (POOLED in loaded) == (seq < retired)
        assert board_history_of(small).moment(small, seq).scoring.labels.label.tolist() == loaded
    assert UNJUDGED in loaded
    assert POOLED not in board_of(small).scoring(small).labels.label.tolist()


def test_a_pool_that_is_not_there_or_retired_already_is_refused(small: Campaign) -> None:
    with refused(NotThere, "3"):
        retire_pool(small.by("Olga"), 3)
    retire_pool(small.by("Olga"), 1)
    with refused(AlreadyDone):
        retire_pool(small.by("Olga"), 1)


def test_a_bundle_gives_retired_pools_and_those_after_them_back(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    retire_pool(small.by("Olga"), 1, reason="the wrong runs")
    add_pool(small.by("Olga"), depth=1)
    judge_as(small, "Ann", "2", sorted(pairs(small))[-1][1], 1)
    bundle = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    restored = import_bundle(bundle, tmp_path / "again.db", actor="Olga")
    assert restored.same_scores
    with open_campaign(tmp_path / "again.db") as again:
        assert pools.pooled_pairs(again) == pools.pooled_pairs(small)
        assert [pool.retired is None for pool in pools.all_pools(again)] == [False, True]
        assert wrong(again) == []


def test_a_pool_whose_documents_a_norming_session_looks_at_is_not_retired(small: Campaign) -> None:
    made = add_pool(small.by("Olga"), depth=3).pool
    (own,) = pairs(small) - {pair.pooled[:2] for pair in pools.pooled_pairs(small) if pair.pool == 1}
    with small.write():
        norming.put_open(small.by("Olga"), own[0], [own[1]])
    with refused(CampaignError):
        retire_pool(small.by("Olga"), made.pool, reason="wrong")
    with small.write():
        norming.put_closed(small.by("Olga"), 1, counts=False)
    assert retire_pool(small.by("Olga"), made.pool, reason="wrong").pool.retired
