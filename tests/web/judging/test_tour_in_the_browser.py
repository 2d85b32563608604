"""The tour shows keys and buttons on the page itself, with the keys that the assessor has, and judges nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.sentences import says
from tests.web.judging.judging_page import log, press, ready, saved
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import preferences

pytestmark = pytest.mark.slow


def test_the_tour_outlines_each_part_and_leads_to_the_first_document(visit: Visit, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        preferences.put(campaign, "Ben", {"keys": {"cannot tell": "p"}})
    page = visit("/c/small/judge?topic=1&tour=1")
    tour = page.get_by_role("dialog", name="Tour of")
    expect(tour).to_contain_text("1 of 5")
    expect(page.locator(".toured")).to_have_id("grades")
    page.keyboard.press("1")  # dropped: the tour stands over the page
    page.keyboard.press("Enter")
    expect(tour.locator("p:visible")).to_contain_text("p Can’t tell")
    expect(page.locator(".toured")).to_have_class("actions toured")
    tour.get_by_role("button", name="Back").click()
    expect(tour).to_contain_text("1 of 5")
    for _ in range(4):
        tour.get_by_role("button", name="Next").click()
    tour.get_by_role("button", name="Start judging").click()
    expect(tour).to_be_hidden()
    expect(page.locator(".toured")).to_have_count(0)
    ready(page, "Document 1")
    press(page, "1")
    saved(page)
    assert [row.document_id for row in log(small)] == ["d1"]
    page.reload()
    ready(page, "Document 2")
    expect(tour).to_be_hidden()
    page.keyboard.press("?")
    page.get_by_role("button", name="Tour of").click()
    expect(tour).to_contain_text("1 of 5")


EDGES = """(one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const around = parseFloat(getComputedStyle(one).outlineOffset) + 3;
    return [left - around >= 0, top - around >= 0, right + around <= innerWidth, bottom + around <= innerHeight];
}"""


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_all_of_an_outline_is_seen_and_each_button_of_the_tour_has_one_line(
    visit: Visit, small: Path, size: tuple[int, int]
) -> None:
    width, height = size
    page = visit("/c/small/judge?topic=1&tour=1", viewport={"width": width, "height": height})
    tour = page.get_by_role("dialog", name="Tour of")
    for number in range(1, 6):
        expect(tour).to_contain_text(f"{number} of 5")
        assert page.locator(".toured").evaluate(EDGES) == [True] * 4, number
        heights = tour.locator(".dialog-foot > :visible").evaluate_all(
            "(all) => all.map((one) => one.offsetHeight)"
        )
        assert heights == [44] * len(heights), number
        tour.locator("#tour-next").click()


def test_where_the_page_is_only_touched_the_tour_names_buttons_and_no_keys(visit: Visit, small: Path) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = visit("/c/small/judge?topic=1&tour=1", **phone)
    tour = page.get_by_role("dialog", name="Tour of")
    said = []
    for number in range(1, 6):
        expect(tour).to_contain_text(f"{number} of 5")
        said.append(tour.locator("p:visible").inner_text())
        tour.locator("#tour-next").tap()
    assert tour.locator("kbd:visible").count() == 0
    assert says(said[0])
    assert says(said[1])
    assert says(said[2])
    assert says(said[3])
    assert says(said[4])
