"""A team sends a run again after it was pooled: the new one is scored, and pools and judgments stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.menu import choose
from tests.web.moments.steps import Steps
from workbench.campaign import submission_rules
from workbench.campaign.content_changes import withdrawn_tags
from workbench.campaign.submission_rules import Rules
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools, runs
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.people import members

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RUN = b"1 Q0 d5 1 2 alpha\n1 Q0 d1 2 1 alpha\n2 Q0 d2 1 1 alpha\n"


@pytest.fixture(autouse=True)
def judged(small: Path, judging_as: JudgeAs) -> Path:
    """The run alpha of team Delft, of which Carla is a member, is pooled, and one of its documents is judged."""
    with open_campaign(small) as campaign:
        correct_run(campaign.by("Anna"), "alpha", Correction(team="Delft"))
        submission_rules.change_rules(campaign.by("Anna"), Rules(is_open=True))
        with campaign.write():
            members.put(campaign.by("Anna"), "Carla", "participant", team="Delft")
        judging_as(campaign, "Ben", "1", "d1", 1)
    return small


def send(page: Page, steps: Steps, label: str) -> None:
    steps.taken += 1
    page.get_by_label(label).set_input_files({"name": "alpha.run", "mimeType": "text/plain", "buffer": RUN})


def test_the_team_is_sent_to_an_organiser_who_replaces_the_run_in_five_steps(
    visit: Visit, judged: Path
) -> None:
    of_team = visit("/c/small/submit", "Carla")
    steps = Steps(of_team)
    send(of_team, steps, "Run files")
    steps.click("Check and submit")
    expect(of_team.locator(".report-refused")).to_contain_text("organiser")
    assert steps.taken == 2

    page = visit("/c/small/dashboard", "Anna")
    steps = Steps(page)
    steps.click("Runs")
    steps.click("Add runs")
    send(page, steps, "Choose run files")
    steps.click(page.get_by_role("checkbox", name="Replace the runs"))
    steps.click("Check and add")
    expect(page.locator(".report-added")).to_contain_text("alpha.2")
    assert steps.taken == 5
    choose(page, "Results", "Leaderboard")
    expect(page.get_by_role("rowheader", name="alpha.2")).to_be_visible()
    expect(page.get_by_role("rowheader", name="alpha", exact=True)).to_have_count(0)
    with open_campaign(judged) as campaign:
        assert withdrawn_tags(campaign) == ["alpha"]
        assert runs.all_runs(campaign)[-1].record.team == "Delft"
        assert [pool.record.runs for pool in pools.in_force(campaign)] == [("alpha", "beta")]
        assert {label.pair for label in labels.qrels(campaign)} == {("1", "d1")}
    of_team.goto(of_team.url)
    expect(of_team.get_by_role("heading", name="alpha.2")).to_be_visible()
