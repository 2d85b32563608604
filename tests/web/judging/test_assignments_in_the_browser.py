"""Assignments in a browser: what an assessor sees when a topic is taken, closed, or judged by two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.judging.judging_page import at_rest, can_judge
from workbench.campaign import assigning
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.grades import judgments

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def choose(path: Path, who: str) -> None:
    with open_campaign(path) as campaign:
        assigning.choose_who_judges(campaign.by("Anna"), who)


def test_a_topic_is_taken_judged_and_closed_while_it_is_open(visit: Visit, small: Path) -> None:
    choose(small, "claimed")
    page = visit("/c/small/judge?topic=1", "Ben")
    expect(page.get_by_text("topic is unclaimed")).to_be_visible()
    expect(page.get_by_role("radio", name="Not relevant")).to_be_disabled()
    page.keyboard.press("0")
    page.get_by_role("button", name="Claim this topic").click()
    expect(page.locator("#shut")).to_have_count(0)
    expect(page.locator("#progress")).to_have_text("0 of 6 judged")
    can_judge(page)
    page.get_by_role("radio", name="Not relevant").click()
    expect(page.locator("#progress")).to_have_text("1 of 6 judged")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    with open_campaign(small) as campaign:
        assigning.close(campaign.by("Anna"), ["1"])
    can_judge(page)
    page.get_by_role("radio", name="Not relevant").click()
    problem = page.locator("#problem-list")
    expect(problem).to_contain_text("topic is closed")
    with open_campaign(small) as campaign:
        assert len(judgments.current_of_topic(campaign, "1")) == 1
        assigning.reopen(campaign.by("Anna"), ["1"])
    problem.get_by_role("button", name="Try again").click()
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    with open_campaign(small) as campaign:
        assert len(judgments.current_of_topic(campaign, "1")) == 2


def test_pairs_that_are_judged_twice_look_like_all_others(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    choose(small, "assigned")
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1", "2"], ["Ben"])
        assigning.draw_double(campaign.by("Anna"), 0.5, 7, stratify="topic", assessors=["Carla"])
        page = visit("/c/small/judge?topic=1", "Ben")
        expect(page.locator("#progress")).to_have_text("0 of 6 judged")
        at_rest(page)
        before = page.locator("body").inner_text()
        for item in ("d1", "d2", "d3", "d4", "d5", "d6"):
            if item in draws.drawn(campaign)["1"]:
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
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben", "Carla"])
    page = visit("/c/small/judge?topic=1", "Ben")
    expect(page.locator("#progress")).to_have_text("0 of 6 judged")
    with open_campaign(small) as campaign:
        judging_as(campaign, "Carla", "1", "d1", 1)
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben"])
    can_judge(page)
    page.get_by_role("radio", name="Not relevant").click()
    problem = page.locator("#problem-list")
    expect(problem).to_contain_text("Another assessor")
    problem.get_by_role("button", name="Discard").click()
    expect(page.locator("#problems")).to_be_hidden()
    with open_campaign(small) as campaign:
        assert [each.assessor for each in judgments.current_of_topic(campaign, "1")] == ["Carla", "Carla"]


def ticked(page: Page) -> str:
    """The topics whose boxes are ticked."""
    boxes = page.locator("input[data-tick]:checked")
    return " ".join(boxes.evaluate_all("(boxes) => boxes.map((box) => box.value)"))


@pytest.fixture
def rows(make_campaign: MakeCampaign) -> Path:
    """Six topics with a pool."""
    topics = [Topic(str(number), f"topic {number}", "") for number in range(1, 7)]
    texts = [Document("d1", "Document 1", "Ice.")]
    return make_campaign("rows", topics, texts, {"alpha": {topic.topic_id: ["d1"] for topic in topics}})


def test_rows_are_ticked_one_by_one_as_a_range_by_mouse_and_keys_and_all_at_once(
    visit: Visit, rows: Path
) -> None:
    assert rows.exists()
    page = visit("/c/rows/assignments", "Anna")
    box = page.get_by_role("checkbox")
    page.get_by_label("Topic 2").check()
    page.get_by_label("Topic 4").click(modifiers=["Shift"])
    assert ticked(page) == "2 3 4"
    expect(page.get_by_text("3 rows selected")).to_be_visible()
    page.locator(".tick", has_text="Topic 6").click(modifiers=["Shift"], position={"x": 2, "y": 2})
    assert ticked(page) == "2 3 4 5 6"
    page.get_by_label("Topic 5").focus()
    page.keyboard.press("Space")
    page.get_by_label("Topic 3").focus()
    page.keyboard.press("Shift+Space")
    assert ticked(page) == "2 6"
    box.and_(page.get_by_label("All", exact=True)).check()
    assert ticked(page) == "1 2 3 4 5 6"
    page.get_by_label("All 6 topics").check()
    page.get_by_label("Topic 1").uncheck()
    expect(page.get_by_label("All 6 topics")).not_to_be_checked()


def test_all_that_match_are_assigned_without_being_looked_at(visit: Visit, rows: Path) -> None:
    page = visit("/c/rows/assignments?q=topic&sort=-topic", "Anna")
    page.get_by_label("All 6 topics that match").check()
    page.get_by_label("Assign selected topics").select_option("Ben")
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(page).to_have_url(re.compile(r"/c/rows/assignments\?q=topic&sort=-topic$"))
    expect(page.locator(".topics-table td[data-label=Assessor]", has_text="Ben")).to_have_count(6)
