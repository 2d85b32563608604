"""A team withdraws from the task: its runs leave the results, and what was judged for them stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.menu import choose
from tests.web.moments.steps import Steps
from workbench.campaign.content_changes import withdrawn_tags
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(autouse=True)
def judged(small: Path, judging_as: JudgeAs) -> Path:
    with open_campaign(small) as campaign:
        correct_run(campaign.by("Anna"), "alpha", Correction(team="Delft"))
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "2", "d2", 0)
    return small


def test_a_team_withdraws_in_four_steps_a_run(visit: Visit, judged: Path) -> None:
    page = visit("/c/small/dashboard", "Anna")
    steps = Steps(page)
    steps.click("Runs")
    steps.click("Withdraw alpha…")
    steps.type(page.locator("#reason"), "Delft withdrew from the task")
    steps.click("Withdraw alpha")
    expect(page.get_by_text("Delft withdrew from the task")).to_be_visible()
    assert steps.taken == 4
    # The leaderboard has the other run alone, and every judgment is still there.
    choose(page, "Results", "Leaderboard")
    expect(page.get_by_role("rowheader", name="beta")).to_be_visible()
    expect(page.get_by_role("rowheader", name="alpha")).to_have_count(0)
    with open_campaign(judged) as campaign:
        assert (len(log.judged_topics(campaign)), withdrawn_tags(campaign)) == (2, ["alpha"])
