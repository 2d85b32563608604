"""What a screen reader finds on the judging page and hears of it, and what eyes and fingers need of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.judging.judging_page import HEAR, MOVING, ready
from workbench.core.records import Document, Grade, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


GRADES = (Grade(0, "Not relevant"), Grade(1, "Relevant"), Grade(2, "Highly relevant", "All about it."))
TARGETS = "a[href]:not(.skip), button, input, select, textarea, summary, [tabindex='0']"


@pytest.fixture
def rivers(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Six documents, of which Ben has judged the second."""
    path = make_campaign(
        "rivers",
        [Topic("1", "frozen rivers", "Which rivers freeze?", "Named rivers only."), Topic("2", "lakes")],
        [Document(f"d{number}", f"Document {number}", "Rivers freeze.\n\n" * 40) for number in range(1, 7)],
        {"alpha": {"1": [f"d{number}" for number in range(1, 7)], "2": ["d1"]}},
        grades=GRADES,
    )
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "d2", 1, comment="Names the Rhine.")
    return path


def judging(visit: Visit, document: int = 1, **options: Any) -> Page:
    page = visit(f"/c/rivers/judge?topic=1&document=d{document}", **options)
    ready(page, f"Document {document}")
    return page


def test_the_page_has_landmarks_headings_in_order_and_a_radio_group(visit: Visit, rivers: Path) -> None:
    page = judging(visit, document=2)
    expect(page.locator("body")).to_match_aria_snapshot(
        """
        - banner:
          - link "Back to the topics"
          - heading "1 frozen rivers" [level=1]
          - paragraph:
            - progressbar "Judged"
          - button "Saved"
          - button "Keys and preferences"
        - main:
          - region "Document":
            - group "Document 2":
              - iframe
            - group "Reading"
          - complementary "Topic and grades":
            - group:
              - heading "frozen rivers" [level=2]
              - paragraph: Which rivers freeze?
            - radiogroup "Grade":
              - radio "0 Not relevant"
              - radio "1 Relevant" [checked]
              - radio "2 Highly relevant All about it."
            - status: "You judged this: Relevant"
            - group "Without a grade":
              - button "x Can’t tell"
              - button "l Postpone"
              - button "u Undo"
              - button "k Previous"
              - button "j Next"
            - region "Note and rationales":
              - textbox "c Note stored with the judgment; Esc leaves the field": Names the Rhine.
            - region "Marked words":
              - heading "Marked words" [level=3]
            - region "Your last judgments":
              - heading "Your last judgments" [level=3]
              - link "All your judgments"
        """
    )


def test_the_frame_is_called_what_its_document_is_and_the_others_are_not_there(
    visit: Visit, rivers: Path
) -> None:
    page = judging(visit)
    expect(page.locator("iframe").nth(3)).to_be_attached()
    expect(page.locator("iframe.current")).to_have_attribute("title", "Document 1")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    frames = [node for node in tree if node["role"]["value"] == "Iframe" and not node["ignored"]]
    assert [frame["name"]["value"] for frame in frames] == ["Document 1"]


def test_a_judgment_is_heard_once_and_its_saving_not_at_all(visit: Visit, rivers: Path) -> None:
    page = judging(visit, document=3)
    page.evaluate(HEAR)
    page.keyboard.press("1")
    ready(page, "Document 4")
    page.keyboard.press("2")
    ready(page, "Document 5")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    assert page.evaluate("heard") == ["Relevant", "Highly relevant"]
    # The focus is on the place of the next document, which is called by its title.
    assert page.evaluate("document.activeElement.ariaLabel") == "Document 5"


def test_going_back_to_a_judged_document_tells_its_grade(visit: Visit, rivers: Path) -> None:
    page = judging(visit, document=3)
    page.evaluate(HEAR)
    page.keyboard.press("u")
    ready(page, "Document 2")
    assert page.evaluate("heard") == ["You judged this: Relevant"]


def test_writing_a_note_is_not_talked_into(visit: Visit, rivers: Path) -> None:
    page = judging(visit)
    page.evaluate(HEAR)
    page.keyboard.press("c")
    page.keyboard.type("Names 2 rivers.")
    assert page.evaluate("heard") == []


