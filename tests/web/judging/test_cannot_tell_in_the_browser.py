"""Who cannot tell chooses a reason from the campaign's list with one more key; it is the first line of the note."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.judging.judging_page import log, press, ready, saved


def said(path: Path) -> list[tuple[str, str, str]]:
    return [(row.document_id, row.kind, row.comment) for row in log(path)]


def asked(page: Page) -> None:
    expect(page.get_by_role("dialog", name="Why can’t you tell?")).to_be_visible()


def test_a_digit_chooses_the_reason_and_the_next_document_comes(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.locator("#note").fill("It is in Dutch.")
    page.keyboard.press("Escape")
    press(page, "x")
    asked(page)
    expect(page.locator("#reasons li")).to_have_text(
        ["1Language", "2Unreadable", "3Needs context", "4Topic unclear"]
    )
    page.keyboard.press("1")
    ready(page, "Document 2")
    press(page, "x", "x")
    ready(page, "Document 3")
    saved(page)
    assert said(small) == [("d1", "can't tell", "Language\nIt is in Dutch."), ("d2", "can't tell", "")]


@pytest.mark.slow
def test_escape_judges_nothing_and_a_grade_takes_the_reason_away(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    press(page, "x")
    asked(page)
    page.keyboard.press("9")  # no reason of the list
    asked(page)
    page.keyboard.press("Escape")
    ready(page, "Document 1")
    press(page, "x")
    page.get_by_role("button", name="Unreadable").click()
    ready(page, "Document 2")
    press(page, "k")
    ready(page, "Document 1")
    expect(page.locator("#note")).to_have_value("Unreadable")
    press(page, "x", "3")
    ready(page, "Document 2")
    press(page, "k")
    ready(page, "Document 1")
    page.locator("#note").fill("Needs context\nof the year")
    page.get_by_role("button", name="Save with").click()
    ready(page, "Document 2")
    press(page, "k")
    ready(page, "Document 1")
    press(page, "1")
    ready(page, "Document 2")
    saved(page)
    assert said(small) == [
        ("d1", "can't tell", "Unreadable"),
        ("d1", "can't tell", "Needs context"),
        ("d1", "can't tell", "Needs context\nof the year"),
        ("d1", "grade", "of the year"),
    ]
