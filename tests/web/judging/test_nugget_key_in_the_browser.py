"""The selected text of a document becomes a nugget of its topic by one key, while documents are judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.fixture_types import Visit
from tests.sentences import says
from tests.web.axe import complaints
from tests.web.judging.judging_page import inside, press, ready, saved, select
from tests.web.judging.test_nuggets import bank
from tests.web.judging.test_nuggets import stored as stored
from workbench.formats.answers.banks import Creator, Reference

pytestmark = pytest.mark.browser

SELECTED = "document.querySelector('iframe.current').contentDocument.getSelection().toString()"


def said(page: Page, number: int) -> str:
    """What the page says with the number of nuggets, without its link."""
    line = page.locator("#said")
    expect(line).to_contain_text(f"({number})")
    return line.inner_text().removesuffix("Nuggets").strip()


def test_a_key_makes_the_selected_words_a_nugget_and_the_same_words_only_once(
    visit: Visit, stored: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    select(page, "ext of", "docu")
    press(page, "q")
    assert says(said(page, 3), "3")
    assert page.evaluate(SELECTED) == ""
    made = bank(stored)[-1]
    assert (made.text, made.importance) == ("text of document", "")
    assert made.references == (Reference("d1", (4, 20)),)
    assert made.creators == (Creator("Ben", is_human=True),)
    select(page, "text", "document")
    page.get_by_role("button", name="Nugget").click()
    expect(page.locator("#said")).to_contain_text("Already")
    assert says(said(page, 3), "3")
    assert bank(stored)[-1] == made
    page.locator("#said a").click()
    page.wait_for_url("**/nuggets/topic?topic=1")
    expect(page.locator("#nugget-4")).to_contain_text("text of document")


def test_nothing_selected_is_said_and_no_grade_is_lost(visit: Visit, stored: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    press(page, "q")
    expect(page.locator("#said")).not_to_be_empty()
    assert says(page.locator("#said").inner_text())
    assert len(bank(stored)) == 3
    press(page, "1")
    ready(page, "Document 2")
    saved(page)


def test_without_the_network_nothing_is_added_and_the_words_stay_selected(visit: Visit, stored: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    select(page, "text", "document")
    page.context.set_offline(True)
    press(page, "q")
    expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
    assert says(page.locator("#said").inner_text())
    assert page.evaluate(SELECTED) == "text of document"
    page.context.set_offline(False)
    press(page, "q")
    said(page, 3)
    assert bank(stored)[-1].references == (Reference("d1", (4, 20)),)


def test_the_page_has_neither_key_nor_button_in_a_campaign_without_nuggets(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    select(page, "text", "document")
    press(page, "q", "?")
    expect(page.locator("[data-row=rationale]")).to_be_visible()
    expect(page.locator("[data-row=nugget], [data-action=nugget]")).to_have_count(0)
    assert bank(small) == ()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_notice_fits_the_screen_and_axe_finds_nothing(visit: Visit, stored: Path, width: int) -> None:
    window: ViewportSize = {"width": width, "height": 800}
    page = visit("/c/small/judge?topic=1", viewport=window)
    ready(page, "Document 1")
    select(page, "text", "document")
    inside(page).locator("body").press("q")
    said(page, 3)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert complaints(page, "added") == []
    page.emulate_media(color_scheme="dark")
    assert complaints(page, "added") == []
