"""The scripts that look into a document on the judging page, each by itself, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STAGE = """<input id=field><div id=stage><iframe class=current srcdoc="<body style='height: 5000px'><p>One two three.
Four five six.</p></body>" style="width: 300px; height: 400px"></iframe></div>"""


@pytest.fixture
def stage(page_of: PageOf) -> Page:
    page = page_of(STAGE)
    page.frame_locator("iframe").locator("p").wait_for()
    page.evaluate("""async () => {
        window.quiet = await import("/static/judging/quiet_frames.js");
        window.focus_ = await import("/static/judging/focus.js");
        window.stage = document.querySelector("#stage");
        window.view = document.querySelector("iframe").contentWindow;
        window.select = (from, to) => {
            const text = view.document.querySelector("p").firstChild;
            view.getSelection().setBaseAndExtent(text, from, text, to);
        };
    }""")
    return page


def test_keys_are_given_to_a_document_that_hears_them(stage: Page) -> None:
    assert stage.evaluate("[quiet.hears(view), quiet.hears(view)]") == [True, True]
    stage.evaluate("document.querySelector('#field').focus(), quiet.enter(view)")
    assert stage.evaluate("document.activeElement.tagName") == "IFRAME"


def test_keys_stay_with_the_page_where_a_document_does_not_hear_them(stage: Page) -> None:
    stage.evaluate("view.dispatchEvent = () => true")
    assert stage.evaluate("[quiet.hears(view), quiet.hears(view)]") == [False, False]
    stage.evaluate("document.querySelector('#field').focus(), quiet.enter(view)")
    assert stage.evaluate("document.activeElement.id") == "field"


def test_the_place_of_the_documents_takes_the_focus_back_from_them_alone(stage: Page) -> None:
    stage.evaluate("quiet.keepFocus(stage)")
    assert stage.evaluate("stage.tabIndex") == 0
    stage.evaluate("view.focus(), dispatchEvent(new Event('blur'))")
    stage.clock.run_for(10)
    assert stage.evaluate("document.activeElement.id") == "stage"
    stage.evaluate("document.querySelector('#field').focus(), dispatchEvent(new Event('blur'))")
    stage.clock.run_for(10)
    assert stage.evaluate("document.activeElement.id") == "field"


def test_what_is_selected_in_the_document_is_copied_from_its_place(stage: Page) -> None:
    stage.evaluate("""() => {
        quiet.keepFocus(stage);
        window.copied = () => {
            const clipboardData = new DataTransfer();
            const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true });
            document.dispatchEvent(event);
            return [event.clipboardData.getData("text/plain"), event.defaultPrevented];
        };
    }""")
    stage.evaluate("stage.focus()")
    assert stage.evaluate("copied()") == ["", False]
    stage.evaluate("select(4, 7)")
    assert stage.evaluate("copied()") == ["two", True]
    stage.evaluate("document.querySelector('#field').focus()")
    assert stage.evaluate("copied()") == ["", False]


def test_scrolling_selecting_and_pointing_are_seen_from_the_page(stage: Page) -> None:
    stage.evaluate("""() => {
        window.signs = 0;
        window.inside = view;
        quiet.watchFor(() => inside, () => signs++);
    }""")

    def signs_after(change: str, milliseconds: int = 110) -> int:
        before = stage.evaluate("signs")
        stage.evaluate(f"() => {{ {change} }}")
        stage.clock.run_for(milliseconds)
        return int(stage.evaluate("signs")) - before

    assert signs_after("") == 0
    assert signs_after("view.scrollTo(0, 100)") == 1
    assert signs_after("") == 0
    assert signs_after("select(0, 3)") == 1
    assert signs_after("select(0, 7)") == 1
    assert signs_after("window.inside = null; view.scrollTo(0, 0)") == 0
    assert signs_after("window.inside = view", 10) == 0
    assert signs_after("") == 1
    assert signs_after("", 2_000) == 0
    stage.mouse.move(100, 60)
    assert signs_after("", 1_000) == 1


def press(page: Page, key: str, **modifiers: bool) -> list[Any]:
    return page.evaluate(
        """([key, modifiers]) => {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...modifiers });
        stage.dispatchEvent(event);
        const selected = String(view.getSelection());
        return [event.defaultPrevented, view.scrollY, selected.replace(/\\s+/g, " ").trim()];
    }""",
        [key, modifiers],
    )  # type: ignore[no-any-return]


