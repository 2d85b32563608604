"""The scale turned out wrong: the organiser says what became of the grades given, and nothing that was said is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.judging.judging_page import press, ready, saved
from tests.web.moments.steps import Steps
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments, labels

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_grades_given_are_mapped_in_seven_steps_and_the_open_page_reads_the_new_scale(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Carla", "2", "d1", 1)
    judging = visit("/c/small/judge?topic=1&document=d2", "Ben")
    ready(judging, "Document 2")

    page = visit("/c/small/settings", "Anna")
    steps = Steps(page)
    steps.click(page.get_by_role("link", name="change the scale").first)
    steps.type("Name, row 2", "Partly relevant")
    steps.type("Grade, row 3", "2")
    steps.type("Name, row 3", "Highly relevant")
    steps.type("New grade of 1 Relevant", "2")
    steps.click("Preview what changes")
    expect(page.get_by_role("region", name="What changes")).to_contain_text("Another grade: 2 judgments.")
    steps.click("Change the scale")
    expect(page.get_by_role("status")).to_contain_text("log row")
    assert steps.taken == 7
    with open_campaign(small) as campaign:
        assert {label.pair: label.grade for label in labels.qrels(campaign)} == {
            ("1", "d1"): 2,
            ("2", "d1"): 2,
        }
        before = len(list(judgments.log(campaign)))

    press(judging, "1")
    expect(judging.locator("#problem-list")).to_contain_text("“Relevant”")
    with open_campaign(small) as campaign:
        assert len(list(judgments.log(campaign))) == before
    judging.get_by_role("button", name="Open document").click()
    expect(judging.get_by_role("button", name="Highly relevant")).to_be_visible()
    ready(judging, "Document 2")
    press(judging, "2")
    saved(judging)
    page.goto(page.url.split("/c/")[0] + "/c/small/pair?topic=1&document=d1")
    expect(page.get_by_role("region", name="Grades", exact=True)).to_contain_text(
        "Relevant now Highly relevant"
    )
