"""The menu on screen: groups that unfold by mouse and keys, also without scripts, and one button on a phone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixture_types import Visit
from tests.web.axe import found
from tests.web.menu import choose

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("small")]

GROUPS = ["Set up", "Judge", "Results", "Release"]


def summary(page: Page, group: str) -> Locator:
    return page.locator(".menu summary", has_text=group)


def complaints(page: Page) -> list[str]:
    """What axe-core finds while a part of the page is under the menu."""
    return [each for each in found(page, "the menu") if "partially obscured" not in each]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_group_leads_to_its_pages_and_only_one_is_open(visit: Visit, scripts: bool) -> None:
    page = visit("/c/small/dashboard", "Anna", java_script_enabled=scripts)
    summary(page, "Judge").click()
    expect(page.get_by_role("link", name="Assignments", exact=True)).to_be_visible()
    choose(page, "Set up", "Settings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    expect(summary(page, "Set up")).to_have_attribute("aria-current", "true")
    summary(page, "Set up").click()
    summary(page, "Results").click()
    assert page.locator(".menu details[open] summary").all_text_contents() == ["Results"]


def test_escape_and_a_click_elsewhere_and_tab_fold_the_open_group(visit: Visit) -> None:
    page = visit("/c/small/settings", "Anna")
    group = page.locator(".menu details", has_text="Release")
    for fold in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.mouse.click(20, 700),
        lambda: [page.keyboard.press("Shift+Tab") for _ in range(2)],
    ):
        summary(page, "Release").click()
        expect(group).to_have_attribute("open", "")
        fold()
        expect(group).not_to_have_attribute("open", "")


def test_arrow_keys_go_through_groups_and_pages(visit: Visit) -> None:
    page = visit("/c/small/dashboard", "Anna")
    summary(page, "Results").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="Your topics", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(summary(page, "Results")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare runs")


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (768, 1024)])
def test_the_whole_menu_stands_in_one_row(visit: Visit, width: int, height: int) -> None:
    page = visit("/c/small/dashboard", "Anna", viewport={"width": width, "height": height})
    boxes = [summary(page, group).bounding_box() for group in GROUPS]
    boxes += [page.get_by_role("button", name="Sign out").bounding_box()]
    edges = [(box["x"], box["x"] + box["width"], box["y"] + box["height"]) for box in boxes if box]
    assert len(edges) == 5
    assert all(left >= 0 and right <= width and below <= 56 for left, right, below in edges), edges
    assert all(one[1] <= other[0] for one, other in pairwise(edges))
    summary(page, "Judge").click()
    assert complaints(page) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_one_button_unfolds_the_groups(visit: Visit, scripts: bool) -> None:
    phone = {"width": 390, "height": 844}
    page = visit("/c/small/dashboard", "Anna", viewport=phone, java_script_enabled=scripts)
    expect(summary(page, "Judge")).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    if scripts:
        assert complaints(page) == []
    choose(page, "Judge", "People")
    expect(page.get_by_role("heading", level=1)).to_have_text("People")


def test_an_assessor_has_few_pages_in_a_row(visit: Visit) -> None:
    page = visit("/c/small/", "Ben")
    links = page.get_by_role("navigation", name="Campaign").get_by_role("link")
    assert links.all_text_contents() == ["Your topics", "Your judgments"]