def test_keys_on_the_place_of_the_documents_scroll_them_as_they_do_inside(stage: Page) -> None:
    stage.evaluate("focus_.enterFrom(stage, () => view)")
    down = ["ArrowDown", "ArrowDown", "PageDown", " ", "ArrowUp", "PageUp"]
    assert [press(stage, key)[:2] for key in down] == [
        [True, at] for at in (40, 80, 430, 780, 740, 390)
    ]  # fmt: skip
    assert press(stage, " ", shiftKey=True)[:2] == [True, 40]
    stage.evaluate("window.high = view.document.documentElement.scrollHeight - view.innerHeight")
    assert press(stage, "End")[1] == stage.evaluate("high")
    assert press(stage, "Home")[:2] == [True, 0]
    assert press(stage, "ArrowDown", altKey=True)[:2] == [False, 0]
    assert press(stage, "ArrowDown", ctrlKey=True)[:2] == [False, 0]
    assert press(stage, "x")[:2] == [False, 0]
    assert stage.evaluate("document.activeElement.tagName") == "IFRAME"


def test_all_of_a_document_is_selected_from_its_place(stage: Page) -> None:
    stage.evaluate("focus_.enterFrom(stage, () => view)")
    assert press(stage, "a") == [False, 0, ""]
    assert press(stage, "a", ctrlKey=True, shiftKey=True) == [False, 0, ""]
    assert press(stage, "A", metaKey=True) == [True, 0, "One two three. Four five six."]


def test_a_selection_grows_by_characters_words_and_lines_where_keys_do_not_reach_the_document(
    stage: Page,
) -> None:
    stage.evaluate("view.dispatchEvent = () => true, focus_.enterFrom(stage, () => view), select(0, 3)")
    assert press(stage, "ArrowRight")[2] == "One"
    assert press(stage, "ArrowRight", shiftKey=True) == [True, 0, "One"]
    assert press(stage, "ArrowRight", shiftKey=True)[2] == "One t"
    assert press(stage, "ArrowRight", shiftKey=True, ctrlKey=True)[2] == "One two"
    assert press(stage, "ArrowLeft", shiftKey=True, altKey=True)[2] == "One"
    assert press(stage, "ArrowDown", shiftKey=True, metaKey=True)[2] == "One"
    stage.evaluate("select(8, 8)")
    assert press(stage, "ArrowRight", shiftKey=True) == [False, 0, ""]


def test_a_press_elsewhere_or_one_that_was_taken_does_nothing_to_a_document(stage: Page) -> None:
    stage.evaluate("focus_.enterFrom(stage, () => window.none ? null : view)")
    stage.evaluate("document.querySelector('#field').dispatchEvent("
                   "new KeyboardEvent('keydown', { key: 'End', bubbles: true }))")  # fmt: skip
    stage.evaluate("window.none = true")
    assert press(stage, "End")[:2] == [False, 0]
    stage.evaluate(
        "() => { window.none = false; stage.addEventListener('keydown', (e) => e.preventDefault()); }"
    )
    assert press(stage, "End")[:2] == [True, 0]


DOCUMENT = """<h1 data-field=title>A \U0001f40b whale</h1>
<p data-field=text><span data-start=0>First \U0001f40b words</span><i class=ours> of ours </i>
<span class=outside data-start=20>here and there</span></p>"""


def test_pieces_of_a_selection_count_code_points_of_what_is_seen_and_come_back_to_their_places(
    page_of: PageOf,
) -> None:
    page = page_of(DOCUMENT)
    page.evaluate("""async () => {
        window.places = await import("/static/judging/places.js");
        const texts = places.textNodes(document.body).filter(({ data }) => data.trim());
        window.pieces = (from, start, to, end) => {
            const range = document.createRange();
            range.setStart(texts[from], start);
            range.setEnd(texts[to], end);
            return places.piecesIn(document, range);
        };
        window.shown = (...pieces) => places.rangesOf(document, pieces).map(String);
    }""")
    whale = {"field": "title", "start": 2, "end": 9, "text": "\U0001f40b whale"}
    first = {"field": "text", "start": 6, "end": 13, "text": "\U0001f40b words"}
    here = {"field": "text", "start": 20, "end": 24, "text": "here"}
    assert page.evaluate("pieces(0, 1, 0, 10)") == [whale]
    assert page.evaluate("pieces(1, 5, 2, 5)") == [first, here]
    assert page.evaluate("pieces(0, 9, 1, 5)") == [
        {"field": "title", "start": 8, "end": 9, "text": "e"},
        {"field": "text", "start": 0, "end": 5, "text": "First"},
    ]
    assert page.evaluate("pieces(0, 1, 0, 2)") == []
    assert page.evaluate("(document.body.classList.add('passage'), pieces(1, 5, 2, 5))") == [first]
    assert page.evaluate("(pieces) => shown(...pieces)", [whale, first, here]) == [
        "\U0001f40b whale", "\U0001f40b words", "here",
    ]  # fmt: skip
    over = {"field": "text", "start": 6, "end": 24, "text": "\U0001f40b words" + " " * 7 + "here"}
    assert page.evaluate("(over) => shown(over)", over) == ["\U0001f40b words", "here"]
    assert page.evaluate("(one) => shown(one)", whale | {"field": "text"}) == []
    assert page.evaluate("(one) => shown(one)", first | {"text": "\U0001f40b swords"}) == []
    assert page.evaluate("shown()") == []
    assert page.evaluate("places.selectedRange(document)") is None
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    assert page.evaluate("String(places.selectedRange(document))") == "A \U0001f40b whale"
    assert page.evaluate("(getSelection().collapseToStart(), places.selectedRange(document))") is None


