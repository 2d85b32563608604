"""Near duplicates in a real browser: what differs is seen, heard and found on the map, and decides about the grade."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.judging.judging_page import at_rest, can_judge, inside, log, press, ready, saved, select
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


REPORT = (
    "The river froze from bank to bank in the night, and in the morning children walked over it to their "
    "school, while the fishermen cut holes into the ice and waited there for the whole of the short day, "
    "and the mayor asked everybody to keep away from the bridge until the wind had turned again to the {}."
)


def numbered(first: int, last: int) -> str:
    """Paragraphs of which each is like no other."""
    return "\n\n".join(
        " ".join(f"{name}{number}" for name in "alpha beta gamma delta epsilon zeta eta theta".split() * 4)
        + "."
        for number in range(first, last)
    )


RELEVANT = "The river froze from bank to bank."
WHOLE = f"{numbered(0, 60)}\n\n{RELEVANT}\n\n{numbered(60, 80)}"
COPY = f"{numbered(0, 60)}\n\n{numbered(60, 80)}"


@pytest.fixture
def twins(make_campaign: MakeCampaign) -> Path:
    """Five documents, of which d1, d3 and d5 are almost the same."""
    texts = {
        "d1": REPORT.format("south"),
        "d2": "A lake.",
        "d3": REPORT.format("west"),
        "d4": "Another lake.",
        "d5": REPORT.format("north"),
    }
    titles = {"d1": "South", "d2": "Lake", "d3": "South", "d4": "Lake", "d5": "South"}
    documents = [Document(name, titles[name], text) for name, text in texts.items()]
    return make_campaign("twins", [Topic("1", "rivers")], documents, {"alpha": {"1": list(texts)}})


@pytest.fixture
def copies(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Ben has judged `a`, the whole text, as relevant; `b` is the same without its one relevant sentence."""
    documents = [
        Document("a", "A winter", WHOLE),
        Document("b", "A winter", COPY),
        Document("c", "Other", "A lake."),
    ]
    path = make_campaign(
        "copies", [Topic("1", "frozen rivers")], documents, {"alpha": {"1": ["a", "b", "c"]}}
    )
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "a", 1)
    return path


def shows(page: Page, text: str) -> None:
    expect(inside(page).locator("main")).to_contain_text(text)
    can_judge(page)


def test_near_duplicates_follow_one_another_with_their_difference_marked_and_one_key_takes_the_grade(
    visit: Visit, twins: Path
) -> None:
    page = visit("/c/twins/judge?topic=1")
    shows(page, "south")
    expect(page.locator("#twin")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator("#said")).to_contain_text("No near duplicate")
    page.keyboard.press("1")
    shows(page, "west")
    expect(inside(page).locator(".almost")).to_have_text(
        "Near duplicate of South: 1 word missing, 1 word new."
    )
    expect(inside(page).locator("main mark.changed")).to_have_text(["west"])
    expect(inside(page).locator("main del.missing")).to_have_text(["south"])
    expect(page.locator("#twin")).to_have_text("sSame grade as South: Relevant")
    key, words = page.locator("#twin > *").all()
    box, said = key.bounding_box(), words.bounding_box()
    assert box and said
    assert box["x"] + box["width"] <= said["x"], "the key is beside the words, not above them"
    page.keyboard.press("s")
    shows(page, "north")
    expect(inside(page).locator("main mark.changed")).to_have_text(["north"])
    page.locator("[data-action='same as before']").click()
    ready(page, "Lake")
    expect(page.locator("#twin")).to_be_hidden()
    saved(page)
    rows = [(row.document_id, row.grade, row.input, row.same_as) for row in log(twins)]
    assert rows == [("d1", 1, "key", None), ("d3", 1, "same", "d1"), ("d5", 1, "button", "d3")]
    press(page, "u")
    shows(page, "north")
    expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
    press(page, "0")
    ready(page, "Lake")
    saved(page)
    assert [(row.document_id, row.grade, row.same_as) for row in log(twins)[3:]] == [("d5", 0, None)]


def test_the_grade_of_a_copy_without_the_relevant_sentence_is_not_offered_and_no_key_takes_it(
    visit: Visit, copies: Path
) -> None:
    page = visit("/c/copies/judge?topic=1")
    ready(page, "A winter")
    expect(inside(page).locator(".almost")).to_have_text(
        "Near duplicate of A winter: 7 words missing, none new; among them marked words."
    )
    expect(page.locator("#twin")).to_be_hidden()
    expect(page.locator("#twin-apart")).to_have_text(
        "Differs from A winter in marked words: judge it separately."
    )
    page.keyboard.press("s")
    expect(page.locator("#said")).to_contain_text("Grade not copied")
    press(page, "0")
    ready(page, "Other")
    saved(page)
    assert [(row.document_id, row.grade, row.same_as) for row in log(copies)[1:]] == [("b", 0, None)]


IN_SIGHT = """(place) => {
    const { top, bottom } = place.getBoundingClientRect();
    return top > 0 && bottom < place.ownerDocument.defaultView.innerHeight;
}"""


def test_a_copy_opens_at_its_first_difference_which_is_on_the_map_with_the_summary_in_sight(
    visit: Visit, copies: Path
) -> None:
    page = visit("/c/copies/judge?topic=1")
    at_rest(page)
    missing = inside(page).locator("main del.missing")
    expect(missing).to_have_text(RELEVANT.rstrip("."))
    assert missing.evaluate(IN_SIGHT)
    assert missing.evaluate("(place) => place.ownerDocument.defaultView.scrollY") > 1000
    expect(inside(page).locator(".almost")).to_be_in_viewport()
    expect(page.locator("#hit-map .map-ticks")).to_have_attribute("d", "")
    expect(page.locator("#hit-map .map-differences")).to_have_attribute("d", "M0 745h8")
    page.locator("#hit-map").click(position={"x": 4, "y": 4})
    expect(missing).to_have_class("missing current")
    press(page, "n")
    expect(page.locator("#said")).to_have_text("1 of 1")


def test_what_is_missing_is_no_text_of_the_document_for_rationales_and_finding(
    visit: Visit, copies: Path
) -> None:
    page = visit("/c/copies/judge?topic=1")
    ready(page, "A winter")
    press(page, "m")
    expect(page.locator("#said")).to_contain_text("Select some text")
    select(page, "theta59", "beta60")
    page.keyboard.press("m")
    expect(page.locator("#rationales li").first).to_be_visible()
    press(page, "/")
    page.keyboard.type("bank to bank")
    expect(page.locator("#find-count")).to_have_text("Not found")
    page.keyboard.press("Escape")
    press(page, "0")
    saved(page)
    (first, *_, last) = log(copies)[-1].rationales
    assert COPY[first.start : first.end] == first.text
    assert COPY[last.start : last.end] == last.text
    assert last.text == "alpha60 beta60"


def test_differences_are_distinguished_without_colours_and_spoken(visit: Visit, twins: Path) -> None:
    page = visit("/c/twins/judge?topic=1")
    shows(page, "south")
    page.keyboard.press("1")
    shows(page, "west")
    line = (
        "(place) => [getComputedStyle(place).textDecorationLine, getComputedStyle(place).textDecorationStyle]"
    )
    assert inside(page).locator("main del.missing").evaluate(line) == ["line-through", "solid"]
    assert inside(page).locator("main mark.changed").evaluate(line) == ["underline", "dotted"]
    spoken = inside(page).locator("main").aria_snapshot()
    assert 'to the - deletion: "missing: south (end of what is missing)" - mark: "new: west"' in " ".join(
        spoken.split()
    )
