"""An assessor's whole job without a mouse, and what a keyboard reaches on the judging page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.outboxes import until
from workbench.core.records import Document, Judgment, Rationale, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments

pytestmark = [pytest.mark.browser, pytest.mark.slow]


FOCUSED = """() => {
    const element = document.activeElement;
    if (element === document.body) return "";
    const named = element.labels?.[0] ?? element;
    return element.getAttribute("aria-label") ?? named.innerText.trim().replace(/\\s+/g, " ");
}"""


def here(page: Page, title: str) -> None:
    """Wait until a document has been on the screen for long enough to be judged."""
    expect(page.frame_locator("iframe.current").locator("h1")).to_have_text(title)
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")


def tab_to(page: Page, name: str) -> None:
    """Press Tab until what has this name is focused."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if name in page.evaluate(FOCUSED):
            return
    pytest.fail(f"Tab does not reach “{name}”")


def log(path: Path) -> list[Judgment]:
    with open_campaign(path) as campaign:
        return list(judgments.log(campaign))


@pytest.fixture
def rivers(make_campaign: MakeCampaign) -> Path:
    text = "It was a mild winter.  The rivers\nfroze late. Nobody crossed them on foot."
    return make_campaign(
        "rivers",
        [Topic("1", "frozen rivers")],
        [Document(f"d{number}", f"Document {number}", text) for number in range(1, 5)],
        {"alpha": {"1": ["d1", "d2", "d3", "d4"]}},
    )


def test_the_whole_job_is_done_without_a_mouse(browser: Browser, address: str, rivers: Path) -> None:
    context = browser.new_context()
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"{address}/sign-in?next=/c/rivers/")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Ben")
    page.keyboard.press("Tab")
    page.keyboard.type("ben's password")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/c/rivers/")
    tab_to(page, "frozen rivers")
    page.keyboard.press("Enter")
    judge_three_documents(page)
    change_a_key(page)
    page.keyboard.press("b")  # back to what was judged last
    here(page, "Document 3")
    page.keyboard.press("0")
    here(page, "Document 4")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    page.keyboard.press("h")
    page.wait_for_url(f"{address}/c/rivers/history")
    tab_to(page, "Sign out")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sign-in**")
    context.close()
    assert [(row.document_id, row.grade, row.comment) for row in log(rivers)] == [
        ("d1", 1, "Says when."),
        ("d2", 1, ""),
        ("d3", 1, ""),
        ("d3", 0, ""),
    ]


def judge_three_documents(page: Page) -> None:
    here(page, "Document 1")
    page.keyboard.press("c")
    page.keyboard.type("Says when.")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    here(page, "Document 2")
    tab_to(page, "Not relevant")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    here(page, "Document 3")
    page.keyboard.press("1")
    here(page, "Document 4")


def change_a_key(page: Page) -> None:
    page.keyboard.press("?")
    tab_to(page, "Change the key of: Undo: return to your last judgment")
    page.keyboard.press("Enter")
    page.keyboard.press("b")
    expect(page.locator(".keyboard-status")).to_contain_text("b is now the key of")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_without_a_selection_the_sentence_of_the_marked_word_is_kept(visit: Visit, rivers: Path) -> None:
    page = visit("/c/rivers/judge?topic=1")
    here(page, "Document 1")
    page.keyboard.press("m")
    expect(page.locator("#said")).to_contain_text("a marked word")
    page.keyboard.press("n")
    page.keyboard.press("m")
    expect(page.locator("#rationales li")).to_have_count(1)
    page.keyboard.press("1")
    here(page, "Document 2")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    # "It was a mild winter.  " has 23 characters, the sentence after it 22.
    assert log(rivers)[0].rationales == (Rationale("text", 23, 45, "The rivers\nfroze late."),)


def test_what_was_found_is_selected_and_shift_and_arrows_make_it_longer(visit: Visit, rivers: Path) -> None:
    page = visit("/c/rivers/judge?topic=1")
    here(page, "Document 1")
    page.keyboard.press("/")
    page.keyboard.type("crossed")
    page.keyboard.press("Escape")
    for _ in range(len(" them")):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("m")
    expect(page.locator("#rationales q")).to_have_text("crossed them")
    here(page, "Document 1")


def test_the_grades_are_one_stop_of_tab_with_arrows_from_one_to_the_next(visit: Visit, rivers: Path) -> None:
    page = visit("/c/rivers/judge?topic=1")
    here(page, "Document 1")
    tab_to(page, "Not relevant")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-grade='1']")).to_be_focused()
    expect(page.locator("[aria-checked=true]")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-grade='0']")).to_be_focused()
    page.keyboard.press("Tab")
    until(page, f"({FOCUSED})().includes('Guidelines')")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("[data-grade='0']")).to_be_focused()
    here(page, "Document 1")
    assert log(rivers) == []


def test_tab_goes_round_the_page_and_into_no_document_that_is_not_seen(visit: Visit, rivers: Path) -> None:
    page = visit("/c/rivers/judge?topic=1")
    here(page, "Document 1")
    expect(page.locator("iframe")).to_have_count(4)
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.className + ' ' + document.activeElement.tagName"))
    frames = {one for one in seen if "IFRAME" in one}
    assert frames <= {"document-frame current IFRAME"}
    assert len(set(seen)) > 12