def test_words_that_moved_are_found_where_they_are_nearest(page_of: PageOf) -> None:
    page = page_of("<p data-field=text>-\U0001f40bthe sea, the sky and the sea.</p>")
    page.evaluate("""async () => {
        const { placed } = await import("/static/judging/places.js");
        window.at = (start, text, field = "text") => {
            const [one] = placed(document, [{ field, start, end: start + text.length, text }]);
            return [one.start, one.end];
        };
    }""")
    assert page.evaluate('[at(2, "the sea"), at(5, "the sea"), at(23, "the sea"), at(99, "the sea")]') == [
        [2, 9], [2, 9], [23, 30], [23, 30],
    ]  # fmt: skip
    assert page.evaluate('[at(13, "the sea"), at(12, "the sea"), at(0, "the sky"), at(15, "the sky")]') == [
        [23, 30], [2, 9], [11, 18], [11, 18],
    ]  # fmt: skip
    assert page.evaluate('[at(5, "lake"), at(5, "the sea", "title")]') == [[5, 9], [5, 12]]


def test_a_near_duplicates_grade_is_offered_unless_the_documents_differ_in_what_matters(
    page_of: PageOf,
) -> None:
    page = page_of("""<p id=twin hidden><b id=twin-title></b><i id=twin-grade></i></p><p id=said></p>
        <p id=twin-apart hidden><b id=twin-apart-title></b><i id=twin-reasons></i></p>""")
    page.evaluate("""async () => {
        const { Queue } = await import("/static/judging/queue.js");
        const { Twins } = await import("/static/judging/near_duplicates.js");
        const open = { state: "open", kind: null, grade: null, seq: null, near: "n", later: false };
        const mine = { ...open, state: "mine", kind: "grade", grade: 1, seq: 3 };
        const others = ["b", "c"].map((document_id) => ({ ...open, document_id }));
        const queue = new Queue([{ ...mine, document_id: "a" }, ...others]);
        const twins = new Twins(queue, [{ grade: 1, name: "Relevant" }]);
        const twin = (document_id, reasons) => ({ document_id, name: `Document ${document_id}`, reasons });
        const shown = (document_id, of, ...reasons) => ({ document_id, twin: of && twin(of, reasons) });
        window.texts = () => {
            for (const place of document.querySelectorAll("b, i, #said")) place.textContent = "";
        };
        window.show = (...one) => {
            texts();
            twins.show(one[0] && shown(...one));
            const seen = ["twin", "twin-apart"].filter((id) => !document.getElementById(id).hidden);
            return seen.join() + document.body.innerText.trim();
        };
        window.offered = (...one) => {
            const item = twins.offered(one[0] && shown(...one));
            return [item?.document_id ?? null, document.querySelector("#said").textContent];
        };
    }""")
    assert page.evaluate("show('b', 'a')").split() == ["twinDocument", "aRelevant"]
    assert page.evaluate("show('b', 'a', 'numbers', 'dates')").split() == [
        "twin-apartDocument",
        "anumbers,",
        "dates",
    ]
    assert (
        page.evaluate("[show('b', 'c'), show('b', 'gone'), show('b'), show('a', 'a'), show(null)]")
        == [""] * 5
    )
    assert page.evaluate("(texts(), offered('b', 'a'))") == ["a", ""]
    assert page.evaluate("offered('b', 'a', 'numbers', 'dates')") == [
        None, "Grade not copied: the documents differ in numbers, dates",
    ]  # fmt: skip
    assert page.evaluate("offered('b', 'c')") == [None, "No near duplicate has a grade"]
    assert page.evaluate("offered(null)") == [None, "No near duplicate has a grade"]
