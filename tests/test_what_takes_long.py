"""What takes seconds in a large campaign is asked of a job once for each state of the log, and is known afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.assessors.profile import ASSESSORS
from workbench.analysis.battles.board import BATTLES
from workbench.analysis.between_assessors.declared import AGREEMENT, DISAGREEMENT
from workbench.analysis.reuse.declared import REUSE
from workbench.analysis.trust.evidence import STOP
from workbench.campaign.content_changes import withdraw_runs
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs

BETWEEN_ASSESSORS = "workbench.analysis.between_assessors.coefficients.LARGE"
KINDS: dict[str, tuple[Any, dict[str, str], str, int]] = {
    "agreement": (AGREEMENT, {}, BETWEEN_ASSESSORS, 1),
    "effect": (DISAGREEMENT, {}, BETWEEN_ASSESSORS, 1),
    "summaries": (ASSESSORS, {}, BETWEEN_ASSESSORS, 1),
    "reuse": (REUSE, {}, "workbench.analysis.reuse.declared.LINES", 0),
    "battles": (BATTLES, {}, "workbench.analysis.battles.board.MANY_RUNS", 1),
    "stop": (STOP, {"measure": "AP"}, "workbench.analysis.trust.evidence.LINES", 0),
}
"""What takes long, how it is asked for, and what makes any campaign a large one."""


@pytest.mark.parametrize("name", KINDS)
def test_what_takes_long_is_known_until_the_log_goes_on(
    small: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kind, options, limit, of_large = KINDS[name]
    judging_as(small, "Ann", "1", "d1", 1)
    assert not kind.takes_long(small, options), "a small campaign"
    monkeypatch.setattr(limit, of_large)
    assert kind.takes_long(small, options)
    kind.answer(small, options)
    assert not kind.takes_long(small, options)
    judging_as(small, "Ann", "1", "d2", 0)
    assert kind.takes_long(small, options)


@pytest.mark.parametrize(("name", "factor"), [("reuse", 2), ("stop", 1)])
def test_a_campaign_is_large_by_the_ranked_documents_of_the_runs_that_take_part(
    small: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch, name: str, factor: int
) -> None:
    judging_as(small, "Ann", "1", "d1", 1)
    (kind, options, limit, _), lines = KINDS[name], sum(run.record.lines for run in runs.in_force(small))
    monkeypatch.setattr(limit, factor * lines)
    assert not kind.takes_long(small, options)
    monkeypatch.setattr(limit, factor * lines - 1)
    assert kind.takes_long(small, options)
    withdraw_runs(small.by("Olga"), ["beta"])
    assert not kind.takes_long(small, options)
