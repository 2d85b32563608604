"""Reading in a real browser: the passage a document opens at, its marked words, finding, rationales."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import (
    can_judge,
    coloured,
    inside,
    loaded_ahead,
    log,
    press,
    ready,
    saved,
    select,
    short,
)
from tests.web.judging.outboxes import until
from workbench.core.recently_used import SizedCache
from workbench.core.records import Document, Rationale, Topic
from workbench.release.export import judgment_lines
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection.documents import text_hash
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import preferences
from workbench.web.judging.document import body, cleaning

pytestmark = [pytest.mark.browser, pytest.mark.slow]


PLAIN = "These words fill a line and have nothing to do with it.  " * 5
"""285 characters."""

HITS = {4: "A frozen sea.", 40: "Frozen rivers.", 42: "A river.", 58: "More rivers."}
"""What stands at the beginning of some of the 60 paragraphs of LONG."""

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

LONG = "\n\n".join(f"{HITS.get(number, 'Nothing.')} Number {number}. {PLAIN}" for number in range(60))
LONG_DOCUMENT = Document("long", "Rivers, a survey", LONG, fields={"date": "2026-03-01"})

SHORT = Document("short", "Short", "Frozen rivers, nothing else.")


@pytest.fixture
def campaign_of(make_campaign: MakeCampaign) -> Callable[..., Path]:
    """The campaign `reading`, whose one topic "frozen rivers" has these documents."""

    def make(*documents: Document, topic: str = "frozen rivers") -> Path:
        ids = [document.document_id for document in documents]
        return make_campaign("reading", [Topic("1", topic)], documents, {"alpha": {"1": ids}})

    return make


TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
IN_SIGHT = """(place) => {
    const { top, bottom } = place.getBoundingClientRect();
    return top >= 0 && bottom <= place.ownerDocument.defaultView.innerHeight;
}"""


def in_sight(page: Page, place: Locator) -> bool:
    """Whether an element of the document comes to rest within the frame's window."""
    expect(place).to_be_visible()
    for _ in range(100):
        page.evaluate(TWO_FRAMES)
        if place.evaluate(IN_SIGHT):
            return True
    return False


def paragraph(page: Page, number: int) -> Locator:
    return inside(page).locator("p[data-start]").nth(number)


def open_at(page: Page, title: str = "") -> Page:
    """The page, once its document can be judged."""
    if title:
        ready(page, title)
    else:
        can_judge(page)
    return page


# ---- passage and whole


