"""Input in a real browser: which press or click judges what, notes, documents put off, keys of one's own, the focus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import (
    can_judge,
    inside,
    loaded_ahead,
    log,
    press,
    press_at_once,
    ready,
    saved,
    short,
)
from tests.web.judging.outboxes import until
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import bookmarks, preferences

pytestmark = [pytest.mark.browser, pytest.mark.slow]


WATCH_SCROLLING = """() => {
    const inside = document.querySelector("iframe.current").contentWindow;
    window.hasScrolled = false;
    inside.addEventListener("scrollend", () => (window.hasScrolled = true), { once: true });
    return inside.scrollY;
}"""

LONG = "\n\n".join(f"Paragraph {number} of a long text about rivers that freeze." for number in range(80))


@pytest.fixture
def long(make_campaign: MakeCampaign) -> Path:
    """The campaign `long`: three documents that are longer than the window, without marked words."""
    documents = [Document(f"d{number}", f"Long {number}", LONG) for number in range(1, 4)]
    return make_campaign("long", [Topic("1", "lakes")], documents, {"alpha": {"1": ["d1", "d2", "d3"]}})


def open_small(
    visit: Visit, address: str = "/c/small/judge?topic=1", title: str = "Document 1", **options: object
) -> Page:
    """Ben's page, once its document can be judged."""
    page = visit(address, **options)
    ready(page, title)
    return page


def focus_comes_to_the_document(page: Page) -> None:
    until(page, "document.activeElement === document.querySelector('#stage')")


def settled(page: Page) -> None:
    """Wait for what a press would have done."""
    page.wait_for_timeout(100)


# ---- which press counts


def test_a_grade_pressed_while_the_next_document_comes_grades_neither_and_the_drop_is_seen(
    visit: Visit, small: Path
) -> None:
    page = open_small(visit)
    press_at_once(page, {"key": "j"}, {"key": "1"})
    expect(page.locator("#said[data-kind=ignored]")).to_contain_text("no document yet")
    ready(page, "Document 2")
    assert log(small) == []
    press_at_once(page, {"key": "ArrowLeft"}, {"key": "x"}, {"key": "s"}, {"key": "0"})
    ready(page, "Document 1")
    saved(page)
    assert log(small) == []
    page.keyboard.press("1")
    ready(page, "Document 2")
    saved(page)
    assert short(small) == [("d1", "grade", 1)]


