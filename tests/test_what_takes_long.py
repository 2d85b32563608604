"""What takes seconds in a large campaign is asked of a job once for each state of the log, and is known afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.assessors.profile import ASSESSORS
from workbench.analysis.between_assessors.declared import AGREEMENT, DISAGREEMENT
from workbench.analysis.reuse.declared import REUSE
from workbench.analysis.trust.evidence import STOP
from workbench.campaign.content_changes import withdraw_runs
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs

Asked = Callable[[Campaign], Any]


class Kind(NamedTuple):
    """Something that takes long: whether it does now, what finds it, and what makes any campaign a large one."""

    takes_long: Asked
    find: Asked
    limit: str
    of_large: Any


KINDS = {
    "agreement": Kind(
        lambda campaign: AGREEMENT.takes_long(campaign, {}),
        lambda campaign: AGREEMENT.answer(campaign, {}),
        "workbench.analysis.between_assessors.coefficients.LARGE",
        1,
    ),
    "effect": Kind(
        lambda campaign: DISAGREEMENT.takes_long(campaign, {}),
        lambda campaign: DISAGREEMENT.answer(campaign, {}),
        "workbench.analysis.between_assessors.coefficients.LARGE",
        1,
    ),
    "summaries": Kind(
        lambda campaign: ASSESSORS.takes_long(campaign, {}),
        lambda campaign: ASSESSORS.answer(campaign, {}),
        "workbench.analysis.between_assessors.coefficients.LARGE",
        1,
    ),
    "reuse": Kind(
        lambda campaign: REUSE.takes_long(campaign, {}),
        lambda campaign: REUSE.answer(campaign, {}),
        "workbench.analysis.reuse.declared.LINES",
        0,
    ),
    "stop": Kind(
        lambda campaign: STOP.takes_long(campaign, {"measure": "AP"}),
        lambda campaign: STOP.answer(campaign, {"measure": "AP"}),
        "workbench.analysis.trust.evidence.LINES",
        0,
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_what_takes_long_is_known_until_the_log_goes_on(
    small: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kind = KINDS[name]
    judging_as(small, "Ann", "1", "d1", 1)
    assert not kind.takes_long(small), "a small campaign"
    monkeypatch.setattr(kind.limit, kind.of_large)
    assert kind.takes_long(small)
    kind.find(small)
    assert not kind.takes_long(small)
    judging_as(small, "Ann", "1", "d2", 0)
    assert kind.takes_long(small)


@pytest.mark.parametrize(("name", "factor"), [("reuse", 2), ("stop", 1)])
def test_a_campaign_is_large_by_the_ranked_documents_of_the_runs_that_take_part(
    small: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch, name: str, factor: int
) -> None:
    judging_as(small, "Ann", "1", "d1", 1)
    kind, lines = KINDS[name], sum(run.record.lines for run in runs.in_force(small))
    monkeypatch.setattr(kind.limit, factor * lines)
    assert not kind.takes_long(small)
    monkeypatch.setattr(kind.limit, factor * lines - 1)
    assert kind.takes_long(small)
    withdraw_runs(small.by("Olga"), ["beta"])
    assert not kind.takes_long(small)
