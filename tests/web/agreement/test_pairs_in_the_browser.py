"""A pair that an organiser hands out is open to who gets it, and their judgment stands beside the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.judging.judging_page import press, ready
from workbench.campaign import assigning
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_what_deserves_a_second_look_is_handed_out_and_judged_blind(
    visit: Visit, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben"])
        judging_as(campaign, "Ben", "1", "d1", 0, comment="says nothing of rivers")
    page = visit("/c/small/judgments?topic=1&look=yes", "Anna")
    page.get_by_label("All on this page", exact=False).or_(page.get_by_label("All", exact=True)).first.check()
    expect(page.locator("[data-ticked]")).to_have_text("1 row selected")
    page.get_by_label("Assessor").select_option("Carla")
    page.get_by_role("button", name="Request judgments").click()
    expect(page.get_by_text("again: Carla 1 pair")).to_be_visible()

    judging = visit("/c/small/", "Carla")
    judging.get_by_role("link", name="Start judging").click()
    ready(judging, "Document 1")
    expect(judging.get_by_text("says nothing of rivers")).to_have_count(0)
    press(judging, "1")
    expect(judging.locator("body")).to_contain_text("1 of 1 judged")
    expect(judging.locator("#save-state")).to_have_attribute("data-state", "saved")

    page.goto(page.url.split("/c/")[0] + "/c/small/pair?topic=1&document=d1")
    expect(page.get_by_text("2 assessors gave")).to_be_visible()
    page.get_by_text("Overrule the grade").click()
    corrections = page.get_by_role("region", name="Corrections")
    corrections.get_by_label("Reason").first.fill("the second sentence names one")
    corrections.get_by_label("Grade", exact=True).select_option("1")
    page.get_by_role("button", name="Overrule").click()
    expect(page.get_by_text("adjudicated by Anna")).to_be_visible()


@pytest.mark.parametrize("lines", [1, 500])
def test_the_frame_of_a_pair_is_as_high_as_its_document_and_at_most_seven_tenths_of_the_window(
    visit: Visit, make_campaign: MakeCampaign, lines: int
) -> None:
    text = "\n\n".join(["Rivers freeze."] * lines)
    make_campaign("rivers", [Topic("1", "rivers")], [Document("d1", "", text)], {"a": {"1": ["d1"]}})
    page = visit("/c/rivers/pair?topic=1&document=d1", "Anna", viewport={"width": 1366, "height": 800})
    frame = page.locator("#pair-document")
    expect(frame).to_have_attribute("style", re.compile("height"))
    box = frame.bounding_box()
    assert box is not None
    inside = page.frames[1].evaluate(
        "document.documentElement.scrollHeight > document.documentElement.clientHeight"
    )
    assert (72 <= box["height"] < 300, box["height"] == 560, inside) == (
        lines == 1,
        lines == 500,
        lines == 500,
    )
