"""The jump field by its keys: it opens, finds, marks and leads there; "/" stays a letter where something is typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.axe import found

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("small")]


def marked(page: Page, words: str) -> None:
    expect(page.locator("[role=option][aria-selected=true]")).to_contain_text(words)


def test_one_key_opens_it_and_enter_leads_to_what_is_typed(visit: Visit) -> None:
    page = visit("/c/small/dashboard", "Anna")
    for key in ("/", "Control+k", "Meta+k"):
        page.keyboard.press(key)
        page.keyboard.type("assignm")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Assignments")
        page.go_back()
        expect(page.get_by_role("button", name="Jump to")).to_be_visible()  # the script of the page listens


def test_arrow_keys_mark_and_escape_closes(visit: Visit) -> None:
    page = visit("/c/small/dashboard", "Anna")
    page.get_by_role("button", name="Jump to").click()
    page.keyboard.type("d1")
    marked(page, "topic 1")
    page.keyboard.press("ArrowDown")
    marked(page, "topic 2")
    assert found(page, "the jump field") == []
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    marked(page, "topic 2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Pair Document 1")
    assert "topic=2" in page.url
    expect(page.get_by_role("button", name="Jump to")).to_be_visible()  # the script of the new page listens
    page.keyboard.press("/")
    page.keyboard.type("nowhere")
    expect(page.locator(".jump [role=status]")).to_have_text("Nothing found.")
    page.keyboard.press("Escape")
    expect(page.locator(".jump")).to_be_hidden()


def test_slash_is_a_letter_in_a_field_and_can_be_turned_off(visit: Visit) -> None:
    page = visit("/c/small/settings", "Anna")
    page.get_by_label("Title").first.fill("")
    page.keyboard.type("a/b")
    expect(page.get_by_label("Title").first).to_have_value("a/b")
    page.get_by_role("button", name="Jump to").click()
    page.get_by_label("Also open with the key /").uncheck()
    page.reload()
    page.keyboard.press("/")
    expect(page.locator(".jump")).to_be_hidden()
    page.keyboard.press("Control+k")
    expect(page.locator(".jump")).to_be_visible()


def test_the_judging_page_keeps_its_own_keys(visit: Visit) -> None:
    page = visit("/c/small/judge?topic=1")
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")
    page.keyboard.press("/")
    expect(page.locator("#find-count")).to_be_attached()
    expect(page.locator(".jump")).to_have_count(0)