@pytest.mark.parametrize(
    ("dialog", "name"),
    [
        ("keys", "Keys"),
        ("preferences", "Preferences"),
        ("guidelines", "Guidelines"),
        ("unsent", "Unsent judgments"),
    ],
)
def test_a_dialog_has_a_name_and_gives_the_focus_back(
    visit: Visit, rivers: Path, dialog: str, name: str
) -> None:
    page = judging(visit)
    page.evaluate("(id) => document.getElementById(id).showModal()", dialog)
    expect(page.get_by_role("dialog", name=name, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(f"#{dialog}")).to_be_hidden()
    page.keyboard.press("1")
    ready(page, "Document 3")


def targets(page: Page) -> list[tuple[str, float, float]]:
    """Width and height of everything that can be pressed and is to be seen."""
    found = page.locator(TARGETS).evaluate_all(
        """(all) => all.filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => {
            const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
            return [one.outerHTML.slice(0, 80), width, height];
        })"""
    )
    return [(str(html), float(width), float(height)) for html, width, height in found]


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(
    ("options", "least"), [(PHONE, 44), ({"viewport": {"width": 1280, "height": 800}}, 24)]
)
def test_targets_are_large_enough(visit: Visit, rivers: Path, options: dict[str, Any], least: int) -> None:
    page = judging(visit, document=2, **options)
    page.get_by_label("Mark another word").fill("Rhine")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".term.own")).to_be_visible()
    ready(page, "Document 2")
    page.locator("#find").evaluate("(bar) => (bar.hidden = false)")
    page.locator("#topic").evaluate("(topic) => (topic.open = true)")
    small = [
        f"{width:.0f} x {height:.0f}: {html}"
        for html, width, height in targets(page)
        if min(width, height) < least
    ]
    assert "\n".join(small) == ""


def test_the_focus_is_seen_wherever_it_is(visit: Visit, rivers: Path) -> None:
    page = judging(visit, document=2)
    unseen = []
    for _ in range(30):
        page.keyboard.press("Tab")
        unseen += page.evaluate(
            """() => {
                const { activeElement: element } = document;
                const { outlineStyle, outlineWidth } = getComputedStyle(element);
                const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
                return seen || element === document.body ? [] : [element.outerHTML.slice(0, 80)];
            }"""
        )
    assert "\n".join(unseen) == ""


def test_nothing_moves_for_those_who_want_no_motion(visit: Visit, rivers: Path) -> None:
    page = judging(visit, reduced_motion="reduce")
    assert page.evaluate(MOVING) == []


def test_forced_colours_leave_grades_marks_and_state_to_be_told_apart(visit: Visit, rivers: Path) -> None:
    page = judging(visit, document=2, forced_colors="active")
    checked = page.locator("[aria-checked=true]")
    assert checked.evaluate("(radio) => getComputedStyle(radio).outlineStyle") == "solid"
    dot = page.locator("#save-state").evaluate(
        "(state) => getComputedStyle(state, '::before').backgroundColor"
    )
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    mark = page.frame_locator("iframe.current").locator("main mark").first
    background = mark.evaluate("(mark) => getComputedStyle(mark).backgroundColor")
    assert dot not in (paper, "rgba(0, 0, 0, 0)")
    assert background not in (paper, "rgba(0, 0, 0, 0)")


SPACE_OUT = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; }
        * { word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`);
    document.adoptedStyleSheets = [sheet];
}"""

REACHED = """(target) => {
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const here = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isCut = target.tagName === "BUTTON" && target.scrollWidth > target.clientWidth + 1;
    const isThere = (target.contains(here) || here?.contains(target)) && left >= 0 && right <= innerWidth;
    return isThere && !isCut;
}"""


@pytest.mark.parametrize("size", [{"width": 720, "height": 450}, {"width": 1440, "height": 900}])
def test_nothing_is_out_of_reach_at_200_percent_and_with_spaced_text(
    visit: Visit, rivers: Path, size: dict[str, int]
) -> None:
    page = judging(visit, document=2, viewport=size)
    assert_all_in_reach(page)
    page.evaluate(SPACE_OUT)
    assert_all_in_reach(page)


def assert_all_in_reach(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    out_of_reach = []
    for target in page.locator("button, a[href]:not(.skip), textarea, input").all():
        if not target.is_visible():
            continue
        target.scroll_into_view_if_needed()
        if not target.evaluate(REACHED):
            out_of_reach.append(target.evaluate("(target) => target.outerHTML.slice(0, 80)"))
    assert "\n".join(out_of_reach) == ""
