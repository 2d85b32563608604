"""A pool can be taken out again: its pairs are judged no more, and what is judged stays."""

from __future__ import annotations

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused
from workbench.campaign import assessing
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.release.export import export_qrels
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log import log


def pairs(campaign: Campaign, as_of: int | None = None) -> set[tuple[str, str]]:
    return {pair.pooled[:2] for pair in pools.pooled_pairs(campaign.at(as_of))}


def test_the_pairs_of_a_retired_pool_are_in_no_pool_and_its_row_is_in_the_log(small: Campaign) -> None:
    before = pairs(small)
    made = add_pool(small.by("Olga"), depth=3).pool
    assert len(pairs(small)) == 8
    pool, judged = retire_pool(small.by("Olga"), made.pool, reason="")
    assert (judged, pool.retired) == (0, log.newest_seq(small))
    assert pairs(small) == before
    (step,) = pools.retirements(small)
    assert (step.actor, step.content) == ("Olga", {"pool": 2, "reason": ""})
    assert [pool.pool for pool in pools.in_force(small)] == [1]
    assert wrong(small) == []


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
    assert retire_pool(small.by("Olga"), 1, reason="the wrong runs")[1] == 1
    assert export_qrels(small).qrels == before
    assert score_campaign(small, ["P@5", "num_rel"]).rows == scores
    with refused(NotThere, "d2", "1"):
        judge_as(small, "Ann", "1", "d2", 1)


def test_a_pool_that_is_not_there_or_retired_already_is_refused(small: Campaign) -> None:
    with refused(NotThere, "3"):
        retire_pool(small.by("Olga"), 3)
    retire_pool(small.by("Olga"), 1)
    with refused(AlreadyDone):
        retire_pool(small.by("Olga"), 1)


def test_a_pool_whose_documents_a_norming_session_looks_at_is_not_retired(small: Campaign) -> None:
    made = add_pool(small.by("Olga"), depth=3).pool
    (own,) = pairs(small) - {pair.pooled[:2] for pair in pools.pooled_pairs(small) if pair.pool == 1}
    with small.write():
        norming.put_open(small.by("Olga"), own[0], [own[1]])
    with refused(CampaignError):
        retire_pool(small.by("Olga"), made.pool, reason="wrong")
    with small.write():
        norming.put_closed(small.by("Olga"), 1, counts=False)
    assert retire_pool(small.by("Olga"), made.pool, reason="wrong")[0].retired
