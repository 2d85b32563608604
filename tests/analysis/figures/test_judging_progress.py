"""The figure of days counts the judgments of the log."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.figures import draw
from workbench.core.errors import UnknownName
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import newest_seq


def test_judgments_are_counted_by_day_and_assessor(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ben", "1", "d1", 1)
    before = newest_seq(small)
    judging_as(small, "Ben", "1", "d2", 1)
    assert draw(small, "judging-days", {}).rows == [{"day": "2026-03-01", "assessor": "Ben", "judgments": 2}]
    (row,) = draw(small, "judging-days", {"as_of": [str(before)]}).rows
    assert row["judgments"] == 1


def test_no_days_are_no_figure(small: Campaign) -> None:
    with pytest.raises(UnknownName, match="at least 1 and at most 3660"):
        draw(small, "judging-days", {"days": ["0"]})