def test_a_second_press_of_later_does_not_postpone_an_unseen_document(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    press_at_once(page, {"key": "l"}, {"key": "l"})
    ready(page, "Document 2")
    expect(page.locator("#progress")).to_have_text("0 of 6 judged, 1 later")
    expect(page.locator("[data-action='later']")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("key", ["c", "/"])
def test_a_field_opened_while_the_next_document_comes_does_not_let_its_digits_grade(
    visit: Visit, small: Path, key: str
) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    held: list[Route] = []
    page.route(re.compile(r"document=d5|api/texts"), lambda route: held.append(route))
    ready(page, "Document 1")
    press(page, "1", "1", "1", "1")
    expect(page.locator("#document")).to_contain_text("Loading")
    page.keyboard.press(key)
    expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
    page.locator("#note").click()
    page.keyboard.type("1 note too early")
    page.unroute_all()  # lets the held requests go
    ready(page, "Document 5")
    page.keyboard.type("1")  # the focus was not taken out of the field
    settled(page)
    expect(page.locator("#note")).to_be_focused()
    expect(page.locator("#note")).to_have_value("1")
    assert len(log(small)) == 4


def test_typing_in_any_field_judges_nothing(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    for opens, field in [("c", "#note"), ("/", "#find-text")]:
        press(page, opens)
        page.keyboard.type("1 0 x l u j s")
        expect(page.locator(field)).to_have_value("1 0 x l u j s")
        page.keyboard.press("Escape")
        expect(page.locator(field)).not_to_be_focused()
    page.locator("#term").click()
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    expect(page.locator("#terms .own")).to_have_count(1)
    page.keyboard.type("01")
    expect(page.locator("#term")).to_have_value("01")
    page.keyboard.press("Escape")
    ready(page, "Document 1")
    expect(page.locator("#progress")).to_have_text("0 of 6 judged")
    assert log(small) == []
    press(page, "1")
    saved(page)
    assert short(small) == [("d1", "grade", 1)]


def test_a_press_in_the_document_that_is_no_grade_judges_nothing(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    for event in [
        {"key": "1", "repeat": True},
        {"key": "1", "ctrlKey": True},
        {"key": "1", "altKey": True},
        {"key": "1", "metaKey": True},
        {"key": "1", "isComposing": True},
        {"key": "1", "keyCode": 229},
        {"key": "End", "code": "Numpad1"},
        {"key": "7", "code": "Digit7"},
    ]:
        press_at_once(page, event)
    settled(page)
    ready(page, "Document 1")
    assert log(small) == []
    expect(page.locator("#said")).to_contain_text("7 is not")


def test_keys_work_after_a_click_a_selection_and_scrolling_in_the_document(visit: Visit, long: Path) -> None:
    page = open_small(visit, "/c/long/judge?topic=1", "Long 1")
    inside(page).locator("p").first.click()
    press(page, "1")
    ready(page, "Long 2")
    inside(page).locator("p").nth(1).dblclick()
    until(page, "String(document.querySelector('iframe.current').contentWindow.getSelection()).trim()")
    press(page, "0")
    ready(page, "Long 3")
    page.mouse.move(300, 400)
    page.mouse.wheel(0, 500)
    until(page, "document.querySelector('iframe.current').contentWindow.scrollY > 400")
    press(page, "1")
    expect(page.locator(".finished")).to_be_visible()
    saved(page)
    assert short(long) == [("d1", "grade", 1), ("d2", "grade", 0), ("d3", "grade", 1)]


# ---- buttons


@pytest.mark.parametrize("key", ["Enter", " "])
def test_a_focused_grade_button_judges_once_by_the_keyboard(visit: Visit, small: Path, key: str) -> None:
    page = open_small(visit)
    page.locator("[data-grade='1']").focus()
    page.keyboard.down(key)
    page.wait_for_timeout(300)
    page.keyboard.down(key)
    page.keyboard.up(key)
    ready(page, "Document 2")
    focus_comes_to_the_document(page)
    page.keyboard.press("Enter")
    settled(page)
    # Pressed before the document was there for a quarter of a second, a button does nothing.
    page.evaluate("""() => {
        document.dispatchEvent(new KeyboardEvent("keydown", {key: "j"}));
        document.querySelector("[data-grade='1']").click();
    }""")
    expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
    ready(page, "Document 3")
    saved(page)
    assert short(small) == [("d1", "grade", 1)]


def test_arrow_keys_on_a_grade_button_judge_nothing(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
        can_judge(page)
        page.locator("[data-grade='0']").focus()
        page.keyboard.press(key)
        settled(page)
    can_judge(page)
    saved(page)
    assert log(small) == []


# ---- notes, later, stay, undo


def test_a_note_survives_looking_elsewhere_and_a_reload_and_goes_with_the_judgment(
    visit: Visit, small: Path
) -> None:
    page = open_small(visit)
    press(page, "c")
    page.keyboard.type("Is it 1 or 2?")
    page.keyboard.press("Escape")
    press(page, "j")
    ready(page, "Document 2")
    expect(page.locator("#note")).to_have_value("")
    page.reload()
    ready(page, "Document 2")
    press(page, "k")
    ready(page, "Document 1")
    expect(page.locator("#note")).to_have_value("Is it 1 or 2?")
    page.keyboard.press("1")
    ready(page, "Document 2")
    press(page, "u")
    expect(page.locator("#note")).to_have_value("Is it 1 or 2?")
    ready(page, "Document 1")
    page.locator("#note").fill("It is 1.")
    page.locator("#keep-remarks").click()
    ready(page, "Document 2")
    saved(page)
    assert [(row.grade, row.comment) for row in log(small)] == [(1, "Is it 1 or 2?"), (1, "It is 1.")]
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes(':remarks:'))") == []


def test_a_note_that_is_being_written_is_not_disturbed_when_the_document_is_marked_again(
    visit: Visit, small: Path
) -> None:
    page = open_small(visit, intercepted=True)
    held: list[Route] = []
    page.route("**/api/terms", lambda route: held.append(route))
    page.locator("#term").fill("text")
    page.keyboard.press("Enter")
    page.locator("#term").fill("text 2")  # another word, while the first is on its way
    page.locator("#note").click()
    page.keyboard.type("before ")
    frames: list[Route] = []
    page.route(re.compile("document-frame"), lambda route: frames.append(route))
    page.unroute("**/api/terms")
    for route in held:
        route.continue_()
    expect(page.locator("#document")).to_have_attribute("aria-busy", "true")
    page.keyboard.type("during 1 ")
    page.unroute_all()
    expect(inside(page).locator("mark.own")).to_have_text("text")
    can_judge(page)
    page.keyboard.type("after 0")
    expect(page.locator("#note")).to_have_value("before during 1 after 0")
    expect(page.locator("#term")).to_have_value("text 2")
    assert log(small) == []
    page.keyboard.press("Escape")
    press(page, "1")
    saved(page)
    assert log(small)[0].comment == "before during 1 after 0"


def test_what_is_postponed_moves_on_is_counted_and_comes_at_the_end(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    press(page, "l")
    ready(page, "Document 2")
    expect(page.locator("#progress")).to_have_text("0 of 6 judged, 1 later")
    press(page, "l")
    ready(page, "Document 3")
    expect(page.locator("#progress")).to_have_text("0 of 6 judged, 2 later")
    press(page, "1", "1", "1", "1")
    ready(page, "Document 1")
    later = page.locator("[data-action='later']")
    expect(later).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("l")  # once more takes it back
    expect(page.locator("#progress")).to_have_text("4 of 6 judged, 1 later")
    expect(later).to_have_attribute("aria-disabled", "false")
    press(page, "1")
    ready(page, "Document 2")
    page.keyboard.press("l")
    expect(page.locator("#progress")).to_have_text("5 of 6 judged")
    page.keyboard.press("l")
    expect(page.locator("#said")).to_contain_text("no other document")
    ready(page, "Document 2")
    press(page, "u")
    ready(page, "Document 1")
    press(page, "l")
    expect(page.locator("#said")).to_contain_text("not yet judged")
    expect(later).to_have_attribute("aria-disabled", "true")
    assert later.evaluate("(button) => getComputedStyle(button).opacity") == "0.45"
    press(page, "j", "0")
    expect(page.locator(".finished")).to_be_visible()
    expect(later).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#progress")).to_have_text("6 of 6 judged")


def test_once_a_topic_is_complete_the_buttons_of_the_document_are_dimmed_and_say_why(
    visit: Visit, small: Path
) -> None:
    page = open_small(visit)
    buttons = [page.locator(f".reading [data-action='{name}']") for name in ("next hit", "find", "rationale")]
    for button in buttons:
        expect(button).to_have_attribute("aria-disabled", "false")
    press(page, "1", "1", "1", "1", "1", "1")
    expect(page.locator(".finished")).to_be_visible()
    for button in buttons:
        expect(button).to_have_attribute("aria-disabled", "true")
        assert button.evaluate("(button) => getComputedStyle(button).opacity") == "0.45"
        page.locator("#said").evaluate("(said) => said.replaceChildren()")
        button.click(force=True)
        expect(page.locator("#said")).to_have_text("Topic complete")
    expect(page.locator("#find")).to_be_hidden()
    press(page, "u")
    ready(page, "Document 6")
    for button in buttons:
        expect(button).to_have_attribute("aria-disabled", "false")


def test_putting_off_survives_a_reload_and_a_time_offline_and_ends_with_the_judgment(
    visit: Visit, small: Path
) -> None:
    page = open_small(visit)
    loaded_ahead(page)
    page.context.set_offline(True)
    press(page, "l", "l", "l")
    ready(page, "Document 4")
    press(page, "k", "1")  # judged before the server has heard that it was put off
    ready(page, "Document 4")
    page.on("dialog", lambda dialog: dialog.accept())
    page.context.set_offline(False)
    saved(page)

    def put_off() -> set[str]:
        with open_campaign(small) as campaign:
            return bookmarks.of_topic(campaign, "Ben", "1")

    until(page, "!Object.keys(localStorage).some((key) => key.includes(':later:'))")
    assert put_off() == {"d1", "d2"}
    page.reload()
    ready(page, "Document 4")
    expect(page.locator("#progress")).to_have_text("1 of 6 judged, 2 later")
    press(page, "k", "ArrowLeft", "0")
    ready(page, "Document 4")
    saved(page)
    assert put_off() == {"d1"}


def test_stay_shows_the_grade_and_goes_on_only_when_asked(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    press(page, "y", "1")
    can_judge(page)
    ready(page, "Document 1")
    expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
    expect(page.locator("[data-grade='1']")).to_have_attribute("aria-checked", "true")
    press(page, "0")
    expect(page.locator("#mine")).to_have_text("You judged this: Not relevant")
    can_judge(page)
    press(page, "j", "l")
    expect(page.locator("#progress")).to_have_text("1 of 6 judged, 1 later")
    ready(page, "Document 2")
    saved(page)
    page.reload()
    ready(page, "Document 2")
    press(page, "1")
    can_judge(page)
    ready(page, "Document 2")
    press(page, "y", "0")
    ready(page, "Document 3")
    saved(page)
    assert short(small) == [("d1", "grade", 1), ("d1", "grade", 0), ("d2", "grade", 1), ("d2", "grade", 0)]


# ---- keys and preferences of one's own


def test_keys_of_ones_own_work_on_the_page_in_the_document_and_stand_in_the_legend(
    visit: Visit, small: Path
) -> None:
    page = open_small(visit)
    page.keyboard.press("?")
    page.get_by_role("button", name="key of: Can’t").click()
    page.keyboard.press("p")
    expect(page.locator(".keyboard-status")).to_contain_text("p is now")
    page.get_by_role("button", name="key of: Undo:").click()
    page.keyboard.press("z")
    expect(page.locator(".keyboard-status")).to_contain_text("z is now")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("[data-action='cannot tell'] kbd")).to_have_text("p")
    press(page, "x")
    settled(page)
    ready(page, "Document 1")
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'p', bubbles: true}))")
    page.keyboard.press("p")
    ready(page, "Document 2")
    inside(page).locator("p").first.click()
    press(page, "p", "p", "1", "1", "1", "1")
    expect(page.locator(".finished kbd")).to_have_text("z")
    page.keyboard.press("z")
    ready(page, "Document 6")
    saved(page)
    assert [row.kind for row in log(small)[:3]] == ["can't tell", "can't tell", "grade"]
    page.reload()
    ready(page, "Document 6")
    expect(page.locator("[data-action='undo'] kbd")).to_have_text("z")


def test_the_size_of_text_reaches_documents_that_are_there_already_and_those_that_come(
    visit: Visit, small: Path
) -> None:
    sizes = """[...document.querySelectorAll("iframe")].map(
        (frame) => frame.contentWindow.getComputedStyle(frame.contentDocument.documentElement).fontSize)"""
    page = open_small(visit)
    loaded_ahead(page)
    usual = page.evaluate(sizes)
    assert len(set(usual)) == 1
    assert len(usual) >= 4
    page.context.set_offline(True)
    press(page, "+", "+", "-", "+")
    larger = f"{int(usual[0].removesuffix('px')) + 2}px"
    assert page.evaluate(sizes) == [larger] * len(usual)
    page.context.set_offline(False)
    until(page, "!Object.keys(localStorage).some((key) => key.startsWith('preferences:'))")
    with open_campaign(small) as campaign:
        assert preferences.of(campaign, "Ben") == {"size": int(larger.removesuffix("px"))}
    press(page, "j", "j", "j", "j", "j")
    ready(page, "Document 6")
    loaded_ahead(page)
    assert set(page.evaluate(sizes)) == {larger}
    page.reload()
    ready(page, "Document 6")
    loaded_ahead(page)
    assert set(page.evaluate(sizes)) == {larger}


def test_the_preference_to_open_whole_documents_counts_at_once_and_without_a_network(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    text = "\n\n".join(
        f"Paragraph {number}. {'Lake. ' if number == 50 else ''}{'Words. ' * 20}" for number in range(60)
    )
    documents = [Document(name, name, text) for name in ("d1", "d2")]
    make_campaign("lakes", [Topic("1", "lakes")], documents, {"alpha": {"1": ["d1", "d2"]}})
    page = open_small(visit, "/c/lakes/judge?topic=1", "d1")
    loaded_ahead(page)
    expect(inside(page).locator("p[data-start]").first).to_be_hidden()
    page.context.set_offline(True)
    page.keyboard.press("?")
    page.locator("#keys").get_by_role("button", name="Preferences", exact=True).click()
    page.get_by_label("at the beginning").check()
    page.keyboard.press("Escape")
    press(page, "j")
    ready(page, "d2")
    expect(inside(page).locator("p[data-start]").first).to_be_visible()
    page.context.set_offline(False)
    until(page, "!Object.keys(localStorage).some((key) => key.startsWith('preferences:'))")
    page.reload()
    ready(page, "d2")
    expect(inside(page).locator("p[data-start]").first).to_be_visible()


# ---- the focus


def test_after_a_judgment_and_after_a_field_space_scrolls_the_document(visit: Visit, long: Path) -> None:
    scrolled = "document.querySelector('iframe.current').contentWindow.scrollY > 100"
    page = open_small(visit, "/c/long/judge?topic=1", "Long 1")
    page.keyboard.press(" ")
    until(page, scrolled)
    page.locator("[data-grade='1']").click()
    ready(page, "Long 2")
    assert page.evaluate("document.querySelector('iframe.current').contentWindow.scrollY") == 0
    page.keyboard.press(" ")
    until(page, scrolled)
    for field in ("#note", "#term"):
        page.locator(field).click()
        page.keyboard.press("Escape")
        focus_comes_to_the_document(page)
    press(page, "j")
    ready(page, "Long 3")
    press(page, "c")
    page.keyboard.press("Escape")
    page.keyboard.press(" ")
    until(page, scrolled)


@pytest.mark.parametrize("key", ["Space", "PageDown", "ArrowDown"])
def test_the_first_key_scrolls_a_document_as_far_as_the_next_one_inside_it(
    visit: Visit, long: Path, key: str
) -> None:
    page = open_small(visit, "/c/long/judge?topic=1", "Long 1")
    focus_comes_to_the_document(page)
    height = page.evaluate("document.querySelector('iframe.current').contentWindow.innerHeight")
    first = scrolled_by(page, key)
    assert page.evaluate("document.activeElement.className") == "document-frame current"
    assert scrolled_by(page, key) == pytest.approx(first, abs=height / 20)
    assert 0 < first < height
    page.keyboard.press("Home")
    until(page, "document.querySelector('iframe.current').contentWindow.scrollY === 0")
    page.keyboard.press("1")
    ready(page, "Long 2")
    focus_comes_to_the_document(page)


def test_end_and_home_scroll_from_the_documents_place_and_keys_with_a_modifier_do_not(
    visit: Visit, long: Path
) -> None:
    page = open_small(visit, "/c/long/judge?topic=1", "Long 1")
    focus_comes_to_the_document(page)
    page.keyboard.press("Alt+PageDown")
    settled(page)
    assert page.evaluate("document.querySelector('iframe.current').contentWindow.scrollY") == 0
    focus_comes_to_the_document(page)
    page.keyboard.press("End")
    until(
        page,
        """(({innerHeight, scrollY, document}) => innerHeight + scrollY >= document.documentElement.scrollHeight - 1)
        (document.querySelector('iframe.current').contentWindow)""",
    )
    page.locator("#stage").focus()
    page.keyboard.press("Shift+Space")
    until(
        page,
        """(({innerHeight, scrollY, document}) => innerHeight + scrollY < document.documentElement.scrollHeight - 100)
        (document.querySelector('iframe.current').contentWindow)""",
    )


def scrolled_by(page: Page, key: str) -> float:
    """Press a key, wait until nothing moves any more, and say how far the document went."""
    before = float(page.evaluate(WATCH_SCROLLING))
    page.keyboard.press(key)
    until(page, "window.hasScrolled")
    return float(page.evaluate("document.querySelector('iframe.current').contentWindow.scrollY")) - before


def test_coming_back_to_the_window_leaves_the_focus_in_the_note(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    press(page, "c")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    can_judge(page)
    page.keyboard.type("1")
    expect(page.locator("#note")).to_have_value("1")
    assert log(small) == []


def test_dialogs_keep_the_focus_and_give_it_back(visit: Visit, small: Path) -> None:
    page = open_small(visit)
    page.evaluate("""() => {
        window.outside = [];
        const isOutside = (one) => document.querySelector(":modal")?.contains(one) === false;
        const note = ({ target }) => isOutside(target) && window.outside.push(target.outerHTML);
        document.addEventListener("focusin", note);
    }""")
    for key, dialog in [("?", "#keys"), ("g", "#guidelines")]:
        page.keyboard.press(key)
        expect(page.locator(dialog)).to_be_visible()
        for _ in range(page.locator(f"{dialog} button").count() + 3):
            page.keyboard.press("Tab")
        page.keyboard.press("1")
        page.keyboard.press("Escape")
        expect(page.locator(dialog)).to_be_hidden()
        focus_comes_to_the_document(page)
    assert page.evaluate("window.outside") == []
    page.keyboard.press("?")
    page.locator("#keys").get_by_role("button", name="Preferences", exact=True).click()
    expect(page.locator("dialog[open]")).to_have_count(1)
    page.locator("#preferences").get_by_role("button", name="Close").click()
    focus_comes_to_the_document(page)
    ready(page, "Document 1")
    assert log(small) == []
    press(page, "1")
    saved(page)


def test_tab_reaches_every_control_and_the_skip_link_leads_to_the_content(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1&document=d2")
    ready(page, "Document 2")
    press(page, "1", "u")
    ready(page, "Document 2")
    saved(page)
    loaded_ahead(page)
    controls = page.evaluate(
        """() => {
            const all = [...document.querySelectorAll("a[href], button, input, textarea, summary, iframe.current")];
            window.reached = new Set();
            document.addEventListener("focusin", (event) => window.reached.add(event.target));
            document.querySelector(".skip").focus();
            const isWanted = (one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0;
            window.wanted = all.filter((one) => isWanted(one) && !one.closest("dialog"));
            return window.wanted.length;
        }"""
    )
    assert controls > 20
    for _ in range(controls + 5):
        page.keyboard.press("Tab")
    missed = page.evaluate(
        "window.wanted.filter((one) => !window.reached.has(one)).map((one) => one.outerHTML)"
    )
    assert [html for html in missed if "<iframe" not in html] == []
    page.evaluate("document.querySelector('.skip').focus()")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('#main').contains(document.activeElement)")
    assert short(small) == [("d2", "grade", 1)]
