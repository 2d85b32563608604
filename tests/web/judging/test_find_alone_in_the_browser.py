"""Finding words in a document and choosing whole ones, each script by itself and without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BAR = """<div id=find hidden><input id=find-text><output id=find-count></output>
<button id=find-next></button><button id=find-previous></button><button id=find-close></button></div>"""
FIND = """async ([text, isPassage]) => {
    const { Find } = await import("/static/judging/find.js");
    const frame = document.createElement("iframe");
    frame.style.height = "300px";
    frame.srcdoc = text;
    document.body.append(frame);
    await new Promise((done) => frame.addEventListener("load", done));
    window.inside = frame.contentDocument;
    window.done = [];
    const viewer = { inside, focus: () => done.push("focus") };
    window.find = new Find(viewer, { isPassage, toggleWhole: () => done.push("whole") });
    window.box = document.querySelector("#find-text");
    window.count = () => document.querySelector("#find-count").textContent;
    window.look = (words) => {
        box.value = words;
        box.dispatchEvent(new Event("input"));
        return count();
    };
    window.coloured = (name) => [...(frame.contentWindow.CSS.highlights.get(name) ?? [])].map(String);
    window.click = (id) => (document.querySelector(`#find-${id}`).click(), count());
    find.open();
}"""
TWO = "<body style='margin: 0'><div style='height: 2000px'></div><p style='margin: 0'>The sea.</p>{}<p>A sea"
FAR = "<div style='height: 2000px'></div>"


def finding(page_of: PageOf, text: str, *, passage: bool = False) -> Page:
    """A page on which words are looked for in a document of a window of 300 pixels."""
    page = page_of(BAR)
    page.evaluate(FIND, [text, passage])
    return page


def test_the_first_place_is_shown_a_third_down_the_window_and_the_others_in_turn(page_of: PageOf) -> None:
    page = finding(page_of, TWO.format(FAR) + FAR)
    top = "Math.round(inside.querySelector('p').getBoundingClientRect().top)"
    assert page.evaluate(f"[look('sea'), {top}]") in (["1 of 2", 100], ["1 of 2", 99], ["1 of 2", 101])
    assert page.evaluate("[coloured('find'), coloured('find-now')]") == [["sea", "sea"], ["sea"]]
    assert page.evaluate("['next', 'next', 'previous', 'previous'].map(click)") == [
        "2 of 2", "1 of 2", "2 of 2", "1 of 2",
    ]  # fmt: skip
    assert page.evaluate("[look('lake'), coloured('find'), look(' '), coloured('find-now')]") == [
        "Not found", [], "", [],
    ]  # fmt: skip


def test_enter_goes_on_and_escape_leaves_with_the_place_selected(page_of: PageOf) -> None:
    page = finding(page_of, TWO.format(""))
    assert page.evaluate("[find.isOpen, document.activeElement === box]") == [True, True]
    page.evaluate("look('sea')")
    page.keyboard.press("Enter")
    assert page.evaluate("count()") == "2 of 2"
    page.keyboard.press("Shift+Enter")
    assert page.evaluate("count()") == "1 of 2"
    page.keyboard.press("a")
    assert page.evaluate("[find.isOpen, box.value, done]") == [True, "seaa", []]
    page.evaluate("look('The sea')")
    page.keyboard.press("Escape")
    assert page.evaluate("[find.isOpen, done, String(inside.getSelection())]") == [
        False,
        ["focus"],
        "The sea",
    ]
    assert page.evaluate("[coloured('find'), coloured('find-now')]") == [[], []]
    page.evaluate("find.open()")
    assert page.evaluate("[count(), box.selectionStart, box.selectionEnd]") == ["1 of 1", 0, 7]
    assert page.evaluate("(click('close'), find.isOpen)") is False


def test_words_are_found_within_a_block_as_they_are_written(page_of: PageOf) -> None:
    page = finding(
        page_of,
        "<p>One<b>two</b> three<br>four</p><p>five (six)</p><p>caf\u00e9</p><p>\u6d77\n\u5cb8</p>"
        "<p>A <span class=joint>-</span>seven</p>",
    )
    found = {
        "onetwo   three": "1 of 1",
        "three four": "1 of 1",
        "threefour": "Not found",
        "fourfive": "Not found",
        "(six)": "1 of 1",
        "(six": "1 of 1",
        "s.x": "Not found",
        "cafe\u0301": "1 of 1",
        "\u6d77\u5cb8": "1 of 1",
        "-": "Not found",
        "A seven": "1 of 1",
    }
    assert {words: page.evaluate("look", words) for words in found} == found
    assert page.evaluate("[look('TWO THREE'), coloured('find')]") == ["1 of 1", ["two three"]]
    nodes = (
        "find.places.flatMap(({ startContainer, endContainer }) => [startContainer.data, endContainer.data])"
    )
    assert page.evaluate(f"(look('two'), {nodes})") == ["two", "two"]


def test_a_thousand_places_are_shown_and_no_more(page_of: PageOf) -> None:
    page = finding(page_of, "<p>" + "ox " * 1001)
    assert page.evaluate("[look('ox'), coloured('find').length]") == ["1 of 1000+", 1000]
    page.evaluate("inside.querySelector('p').textContent = 'ox '.repeat(999)")
    assert page.evaluate("look('ox')") == "1 of 999"


def test_a_place_outside_of_the_passage_opens_the_whole_document_and_its_fold(page_of: PageOf) -> None:
    text = "<p>A sea</p><details class=outside><summary>More</summary><p>A lake</p></details>"
    page = finding(page_of, text, passage=True)
    fold = "inside.querySelector('details').open"
    assert page.evaluate(f"[look('sea'), done, {fold}]") == ["1 of 1", [], False]
    assert page.evaluate(f"[look('lake'), done, {fold}]") == ["1 of 1", ["whole"], True]
    page = finding(page_of, text)
    assert page.evaluate(f"[look('lake'), done, {fold}]") == ["1 of 1", [], True]


def test_a_selection_grows_to_whole_words_and_a_long_text_is_cut_between_them(page_of: PageOf) -> None:
    page = page_of("<p>The ri<b>ver f</b>roze,  twice.</p>")
    page.evaluate("""async () => {
        const { firstWords, wholeWords } = await import("/static/judging/sentences.js");
        const texts = [...document.querySelector("p").childNodes].map((node) => node.firstChild ?? node);
        window.grown = (from, start, to, end) => {
            const range = document.createRange();
            range.setStart(texts[from], start);
            range.setEnd(texts[to], end);
            return String(wholeWords(range));
        };
        window.first = firstWords;
    }""")
    grown = {
        (0, 1, 0, 2): "The",
        (0, 0, 0, 4): "The ",
        (0, 4, 1, 1): "river",
        (1, 1, 1, 5): "river froze",
        (0, 3, 2, 0): " river froze",
        (2, 4, 2, 6): ", ",
        (2, 6, 2, 8): " twice",
    }
    assert {places: page.evaluate("(one) => grown(...one)", list(places)) for places in grown} == grown
    cut = {
        ("The river", 9): "The river",
        ("The river froze", 9): "The river\u2026",
        ("The river", 5): "The\u2026",
    }
    assert {one: page.evaluate("(one) => first(...one)", list(one)) for one in cut} == cut
    assert page.evaluate("first('Riverside', 5)") == "River\u2026"
