"""What does not move, is not cut off and is not parted: the controls, the dialogs, keys and their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import SEEN_LINES, log, press, ready, saved
from workbench.core.records import Document, Grade, Topic

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOPIC = "/c/small/judge?topic=1"


def opened(visit: Visit, width: int, height: int, address: str = TOPIC) -> Page:
    """The judging page in a window of this size, at its first document."""
    page = visit(address, viewport={"width": width, "height": height})
    ready(page, "Document 1")
    return page


def test_grades_and_keys_stay_where_they_are_when_a_document_is_judged(visit: Visit, small: Path) -> None:
    page = opened(visit, 1440, 900)
    address = page.url.split("?")[0]
    places = "(all) => all.map((one) => one.getBoundingClientRect().top)"
    buttons = page.locator(".grade, .actions button")
    for number, (width, height) in enumerate([(1440, 900), (1366, 768), (720, 450), (390, 844)], start=1):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{address}?topic=1&document=d{number}")
        ready(page, f"Document {number}")
        before = buttons.evaluate_all(places)
        press(page, "1", "k")
        ready(page, f"Document {number}")
        expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
        assert buttons.evaluate_all(places) == before


@pytest.mark.parametrize("size", [(1440, 900), (720, 450)])
def test_the_tour_parts_no_key_from_the_name_of_its_button(
    visit: Visit, small: Path, size: tuple[int, int]
) -> None:
    page = opened(visit, *size, f"{TOPIC}&tour=1")
    tour = page.get_by_role("dialog", name="Tour of")
    apart = []
    for step in range(1, 6):
        expect(tour).to_contain_text(f"{step} of 5")
        apart += tour.locator("p:visible .keyed").evaluate_all(
            """(all) => all.filter(({ children: [key, name] }) => {
                const [line] = name.getClientRects();
                const { top, bottom } = key.getBoundingClientRect();
                return line.top > bottom || line.bottom < top;
            }).map((one) => one.textContent)"""
        )
        tour.locator("#tour-next").click()
    assert apart == []
    expect(tour.locator("kbd:not(.keyed kbd)")).to_have_count(0)


def test_each_key_of_the_list_has_one_line_and_all_preferences_are_seen_at_once(
    visit: Visit, small: Path
) -> None:
    page = opened(visit, 1366, 768)
    page.locator(".key-button").click()
    heights = page.locator(".keyboard-label").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert set(heights) == {20}
    page.locator("#keys").get_by_role("button", name="Preferences", exact=True).click()
    expect(page.locator("#preferences")).to_be_visible()
    hidden = page.locator("#preferences").evaluate("(one) => one.scrollHeight - one.clientHeight")
    assert hidden <= 0


def test_a_digit_with_shift_gives_no_grade(visit: Visit, small: Path) -> None:
    page = opened(visit, 1440, 900)
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Shift+Digit0")
    ready(page, "Document 1")
    press(page, "1")
    ready(page, "Document 2")
    saved(page)
    assert [(row.document_id, row.grade) for row in log(small)] == [("d1", 1)]


def test_buttons_fade_into_the_page_under_that_of_the_letters_and_a_long_title_reaches_over_no_edge(
    visit: Visit, small: Path
) -> None:
    page = opened(visit, 1440, 900)
    said = page.locator("#said")
    for width, height in ((1440, 900), (900, 700), (720, 450), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        ready(page, "Document 1")
        said.evaluate(
            "(one) => (one.innerHTML = `<b>Relevant</b><span class=said-title>${'ice '.repeat(100)}</span>`)"
        )
        left, right = said.evaluate("(one) => ((box) => [box.left, box.right])(one.getBoundingClientRect())")
        assert 0 <= left < right <= width
    for width, height in ((720, 450), (390, 500)):
        page.set_viewport_size({"width": width, "height": height})
        shadow, paper = page.locator(".reading .letters").evaluate(
            "(one) => [getComputedStyle(one).boxShadow, getComputedStyle(one).backgroundColor]"
        )
        assert shadow == f"{paper} -12px 0px 12px 0px"


def test_most_of_a_phone_is_document_and_the_topic_opens_from_the_strip(visit: Visit, small: Path) -> None:
    page = opened(visit, 390, 844)
    assert page.evaluate(SEEN_LINES, "#stage") >= 0.75
    title, progress = page.locator("#topic summary"), page.locator(".strip-progress")
    strip = page.locator(".strip").bounding_box()
    for one in (title, progress):
        box = one.bounding_box()
        assert strip is not None
        assert box is not None
        assert strip["y"] <= box["y"] < box["y"] + box["height"] <= strip["y"] + strip["height"]
    expect(page.locator(".reading")).to_be_hidden()
    page.get_by_role("button", name="Reading tools").click()
    page.locator(".reading [data-action=find]").click()
    expect(page.locator("#find-text")).to_be_focused()
    title.click()
    expect(page.locator(".topic-description")).to_be_in_viewport()
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.locator(".reading:popover-open")).to_have_count(0)
    expect(page.locator(".reading")).to_be_in_viewport()


def test_note_and_marked_words_are_in_sight_on_a_laptop_with_seven_grades(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    grades = [Grade(number, f"Grade {number}", f"What is {number}.") for number in range(7)]
    topic = Topic("1", "frozen rivers", "Which rivers freeze?", "Named rivers count. " * 40)
    made = [Document("d1", "Document 1", "Ice.")]
    make_campaign("seven", [topic], made, {"alpha": {"1": ["d1"]}}, grades=grades)
    page = opened(visit, 1366, 768, "/c/seven/judge?topic=1")
    for part in (".grade", "#note", "#terms", "#term"):
        for one in page.locator(part).all():
            expect(one).to_be_in_viewport(ratio=1)
    guideline = page.locator(".grade-guideline:visible")
    expect(guideline).to_have_count(0)
    page.locator("[data-grade='4']").hover()
    expect(guideline).to_have_text("What is 4.")
