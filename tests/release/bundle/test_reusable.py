"""What the datasheet says of systems that took no part."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.analysis.reuse.report import Effort
from workbench.release.bundle import how_judged as reusable_module
from workbench.release.bundle.datasheet import datasheet_of
from workbench.release.bundle.how_judged import QUESTION, reusable
from workbench.release.campaign_summary import summarise_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_the_datasheet_says_what_teams_would_lose(small: Campaign, judging_as: JudgeAs) -> None:
    # Topic 1: alpha has d1 d2 d3, beta d4 d2 d1, pooled to depth 2; without their own documents they have 0 and 1/3.
    for document, grade in {"d1": 1, "d2": 0, "d4": 2}.items():
        judging_as(small, "Anna", "1", document, grade)
    sheet = "".join(datasheet_of(small, summarise_campaign(small)))
    assert f"### {QUESTION}" in sheet
    assert says(sheet)
    assert "| alpha | -100.0 % | 0 | 1 |\n| beta | -60.0 % | 1 | 1 |" in sheet


def test_of_a_very_large_campaign_it_says_what_it_leaves_out(
    small: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    # beta loses as many relevant documents as alpha. To leave out one scores the six ranked documents of topic 1 again.
    for document, grade in {"d1": 1, "d2": 0, "d4": 2}.items():
        judging_as(small, "Anna", "1", document, grade)
    monkeypatch.setattr(reusable_module, "BRIEF", Effort(entries=6, tested=0))
    ((_, answer),) = reusable(small.at(log.newest_seq(small)))
    assert says(answer)
    assert says(answer)
    assert "| alpha | -100.0 % | 0 | 1 |" in answer
    assert says(answer)
    monkeypatch.setattr(reusable_module, "BRIEF", Effort(entries=5, tested=0))
    ((_, answer),) = reusable(small.at(log.newest_seq(small)))
    assert says(answer)


def test_differences_that_turn_round_are_counted_with_those_that_are_none_any_more() -> None:
    kept = [
        SimpleNamespace(before=12, lost=3, reversed=2),
        SimpleNamespace(before=12, lost=4, reversed=0),
        None,
    ]
    found: Any = SimpleNamespace(rows=[SimpleNamespace(preserved=one) for one in kept])
    assert says(reusable_module._significance(found))
