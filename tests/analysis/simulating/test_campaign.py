"""A campaign's judgments so far as a collection to simulate on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.simulating.alone import simulate
from tests.fixture_types import JudgeAs, WriteRun
from tests.sentences import refused
from workbench.analysis.simulating.campaigns import SIMULATION, collection_from_campaign
from workbench.analysis.simulating.selection import named_strategies
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.core.errors import CampaignError, UnknownName
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings

AP = parse_measure("AP")
Judging = JudgeAs


def test_only_pooled_documents_of_judged_topics_are_candidates(small: Campaign, judging_as: Judging) -> None:
    with refused(CampaignError):
        collection_from_campaign(small, 100)
    judging_as(small, "Anna", "1", "d1", 0)
    judging_as(small, "Anna", "1", "d4", 2)
    found, scoring = collection_from_campaign(small, 100)
    # Topic 1 has d1, d2 and d4 in the pool; d3, at rank 3 of alpha, is not. Topics 2 and 10 are not judged.
    (table,) = found.tables
    assert (table.topic_id, table.document_id) == ("1", ["d1", "d2", "d4"])
    assert table.rank.tolist() == [[1, 2, 0], [3, 2, 1]]
    assert (found.pooled, found.without_judgment, scoring.relevant_from) == (3, 1, 1)


def test_a_budget_of_the_campaigns_pool_is_replayed(small: Campaign, judging_as: Judging) -> None:
    for document, grade in {"d1": 0, "d2": 1, "d4": 2}.items():
        judging_as(small, "Anna", "1", document, grade)
    found, _ = collection_from_campaign(small, 100)
    # alpha has d1 d2 d3, beta d4 d2 d1; AP is (1/2)/2 and (1 + 1)/2.
    assert found.scores(found.labels, AP).tolist() == [0.25, 1.0]
    (row,) = simulate(found, named_strategies(["hedge"], 100), [67.0], AP)
    assert (row.judged, row.recall_low, row.recall_high) == (2, row.recall, row.recall)


def test_runs_that_do_not_contribute_take_no_part(
    small: Campaign, judging_as: Judging, tmp_path: Path, written_run: WriteRun
) -> None:
    judging_as(small, "Anna", "1", "d1", 1)
    add_runs(small.by("Olga"), [written_run(tmp_path / "c.run", "c", {"1": "d4"})], contributes=False)
    assert collection_from_campaign(small, 100)[0].runs == 2
    withdraw_runs(small.by("Olga"), ["alpha", "beta"], reason="")
    with refused(CampaignError):
        collection_from_campaign(small, 100)


def test_a_measure_that_does_not_exist_is_said_before_anything_is_read(small: Campaign) -> None:
    with pytest.raises(UnknownName, match="'XY'"):
        SIMULATION.answer(small, {"strategy": ["depth"], "measure": "XY"})


def test_what_counts_as_relevant_is_the_campaigns(small: Campaign, judging_as: Judging) -> None:
    with small.write():
        settings.change(small.by("Olga"), {"relevant_from": 2})
    for document, grade in {"d1": 1, "d2": 1, "d4": 2}.items():
        judging_as(small, "Anna", "1", document, grade)
    asked = {"strategy": ["depth"], "depth": 3, "budget": "67%", "measure": "P@1"}
    found = SIMULATION.answer(small, asked).found
    # d4 alone is relevant: beta has it at rank 1, alpha has d1 there; from 1 on both would be level.
    assert [row.tau for row in found.rows] == [1.0]


def test_a_depth_at_which_nothing_was_pooled_or_judged_is_refused(
    small: Campaign, judging_as: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging_as(small, "Anna", "1", "d4", 1)
    withdraw_runs(small.by("Olga"), ["beta"], reason="")
    with refused(CampaignError):
        collection_from_campaign(small, 0)
