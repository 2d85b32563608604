"""Ticking rows of a list, in a browser without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROWS = "".join(
    f'<label class="tick"><input type="checkbox" data-tick name="row" value="{number}">{number}</label>'
    for number in range(5)
)
LIST = (
    f'<form><label hidden><input type="checkbox" data-tick-page>Page</label><p data-ticked></p>{ROWS}'
    '<input type="checkbox" name="every"></form><form><input data-tick type="checkbox"></form>'
)


@pytest.fixture
def page(page_of: PageOf) -> Page:
    """A page with a list of five rows, and a form that is no list."""
    page = page_of(LIST)
    page.evaluate('import("/static/lists.js")')
    return page


def test_what_the_browser_has_ticked_already_is_counted(page_of: PageOf) -> None:
    page = page_of(LIST.replace('value="2"', 'value="2" checked'))
    page.evaluate('import("/static/lists.js")')
    assert state(page) == ("2", "1 row selected", False, True)


def ticked(page: Page) -> str:
    return "".join(
        page.evaluate("[...document.querySelectorAll('[name=row]:checked')].map((one) => one.value)")
    )


def state(page: Page) -> tuple[str, str, bool, bool]:
    """Which are ticked, the words, and whether the box of the page is ticked, or neither."""
    box = page.locator("[data-tick-page]")
    words = page.locator("[data-ticked]").text_content() or ""
    return ticked(page), words, box.is_checked(), bool(box.evaluate("(one) => one.indeterminate"))


def row(page: Page, number: int) -> None:
    page.locator(f"[name=row][value='{number}']").click()


def test_what_is_ticked_is_counted_and_the_box_of_the_page_stands_for_all(page: Page) -> None:
    assert page.locator("label").first.is_visible()
    assert state(page) == ("", "", False, False)
    row(page, 1)
    assert state(page) == ("1", "1 row selected", False, True)
    page.locator("[data-tick-page]").click()
    assert state(page) == ("01234", "5 rows selected", True, False)
    row(page, 3)
    assert state(page) == ("0124", "4 rows selected", False, True)
    page.locator("[data-tick-page]").click()
    page.locator("[data-tick-page]").click()
    assert state(page) == ("", "", False, False)


@pytest.mark.parametrize(("first", "last"), [(1, 3), (3, 1), (0, 2)])
def test_shift_ticks_a_range_in_either_direction(page: Page, first: int, last: int) -> None:
    row(page, first)
    page.keyboard.down("Shift")
    row(page, last)
    page.keyboard.up("Shift")
    assert ticked(page) == "".join(map(str, range(min(first, last), max(first, last) + 1)))
    row(page, 4)
    assert ticked(page).endswith("4"), "without Shift only the row itself"
    assert state(page)[1] == ("4 rows selected")


def test_the_words_of_a_row_take_shift_too_and_a_range_can_be_cleared(page: Page) -> None:
    page.locator("[data-tick-page]").click()
    row(page, 1)
    page.locator(".tick").nth(3).click(modifiers=["Shift"], position={"x": 24, "y": 6})
    assert ticked(page) == "04"
    row(page, 0)
    assert ticked(page) == "4"


def test_all_of_all_pages_is_one_tick_which_a_row_that_is_cleared_takes_back(page: Page) -> None:
    every = page.locator("[name=every]")
    every.click()
    assert state(page) == ("01234", "", True, False)
    row(page, 2)
    assert (every.is_checked(), state(page)) == (False, ("0134", "4 rows selected", False, True))
    every.click()
    page.locator("[data-tick-page]").click()
    assert (every.is_checked(), state(page)) == (False, ("", "", False, False))
    every.click()
    every.click()
    assert ticked(page) == ""


def test_the_readers_own_time_stands_beside_one_in_utc(page_of: PageOf) -> None:
    html = "<time datetime=2026-03-01T12:00:00+00:00>12:00 UTC</time><time datetime=never>never</time><time>none</time>"
    page = page_of(html, timezone_id="Asia/Kolkata", locale="en-GB")
    page.evaluate('import("/static/setup/submissions.js")')
    assert page.locator("time").all_text_contents() == [
        "12:00 UTC (1 Mar 2026, 17:30 GMT+5:30, your time)", "never", "none",
    ]  # fmt: skip