def test_a_long_document_opens_at_its_best_passage_and_the_whole_keeps_the_place(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    campaign_of(LONG_DOCUMENT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Rivers, a survey")
    # From paragraph 40 on, as many as fit into 1,600 characters: each has about 310.
    assert in_sight(page, paragraph(page, 40))
    assert in_sight(page, inside(page).locator("h1"))
    assert in_sight(page, inside(page).locator("dl"))
    expect(inside(page).locator("dl")).to_contain_text("2026-03-01")
    expect(inside(page).locator(".left-out")).to_have_text(
        ["… 40 paragraphs before", "… 15 paragraphs after"]
    )
    expect(paragraph(page, 39)).to_be_hidden()
    expect(paragraph(page, 45)).to_be_hidden()
    expect(page.locator("#whole")).to_have_text("fWhole document")
    page.keyboard.press("f")
    expect(paragraph(page, 39)).to_be_visible()
    assert in_sight(page, paragraph(page, 40).locator("mark").first)
    expect(inside(page).locator(".left-out").first).to_be_hidden()
    expect(page.locator("#whole")).to_have_text("fBest passage")
    page.keyboard.press("f")
    expect(paragraph(page, 39)).to_be_hidden()
    assert in_sight(page, inside(page).locator("h1"))


def test_marks_are_walked_through_from_the_passage_into_the_hidden_rest_and_around(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    campaign_of(LONG_DOCUMENT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Rivers, a survey")
    marks = inside(page).locator("main mark.hit")
    expect(marks).to_have_text(["frozen", "Frozen", "rivers", "river", "rivers"])
    for key, place, is_passage in [
        ("n", 1, True),
        ("n", 2, True),
        ("n", 3, True),
        ("Shift+N", 2, True),
        ("n", 3, True),
        ("n", 4, False),
        ("n", 0, False),
        ("Shift+N", 4, False),
    ]:
        page.keyboard.press(key)
        expect(marks.nth(place)).to_have_class("hit current")
        expect(inside(page).locator("mark.current")).to_have_count(1)
        expect(page.locator("#said")).to_have_text(f"{place + 1} of 5")
        assert in_sight(page, marks.nth(place))
        assert paragraph(page, 0).is_visible() != is_passage
    page.keyboard.press("j")
    page.keyboard.press("f")  # back to the passage, and the next press begins there again
    page.keyboard.press("n")
    expect(marks.nth(1)).to_have_class("hit current")


def test_the_mark_jumped_to_is_forgotten_when_the_document_comes_again(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    campaign_of(LONG_DOCUMENT, SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Rivers, a survey")
    page.keyboard.press("n")
    expect(inside(page).locator("mark.current")).to_have_count(1)
    page.keyboard.press("j")
    ready(page, "Short")
    press(page, "k")
    ready(page, "Rivers, a survey")
    expect(inside(page).locator("mark.current")).to_have_count(0)


def test_the_map_has_a_tick_for_each_hit_and_a_click_on_it_leads_there(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    # Ten hits on 60 of 20,000 characters are two ticks; the next ones are at the middle and at the end.
    crowd = "river " * 10
    text = f"{crowd}{'x ' * 5_000}\n\nriver middle {'x ' * 5_000}\n\nriver end"
    campaign_of(Document("map", "A river on a map", text))
    page = open_at(visit("/c/reading/judge?topic=1"))
    ticks = page.locator("#hit-map .map-ticks").get_attribute("d")
    assert ticks is not None
    box = page.locator("#hit-map").bounding_box()
    assert box is not None
    assert ticks.count("M") == 4
    marks = inside(page).locator("main mark.hit")
    expect(marks).to_have_count(12)
    for fraction, place in [(0.99, 11), (0.5, 10), (0.01, 9)]:
        page.locator("#hit-map").click(position={"x": 4, "y": fraction * box["height"]})
        expect(marks.nth(place)).to_have_class("hit current")
        assert in_sight(page, marks.nth(place))
    press(page, "1")  # a click on the map leaves the keys to the page
    saved(page)


def test_who_prefers_the_whole_gets_it_and_the_passage_is_one_key_away(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(LONG_DOCUMENT)
    with open_campaign(path) as campaign, campaign.write():
        preferences.put(campaign, "Ben", {"opening": "whole"})
    page = open_at(visit("/c/reading/judge?topic=1"), "Rivers, a survey")
    assert in_sight(page, paragraph(page, 0))
    expect(page.locator("#whole")).to_have_text("fBest passage")
    page.keyboard.press("f")
    expect(paragraph(page, 0)).to_be_hidden()
    assert in_sight(page, paragraph(page, 40))


def test_a_long_block_opens_at_its_best_stretch_with_a_marked_word_in_sight(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    # 2,400 characters are one block: the marked words stand at its end, below a window of 600 pixels.
    block = f"{PLAIN * 7}Many frozen rivers. {PLAIN}"
    other = block[:2300].replace("a line", "one row")  # a near duplicate would open at its first difference
    campaign_of(Document("block", "Block", f"{PLAIN * 30}\n\n{block}"), Document("end", "End", other))
    page = visit("/c/reading/judge?topic=1")
    page.set_viewport_size({"width": 1000, "height": 600})
    for title in ("Block", "End"):
        ready(page, title)
        assert in_sight(page, inside(page).locator("main mark.hit").first)
        press(page, "j")
    press(page, "k")
    ready(page, "Block")
    assert in_sight(page, inside(page).locator("main mark.hit").first)


def test_a_short_document_has_no_passage(visit: Visit, campaign_of: Callable[..., Path]) -> None:
    campaign_of(SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Short")
    expect(page.locator("#whole")).to_be_hidden()
    expect(inside(page).locator(".left-out")).to_have_count(0)
    page.keyboard.press("f")
    expect(page.locator("#said")).to_contain_text("The whole document")
    page.keyboard.press("n")
    expect(page.locator("#said")).to_have_text("1 of 2")


# ---- what is folded

FOLDED = f"""<nav>A list of towns and of all their frozen rivers, <a href=x>each by its name</a>.</nav>
<p>{PLAIN * 2} The ice of frozen rivers. {PLAIN}</p>
<footer>Terms of service, and all that has to be said of who has made this page: a house at the harbour.</footer>"""


def test_folds_are_opened_by_key_and_mouse_found_in_and_kept_as_they_were_left(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(Document("folded", "Folded", FOLDED, "text/html"), SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Folded")
    folds = inside(page).locator("details.fold")
    expect(folds.locator("summary i")).to_have_text(["Navigation", "Footer"])
    expect(folds.locator("summary b")).to_have_text(["2 marked words"])
    words = [inside(page).get_by_text("all their").last, inside(page).get_by_text("house").last]

    def are_open(first: bool, second: bool) -> None:
        for fold, is_open in zip(folds.all(), (first, second), strict=True):
            assert (fold.get_attribute("open") is not None) == is_open

    are_open(False, False)
    expect(words[0]).to_be_hidden()
    folds.first.locator("summary").click()
    expect(words[0]).to_be_visible()
    press(page, "j")
    ready(page, "Short")
    press(page, "k")
    ready(page, "Folded")
    are_open(True, False)
    page.reload()
    ready(page, "Folded")
    are_open(True, False)
    page.keyboard.press(".")
    are_open(True, True)
    page.keyboard.press(".")
    are_open(False, False)
    page.keyboard.press("/")
    page.locator("#find-text").fill("harbour")
    expect(page.locator("#find-count")).to_have_text("1 of 1")
    are_open(False, True)
    page.locator("#find-text").fill("Navigation")
    expect(page.locator("#find-count")).to_have_text("Not found")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+N")
    page.keyboard.press("Shift+N")
    are_open(True, True)
    # What the head of a fold says is no text of the page.
    select(page, "The ice", "harbour")
    press(page, "m", "1")
    saved(page)
    (kept,) = log(path)[0].rationales
    assert "Footer" not in kept.text
    assert kept.text.startswith("The ice of frozen rivers")
    assert kept.text.endswith("a house at the harbour")


# ---- finding

SCRIPTS = """Costs: $5.00 (a+b)* [x]? ^caret \\d | pipe {2} a-b

Many frozen rivers
are wide; frozen rivers are cold.

שלום עולם, הנהר קפא.

东京大学在东京。京都
大学也。

A café and a cafe\u0301.

It ends here

Begins there"""

FOUND = {
    ".": 4,  # after 5, cold, קפא and cafe
    "$5.00": 1,
    "(A+B)*": 1,
    "[x]?": 1,
    "\\d": 1,
    "{2} a-b": 1,
    "^": 1,
    "|": 1,
    "frozen rivers are": 2,  # across a mark and a line end, and across a mark
    "s a": 2,
    "הנהר": 1,
    "京": 3,
    "京都大学": 1,  # across a line end where nothing is written between words
    "CAFÉ": 2,  # é in one piece, and in two
    "here begins": 1,
    "hereBegins": 0,
    "documentscripts": 0,  # the name of a field is not joined to its value
    "nothing of it": 0,
}


def test_find_takes_what_is_typed_literally_in_any_script_and_across_line_ends(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(Document("scripts", "Writing", SCRIPTS), SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Writing")
    page.keyboard.press("/")
    expect(page.locator("#find-text")).to_be_focused()
    expect(page.locator("#find-text")).to_have_value("")
    for wanted, count in FOUND.items():
        page.locator("#find-text").fill(wanted)
        expect(page.locator("#find-count")).to_have_text(f"1 of {count}" if count else "Not found")
        assert len(coloured(page, "find")) == count
    page.locator("#find-text").fill("  ")
    expect(page.locator("#find-count")).to_have_text("")
    assert log(path) == []


def test_find_goes_through_its_places_leaves_with_escape_and_then_keys_work_again(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(LONG_DOCUMENT, SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Rivers, a survey")
    press(page, "/")
    page.keyboard.type("number 1")  # 1 and 10 to 19, all outside the passage
    expect(page.locator("#find-count")).to_have_text("1 of 11")
    assert coloured(page, "find-now") == ["Number 1"]
    assert in_sight(page, paragraph(page, 1).locator("xpath=."))
    for key, count, place in [("Enter", 2, 10), ("Enter", 3, 11), ("Shift+Enter", 2, 10)]:
        page.keyboard.press(key)
        expect(page.locator("#find-count")).to_have_text(f"{count} of 11")
        assert in_sight(page, paragraph(page, place))
    page.keyboard.press("Escape")
    expect(page.locator("#find")).to_be_hidden()
    assert coloured(page, "find") == coloured(page, "find-now") == []
    press(page, "/")
    expect(page.locator("#find-text")).to_have_value("number 1")
    inside(page).locator("h1").click()
    page.keyboard.press("Escape")
    expect(page.locator("#find")).to_be_hidden()
    page.keyboard.press("/")
    page.locator("[data-grade='1']").click()
    ready(page, "Short")
    expect(page.locator("#find")).to_be_hidden()
    press(page, "0")
    saved(page)
    assert short(path) == [("long", "grade", 1), ("short", "grade", 0)]


def test_a_word_that_a_line_break_parts_is_read_marked_and_found_whole_and_kept_as_it_is_stored(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    text = "It is told that in the winter of that year all of the fro-\nzen rivers were crossed."
    path = campaign_of(Document("d", "Winter", text), SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Winter")
    expect(inside(page).locator("main p")).to_have_class("block-flowing")
    assert "fro-" not in inside(page).locator("main").inner_text()
    assert inside(page).locator("main mark.hit:not(.continued)").count() == 2
    press(page, "/")
    page.keyboard.type("frozen rivers were")
    expect(page.locator("#find-count")).to_have_text("1 of 1")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    press(page, "1")
    ready(page, "Short")
    saved(page)
    assert log(path)[0].rationales == (Rationale("text", 54, 74, "fro-\nzen rivers were"),)


# ---- rationales

EMOJI_TEXT = "😀😀 One frozen river.\n\nTwo: 𠮷野 and frozen lakes.\n\nThree."
EMOJI = Document("emoji", "𠀀 Frozen title", EMOJI_TEXT)
RIVER = Rationale("text", 3, 19, "One frozen river")  # 😀 and 😀 are one code point each
OVER_TWO = (Rationale("text", 14, 20, "river."), Rationale("text", 22, 33, "Two: 𠮷野 and"))
IN_TITLE = Rationale("title", 2, 8, "Frozen")


def test_rationales_keep_the_offsets_of_the_stored_text_and_go_with_the_judgment(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(EMOJI, SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "𠀀 Frozen title")
    page.keyboard.press("m")
    expect(page.locator("#said")).to_contain_text("Select some text")
    select(page, "One", "river")
    page.keyboard.press("m")
    expect(page.locator("#rationales q")).to_have_text(["One frozen river"])
    select(page, "river", "and")
    page.keyboard.press("m")
    select(page, "Frozen", "Frozen")
    page.locator("[data-action='rationale']").click()
    kept = ["One frozen river", "river.", "Two: 𠮷野 and", "Frozen"]
    expect(page.locator("#rationales q")).to_have_text(kept)
    assert sorted(coloured(page, "rationale")) == sorted(kept)
    page.reload()
    ready(page, "𠀀 Frozen title")
    expect(page.locator("#rationales q")).to_have_text(kept)
    assert sorted(coloured(page, "rationale")) == sorted(kept)
    page.keyboard.press("1")
    ready(page, "Short")
    expect(page.locator("#rationales")).to_be_hidden()
    saved(page)
    assert log(path)[0].rationales == (RIVER, *OVER_TWO, IN_TITLE)
    with open_campaign(path) as campaign:
        exported = json.loads(next(iter(judgment_lines(campaign))))["rationales"]
    assert exported[0] == {"field": "text", "start": 3, "end": 19, "text": "One frozen river"}


def test_a_rationale_has_the_whole_of_the_words_that_it_begins_and_ends_in(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(EMOJI, SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "𠀀 Frozen title")
    select(page, "ne", "riv")
    page.keyboard.press("m")
    expect(page.locator("#rationales q")).to_have_text(["One frozen river"])
    page.keyboard.press("1")
    saved(page)
    assert log(path)[0].rationales == (RIVER,)


def test_a_rationale_is_coloured_again_can_be_dropped_and_stored_again(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(EMOJI, SHORT)
    page = open_at(visit("/c/reading/judge?topic=1"), "𠀀 Frozen title")
    for first, last in [("One", "river"), ("Three", "Three")]:
        select(page, first, last)
        page.keyboard.press("m")
    page.keyboard.press("1")
    ready(page, "Short")
    saved(page)
    page.reload()
    ready(page, "Short")
    assert coloured(page, "rationale") == []
    press(page, "u")
    ready(page, "𠀀 Frozen title")
    expect(page.locator("#keep-remarks")).to_be_hidden()
    assert coloured(page, "rationale") == ["One frozen river", "Three"]
    page.locator("#rationales li", has_text="Three").get_by_role("button").click()
    assert coloured(page, "rationale") == ["One frozen river"]
    until(page, "document.activeElement.matches('#stage')")
    page.locator("#keep-remarks").click()
    ready(page, "Short")
    saved(page)
    first, second = log(path)
    assert [len(first.rationales), second.rationales] == [2, (RIVER,)]
    assert (second.grade, second.replaces, second.input) == (1, first.seq, "button")


MARKED = {
    "a page": (
        "<h2>Über 😀</h2><p>The <b>frozen</b> rivers of <i>Asia</i>.</p><ul><li>One 𠮷</li></ul>",
        "text/html",
        "frozen",
        "One",
        # Über 😀 has 6 code points; the sentence begins at 6 and ends before 32.
        Rationale("text", 10, 35, "frozen rivers of Asia.One"),
    ),
    "b markdown": (
        "# Ice 😀\n\nThe *frozen* rivers.\n",
        "text/markdown",
        "frozen",
        "rivers",
        Rationale("text", 10, 23, "frozen rivers"),  # Ice 😀 and a line end are 6 code points, "The " 4
    ),
    "c windows": (
        "a\r\nb\r\n\r\nice frozen",
        "text/plain",
        "ice",
        "frozen",
        Rationale("text", 8, 18, "ice frozen"),
    ),
    "d nul": ("an ice\0 frozen", "text/plain", "ice", "frozen", Rationale("text", 3, 14, "ice\ufffd frozen")),
    "e code": (
        "def 𠮷():\n    ice = 1\n    return frozen",
        "text/x-code",
        "ice",
        "return",
        Rationale("text", 13, 31, "ice = 1\n    return"),
    ),
    "f formula": (
        "<p>Let <math><mi>x</mi> <mo>=</mo><mtext>frozen ice</mtext></math> be.",
        "text/html",
        "frozen",
        "ice",
        Rationale("text", 6, 16, "frozen ice"),
    ),
}


def test_rationales_of_pages_count_the_characters_that_are_shown(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    path = campaign_of(*(Document(title[0], title, text, kind) for title, (text, kind, *_) in MARKED.items()))
    page = visit("/c/reading/judge?topic=1")
    for title, (_, _, first, last, kept) in MARKED.items():
        open_at(page, title)
        select(page, first, last)
        press(page, "m")
        assert coloured(page, "rationale") == [kept.text]
        page.keyboard.press("1")
    expect(page.locator(".finished")).to_be_visible()
    saved(page)
    assert [row.rationales for row in log(path)] == [(kept,) for *_, kept in MARKED.values()]


WIDE = [
    (".formula", f"<math display=block>{'<mi>x</mi><mo>+</mo>' * 200}</math>", "text/html"),
    (".formula", f"<p>Ice <math>{'<mi>x</mi><mo>+</mo>' * 200}</math>", "text/html"),
    (".table", f"<table><tr>{'<td>Station' * 60}</table>", "text/html"),
    ("pre", f"<pre><code>{'x ' * 400}</code></pre>", "text/html"),
    ("main", "x " * 400, "text/x-code"),
]


def test_arrows_scroll_a_wide_formula_table_or_code_that_has_the_focus_and_else_go_to_the_next_document(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    made = [Document(f"{at}a", f"Wide {at}", text, kind) for at, (_, text, kind) in enumerate(WIDE)]
    campaign_of(*made, *(Document(f"{at}b", f"Narrow {at}", "Ice.") for at in range(len(WIDE))))
    page = visit("/c/reading/judge?topic=1")
    for at, (name, _, _) in enumerate(WIDE):
        open_at(page, f"Wide {at}")
        page.keyboard.press("Tab")
        wide = inside(page).locator(name)
        expect(wide).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "(name) => document.querySelector('iframe.current').contentDocument.querySelector(name).scrollLeft > 0",
            arg=name,
        )
        ready(page, f"Wide {at}")
        page.keyboard.press("j")
        ready(page, f"Narrow {at}")
        page.keyboard.press("ArrowLeft")
        ready(page, f"Wide {at}")
        press(page, "j", "j")


def test_a_rationale_stands_where_its_words_are_once_more_of_the_page_is_shown(
    visit: Visit, campaign_of: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    # An earlier version dropped formulas, and counted the characters without them.
    monkeypatch.setattr(cleaning, "with_kept_text", lambda html, **_: html)
    monkeypatch.setattr(body, "bodies", SizedCache(0))
    monkeypatch.setattr(body, "parsed_texts", SizedCache(0))
    text = "<p>One river, <math><mi>x</mi><mo>=</mo><mn>1</mn></math> km wide, and one frozen river."
    path = campaign_of(Document("page", "Page", text, "text/html"))
    page = open_at(visit("/c/reading/judge?topic=1"), "Page")
    select(page, "frozen", "river")
    press(page, "m", "1")
    expect(page.locator(".finished")).to_be_visible()
    saved(page)
    monkeypatch.undo()
    page = open_at(visit("/c/reading/judge?topic=1&document=page"), "Page")
    expect(inside(page).locator("main")).to_contain_text("x=1 km")
    assert coloured(page, "rationale") == ["frozen river"]
    expect(page.locator("#keep-remarks")).to_be_hidden()
    press(page, "0")
    saved(page)
    first, second = (row.rationales[0] for row in log(path))
    assert (first.start, second.start, second.text) == (29, 32, "frozen river")


def test_what_is_hidden_or_too_much_is_never_kept_as_a_rationale(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    """A judgment has at most 50 rationales, of 5,000 characters each: more would be refused by the server."""
    page_text = f"<p>{'word ' * 1_100}</p>"
    path = campaign_of(LONG_DOCUMENT, Document("wide", "Wide", page_text, "text/html"))
    page = open_at(visit("/c/reading/judge?topic=1"), "Rivers, a survey")
    inside(page).locator("h1").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("m")
    expect(page.locator("#rationales li")).to_have_count(6)  # the title and five paragraphs of the passage
    page.keyboard.press("f")
    page.keyboard.press("Control+a")
    page.keyboard.press("m")
    expect(page.locator("#said")).to_contain_text("50 rationales")
    expect(page.locator("#rationales li")).to_have_count(6)
    page.keyboard.press("1")
    ready(page, "Wide")
    page.keyboard.press("Control+a")
    page.keyboard.press("m")
    expect(page.locator("#said")).to_contain_text("5,000 characters")
    page.keyboard.press("0")
    expect(page.locator(".finished")).to_be_visible()
    saved(page)
    assert [len(row.rationales) for row in log(path)] == [6, 0]


# ---- own terms


def test_an_own_term_is_marked_here_and_in_what_was_loaded_ahead_and_kept(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    documents = [Document(f"d{n}", f"Document {n}", f"Ice and ice, {'snow ' * n}.") for n in range(1, 4)]
    ids = [document.document_id for document in documents]
    topics = [Topic("1", "frozen rivers"), Topic("2", "ice")]
    make_campaign("terms", topics, documents, {"alpha": {"1": ids, "2": ids}})
    page = open_at(visit("/c/terms/judge?topic=1"), "Document 1")
    loaded_ahead(page)
    page.locator("#term").click()
    page.keyboard.type("Snow")
    page.keyboard.press("Enter")
    own = page.locator("#terms .own")
    expect(own).to_have_text(["Snow1×"])
    expect(inside(page).locator("mark.own")).to_have_text(["snow"])
    expect(page.locator("#terms .term:not(.own)")).to_have_text(["frozen0", "rivers0"])
    page.locator("#term").fill("ice")
    page.keyboard.press("Enter")
    expect(own).to_have_text(["Snow1×", "ice2×"])
    expect(page.locator("#term")).to_have_value("")
    page.keyboard.press("Escape")
    press(page, "j")
    ready(page, "Document 2")
    expect(own).to_have_text(["Snow2×", "ice2×"])
    expect(inside(page).locator("mark.own")).to_have_count(4)
    page.reload()
    ready(page, "Document 2")
    expect(own).to_have_text(["Snow2×", "ice2×"])
    page.get_by_role("button", name="No longer mark Snow").click()
    expect(own).to_have_text(["ice2×"])
    expect(inside(page).locator("mark.own")).to_have_text(["Ice", "ice"])
    assert page.locator("iframe").count() <= 8
    page.goto(page.url.partition("?")[0] + "?topic=2")
    ready(page, "Document 1")
    expect(page.locator("#terms .term")).to_have_text(["ice2"])
    expect(inside(page).locator("mark")).to_have_count(2)
    expect(inside(page).locator("mark.own")).to_have_count(0)


def test_words_of_the_topic_are_switched_off_and_on_one_by_one(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    documents = [Document(f"d{n}", f"Document {n}", "A frozen river and another river.") for n in (1, 2)]
    make_campaign("switch", [Topic("1", "frozen rivers")], documents, {"alpha": {"1": ["d1", "d2"]}})
    page = open_at(visit("/c/switch/judge?topic=1"), "Document 1")
    words = page.locator("#terms .term")
    expect(words).to_have_text(["frozen1", "rivers2"])
    page.get_by_role("button", name="rivers", pressed=True).click()
    expect(inside(page).locator("mark")).to_have_text(["frozen"])
    can_judge(page)
    expect(page.get_by_role("button", name="rivers", pressed=False)).to_be_focused()
    expect(words).to_have_text(["frozen1", "riversoff"])
    page.reload()
    ready(page, "Document 1")
    expect(words).to_have_text(["frozen1", "riversoff"])
    expect(inside(page).locator("mark")).to_have_text(["frozen"])
    page.get_by_role("button", name="rivers", pressed=False).click()
    expect(inside(page).locator("mark")).to_have_text(["frozen", "river", "river"])
    expect(words).to_have_text(["frozen1", "rivers2"])


def test_a_word_has_one_colour_in_the_document_and_in_the_list_also_while_others_are_off(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    documents = [Document("d1", "Document 1", "A frozen river, and a ferry.")]
    make_campaign("colours", [Topic("1", "frozen rivers ferry")], documents, {"alpha": {"1": ["d1"]}})
    page = open_at(visit("/c/colours/judge?topic=1"), "Document 1")
    colours = "(words) => words.map((word) => getComputedStyle(word).backgroundColor)"
    expect(page.locator("#terms .term")).to_have_text(["frozen1", "rivers1", "ferry1"])
    listed = page.locator("#terms .term").evaluate_all(colours)
    assert len(set(listed)) == 3
    assert inside(page).locator("main mark").evaluate_all(colours) == listed
    page.get_by_role("button", name="frozen", pressed=True).click()
    expect(inside(page).locator("main mark")).to_have_text(["river", "ferry"])
    assert inside(page).locator("main mark").evaluate_all(colours) == listed[1:]
    expect(page.locator("#terms .term")).to_have_text(["rivers1", "ferry1", "frozenoff"])
    assert page.locator("#terms .term").evaluate_all(colours)[:2] == listed[1:]


def test_an_own_term_keeps_its_colour_while_one_that_was_added_before_it_goes(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    documents = [Document("d1", "Document 1", "A frozen river with ice, and a ferry.")]
    make_campaign("kept", [Topic("1", "frozen rivers")], documents, {"alpha": {"1": ["d1"]}})
    page = open_at(visit("/c/kept/judge?topic=1"), "Document 1")
    ferry = page.locator("#terms .own", has_text="ferry")
    for word in ("ice", "ferry"):
        page.locator("#term").fill(word)
        page.locator("#term").press("Enter")
        expect(inside(page).locator("main mark.own").last).to_have_text(word)
    expect(ferry).to_have_attribute("data-term", "3")
    page.get_by_role("button", name="No longer mark ice").click()
    expect(inside(page).locator("main mark.own")).to_have_text(["ferry"])
    expect(inside(page).locator("main mark.own")).to_have_attribute("data-term", "3")
    expect(ferry).to_have_attribute("data-term", "3")


def test_a_new_term_is_marked_without_moving_the_text_that_is_being_read(
    visit: Visit, campaign_of: Callable[..., Path]
) -> None:
    campaign_of(LONG_DOCUMENT)
    page = open_at(visit("/c/reading/judge?topic=1"), "Rivers, a survey")
    page.keyboard.press("f")
    paragraph(page, 20).scroll_into_view_if_needed()
    top = "(place) => place.getBoundingClientRect().top"
    assert in_sight(page, paragraph(page, 20))
    before = paragraph(page, 20).evaluate(top)
    page.locator("#term").fill("line")
    page.keyboard.press("Enter")
    expect(paragraph(page, 20).locator("mark.own").first).to_be_visible()
    assert in_sight(page, paragraph(page, 20))
    assert abs(paragraph(page, 20).evaluate(top) - before) < 2
    page.keyboard.press("Escape")
    press(page, "f")  # to the best passage, as before
    expect(paragraph(page, 20)).to_be_hidden()


# ---- documents without text, and texts that change


def test_a_document_without_text_is_held_back_and_an_empty_one_says_so(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    path = make_campaign(
        "holes",
        [Topic("1", "rivers"), Topic("2", "lakes")],
        [Document("d1", "Empty", " \n"), Document("d3", "Full", "A river.")],
        {"alpha": {"1": ["d1", "d2", "d3"], "2": ["d2", "d4"]}},
    )
    page = open_at(visit("/c/holes/judge?topic=1"), "Empty")
    expect(inside(page).locator("main")).to_contain_text("document is empty.")
    expect(page.locator("#progress")).to_have_text("0 of 2 judged")
    page.keyboard.press("0")
    ready(page, "Full")
    page.keyboard.press("1")
    expect(page.locator(".finished")).to_contain_text("Topic complete")
    expect(page.locator(".finished")).to_contain_text("1 document is held back")
    saved(page)
    assert short(path) == [("d1", "grade", 0), ("d3", "grade", 1)]
    page.goto(page.url.partition("?")[0] + "?topic=2&document=d4")
    expect(page.locator(".finished")).to_contain_text("No such document")
    page.get_by_role("link", name="Continue with").click()
    expect(page.locator(".finished")).to_contain_text("No documents to")
    expect(page.locator("#document")).to_contain_text("2 documents are held back")
    page.keyboard.press("1")
    assert len(log(path)) == 2


def test_a_text_that_changed_while_it_was_loaded_ahead_is_not_judged_by_the_old_one(
    visit: Visit, small: Path
) -> None:
    page = open_at(visit("/c/small/judge?topic=1"), "Document 1")
    loaded_ahead(page)
    with open_campaign(small) as campaign, campaign.write():
        new = Document("d2", "Document 2, corrected", "Another text.")
        values = {"title": new.title, "text": new.text, "text_hash": text_hash(new)}
        campaign.db["document"].update("d2", values)  # type: ignore[union-attr]
    page.keyboard.press("1")
    ready(page, "Document 2")  # as it was loaded ahead
    page.keyboard.press("1")
    page.get_by_role("button", name="Open document").click()
    ready(page, "Document 2, corrected")
    saved(page)
    assert short(small) == [("d1", "grade", 1)]
    page.keyboard.press("0")
    saved(page)
    assert short(small) == [("d1", "grade", 1), ("d2", "grade", 0)]
    assert log(small)[1].text_hash == text_hash(new)


def test_guidelines_that_changed_meanwhile_are_on_the_page_before_a_later_document_is_judged(
    visit: Visit, small: Path
) -> None:
    page = open_at(visit("/c/small/judge?topic=1"), "Document 1")
    loaded_ahead(page)
    with open_campaign(small) as campaign:
        before = settings.read(campaign).guideline_version
        with campaign.write():
            settings.change(campaign.by("Anna", NOW), {"guidelines": "Ice counts."})
        after = settings.read(campaign).guideline_version
    press(page, "1", "j", "j", "j")  # what was loaded ahead comes with the guidelines it was loaded with
    expect(page.locator("#guidelines")).to_contain_text("Ice counts.")
    ready(page, "Document 5")
    press(page, "1")
    ready(page, "Document 6")
    saved(page)
    assert [row.guideline_version for row in log(small)] == [before, after]
