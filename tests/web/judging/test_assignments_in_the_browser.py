"""Assignments in a browser: what an assessor sees when a topic is taken, closed, or judged by two."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.judging.judging_page import at_rest, can_judge
from workbench.judging import assigning
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.people import draws

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def choose(path: Path, who: str) -> None:
    with open_campaign(path) as campaign:
        assigning.choose_who_judges(campaign, who, actor="Anna")


def test_a_topic_is_taken_judged_and_closed_while_it_is_open(visit: Visit, small: Path) -> None:
    choose(small, "claimed")
    page = visit("/c/small/judge?topic=1", "Ben")
    expect(page.get_by_text("The topic is unclaimed; claim it first.")).to_be_visible()
    expect(page.get_by_role("radio", name="Not relevant")).to_be_disabled()
    page.keyboard.press("0")
    page.get_by_role("button", name="Claim this topic").click()
    expect(page.locator("#shut")).to_have_count(0)
    expect(page.locator("#progress")).to_have_text("0 of 6 judged")
    can_judge(page)
    page.get_by_role("radio", name="Not relevant").click()
    expect(page.locator("#progress")).to_have_text("1 of 6 judged")
    expect(page.locator("#save-words")).to_have_text("Saved")
    with open_campaign(small) as campaign:
        assigning.close(campaign, ["1"], actor="Anna")
    can_judge(page)
    page.get_by_role("radio", name="Not relevant").click()
    problem = page.locator("#problem-list")
    expect(problem).to_contain_text("the topic is closed: nothing more is judged here")
    with open_campaign(small) as campaign:
        assert len(judgments.current_of_topic(campaign, "1")) == 1
        assigning.reopen(campaign, ["1"], actor="Anna")
    problem.get_by_role("button", name="Try again").click()
    expect(page.locator("#save-words")).to_have_text("Saved")
    with open_campaign(small) as campaign:
        assert len(judgments.current_of_topic(campaign, "1")) == 2


def test_pairs_that_are_judged_twice_look_like_all_others(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    choose(small, "assigned")
    with open_campaign(small) as campaign:
        assigning.assign(campaign, ["1", "2"], ["Ben"], actor="Anna")
        assigning.draw_double(campaign, 0.5, 7, stratify="topic", assessors=["Carla"], actor="Anna")
        page = visit("/c/small/judge?topic=1", "Ben")
        expect(page.locator("#progress")).to_have_text("0 of 6 judged")
        at_rest(page)
        before = page.locator("body").inner_text()
        for item in ("d1", "d2", "d3", "d4", "d5", "d6"):
            if draws.is_drawn(campaign, "1", item):
                judging_as(campaign, "Carla", "1", item, 1)
    page = visit("/c/small/judge?topic=1", "Ben")
    at_rest(page)
    expect(page.locator("body")).to_have_text(before, use_inner_text=True)
    page = visit("/c/small/judge?topic=1", "Carla")
    expect(page.locator("#progress")).to_have_text("3 of 3 judged")


def test_a_document_that_another_assessor_has_judged_meanwhile_is_passed_over(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Carla", "1", "d6", 1)
    choose(small, "assigned")
    with open_campaign(small) as campaign:
        assigning.assign(campaign, ["1"], ["Ben", "Carla"], actor="Anna")
    page = visit("/c/small/judge?topic=1", "Ben")
    expect(page.locator("#progress")).to_have_text("0 of 6 judged")
    with open_campaign(small) as campaign:
        judging_as(campaign, "Carla", "1", "d1", 1)
        assigning.assign(campaign, ["1"], ["Ben"], actor="Anna")
    can_judge(page)
    page.get_by_role("radio", name="Not relevant").click()
    problem = page.locator("#problem-list")
    expect(problem).to_contain_text("another assessor has already judged this document")
    problem.get_by_role("button", name="Discard").click()
    expect(page.locator("#problems")).to_be_hidden()
    with open_campaign(small) as campaign:
        assert [each.assessor for each in judgments.current_of_topic(campaign, "1")] == ["Carla", "Carla"]
