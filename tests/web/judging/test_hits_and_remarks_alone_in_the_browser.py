"""Marks of a document and what an assessor writes beside it, each script by itself, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TALL = "height: 1000px; margin: 0; line-height: 20px"
DOCUMENT = f"""<style>mark, del {{ display: inline-block; height: 20px; vertical-align: top }}</style>
<body style='margin: 0'><main data-field=text>
<p style='{TALL}'>Zero <mark class=hit id=m0>one</mark> two three</p>
<p style='{TALL}' class=outside><mark class=hit id=m1>four</mark> five <mark class='hit continued'>six</mark></p>
<p style='{TALL}'><mark class=begins id=m2>seven</mark> <del class=missing><mark class=hit>gone</mark></del> eight</p>
<details><summary style='height: 20px'>More</summary><p style='{TALL}'><mark class=hit id=m4>nine</mark></p></details>
</main></body>"""
PAGE = f"""<div id=hit-map style='height: 100px'></div><button id=whole hidden></button><b id=whole-words></b>
<div id=stage><iframe srcdoc="{DOCUMENT}" style="width: 300px; height: 400px; border: 0"></iframe></div>
<textarea id=note></textarea><p id=note-length></p><button id=keep-remarks></button><ul id=rationales></ul>"""

HITS = """async () => {
    const { Hits } = await import("/static/judging/hits.js");
    window.said = [];
    window.frame = document.querySelector("iframe");
    window.inside = frame.contentDocument;
    window.view = frame.contentWindow;
    window.viewer = { onsigns: [], inside, stage: document.querySelector("#stage") };
    window.hits = new Hits(viewer, (why) => said.push(why));
    window.shown = (more) => ({ document_id: "d", passage: false, opens_at: null, hits: [0, 0.3, 0.9], differences: [],
        ...more });
    window.top_ = (id) => Math.round(inside.getElementById(id).getBoundingClientRect().top);
    window.part = () => ["y", "height"].map((name) => Number(hits.map.part.getAttribute(name)));
    window.at = () => Math.round(view.scrollY);
    window.current = () => [...inside.querySelectorAll(".current")].map(({ id }) => id).join();
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    page = page_of(PAGE)
    page.frame_locator("iframe").locator("#m0").wait_for()
    page.evaluate(HITS)
    return page


def test_a_document_opens_at_its_top_its_best_stretch_or_its_first_difference(page: Page) -> None:
    opens = "(view.scrollTo(0, 0), hits.open(shown({ %s })), [at(), hits.isPassage])"
    assert page.evaluate(opens % "") == [0, False]
    ticks = "[hits.map.ticks, hits.map.differences].map((one) => one.getAttribute('d').split('h').length - 1)"
    assert page.evaluate(f"(hits.open(shown({{ differences: [0.5] }})), {ticks})") == [3, 1]
    assert page.evaluate(opens % "opens_at: 0") == [0, False]
    assert page.evaluate(opens % "opens_at: 1") == [900, False]
    assert page.evaluate(opens % "opens_at: 9") == [0, False]
    assert page.evaluate(opens % "opens_at: 1, passage: true") == [900, True]
    assert page.evaluate(opens % "opens_at: 1, passage: true, differences: [0.5]") == [1810, False]
    page.evaluate("void (hits.opensPassage = false)")
    assert page.evaluate(opens % "opens_at: 1, passage: true") == [0, False]
    page.evaluate("inside.querySelector('.begins').className = ''")
    page.evaluate("inside.querySelector('.missing').className = ''")
    assert page.evaluate(opens % "differences: [0.5]") == [0, False]
    page.evaluate("void (hits.opensPassage = true, inside.querySelector('#m4').className = 'begins')")
    page.evaluate(opens % "differences: [0.5], opens_at: 1")
    assert page.evaluate("[inside.querySelector('details').open, at() > 2500]") == [True, True]
    page.evaluate("view.scrollTo(0, 0), inside.querySelector('#m0').className = 'begins'")
    assert page.evaluate("(hits.open(shown({ differences: [0.5] })), at())") == 0


def test_a_document_that_is_shown_again_opens_where_it_was(page: Page) -> None:
    page.evaluate("hits.open(shown({ hits: [] })), view.scrollTo(0, 1234), hits.keepPlace()")
    assert page.evaluate("[hits.place.block, hits.place.top]") == [1, -234]
    page.evaluate("view.scrollTo(0, 0), inside.querySelector('p').style.height = '900px'")
    assert page.evaluate("(hits.open(shown({ opens_at: 2, passage: true })), [at(), hits.isPassage])") == [
        1134,
        False,
    ]
    assert page.evaluate("(hits.open(shown({ passage: true })), [hits.isPassage, hits.keepPlace(), hits.place])") == [
        True, None, None,
    ]  # fmt: skip
    page.evaluate("hits.open(shown()), view.scrollTo(0, 700), hits.keepPlace(), view.scrollTo(0, 0)")
    assert page.evaluate("(hits.open(shown({ document_id: 'other' })), at())") == 0
    page.evaluate("view.scrollTo(0, 700), hits.keepPlace(), inside.querySelector('main').replaceChildren()")
    assert page.evaluate("(hits.place.document_id = 'd', hits.open(shown()), hits.place)") is None
    assert page.evaluate("(void (viewer.inside = null), hits.keepPlace(), [hits.place, hits.isPassage])") == [
        None, False,
    ]  # fmt: skip


def test_a_key_goes_from_mark_to_mark_around_the_end(page: Page) -> None:
    page.evaluate("hits.open(shown())")
    step = "(hits.jump(%s), [current(), said.at(-1)])"
    assert page.evaluate(step % 1) == ["m0", "1 of 5"]
    assert page.evaluate("[hits.marked.id, top_('m0') < 400]") == ["m0", True]
    assert page.evaluate(step % 1) == ["m1", "2 of 5"]
    assert page.evaluate("top_('m1')") in range(185, 200)
    assert page.evaluate(step % 1) == ["m2", "3 of 5"]
    assert page.evaluate(step % 1) == ["", "4 of 5"]
    assert page.evaluate("inside.querySelector('.current').className") == "missing current"
    assert page.evaluate(step % 1) == ["m4", "5 of 5"]
    assert page.evaluate("inside.querySelector('details').open") is True
    assert page.evaluate(step % 1) == ["m0", "1 of 5"]
    assert page.evaluate(step % -1) == ["m4", "5 of 5"]
    page.evaluate("view.scrollTo(0, 1500)")
    assert page.evaluate("hits.marked") is None
    assert page.evaluate(step % 1) == ["m2", "3 of 5"]
    page.evaluate("view.scrollTo(0, 1500)")
    assert page.evaluate(step % -1) == ["m1", "2 of 5"]
    page.evaluate("view.scrollTo(0, 3000), inside.querySelector('details').open = false")
    page.evaluate("view.scrollTo(0, 5000)")
    assert page.evaluate(step % 1)[1] == "1 of 5"
    assert page.evaluate("(hits.open(shown()), [current(), hits.now])") == ["", None]
    page.evaluate("inside.querySelector('main').replaceChildren()")
    assert page.evaluate(step % 1) == ["", "No marked words in the text"]


def test_a_mark_before_the_window_is_not_in_sight(page: Page) -> None:
    page.evaluate("hits.open(shown()), hits.jump(1), hits.jump(1)")
    in_sight = """(top) => {
        view.scrollTo(0, 0);
        view.scrollTo(0, Math.round(inside.getElementById("m1").getBoundingClientRect().top) - top);
        return hits.marked?.id ?? null;
    }"""
    assert [page.evaluate(in_sight, top) for top in (0, 390, 405, -5, -30)] == ["m1", "m1", None, "m1", None]
    page.evaluate("inside.getElementById('m1').style.display = 'none'")
    assert page.evaluate("hits.marked") is None


def test_between_passage_and_whole_the_first_mark_stays_where_it_is(page: Page) -> None:
    page.evaluate("""inside.head.innerHTML = "<style>body.passage .outside { display: none }</style>"
        + "<style>body:not(.passage) main::before { content: ''; display: block; height: 300px }</style>" """)
    assert page.evaluate("(hits.open(shown()), hits.toggleWhole(), said.splice(0))") == [
        "The whole document is shown"
    ]
    assert page.evaluate("document.querySelector('#whole').hidden") is True
    page.evaluate("hits.open(shown({ passage: true })), view.scrollTo(0, 5)")
    button = "[document.querySelector('#whole').hidden, document.querySelector('#whole-words').textContent]"
    assert page.evaluate(button) == [False, "Whole document"]
    before = page.evaluate("top_('m0')")
    assert page.evaluate("(hits.toggleWhole(), [top_('m0'), hits.isPassage])") == [before, False]
    assert page.evaluate("at()") == 305
    assert page.evaluate(button) == [False, "Best passage"]
    assert page.evaluate("(view.scrollTo(0, 1300), hits.toggleWhole(), [at(), hits.isPassage])") == [0, True]
    assert page.evaluate("part()") == [0, 0]
    page.evaluate("inside.getElementById('m0').closest('p').classList.add('outside')")
    page.evaluate("inside.body.style.paddingTop = '5px'")
    assert page.evaluate("(hits.firstShown().id, hits.jump(1), hits.isPassage)") is True
    page.evaluate("hits.reveal(inside.getElementById('m1'))")
    assert page.evaluate("[hits.isPassage, current()]") == [False, "m1"]
    page.evaluate(
        "hits.toggleWhole(), [...inside.querySelectorAll('p')].forEach((p) => p.classList.add('outside'))"
    )
    assert page.evaluate("(view.scrollTo(0, 5), hits.firstShown())") is None
    assert page.evaluate("said") == ["3 of 5"]


def test_a_click_on_the_map_leads_to_the_mark_that_is_nearest(page: Page) -> None:
    page.evaluate("inside.querySelectorAll('.missing, .begins').forEach((one) => (one.className = ''))")
    page.evaluate("inside.querySelector('main mark.hit:not([id], .continued)').className = ''")
    picked = "(hits.open(shown(%s)), hits.jumpTo(%s), current())"
    assert [page.evaluate(picked % ("", at)) for at in (0, 0.14, 0.16, 0.59, 0.61, 1)] == [
        "m0", "m0", "m1", "m1", "m4", "m4",
    ]  # fmt: skip
    # Where ticks and marks differ in number, places decide: of 51 characters m0 begins after 5, m1 after 20.
    page.evaluate("inside.querySelector('details').remove()")
    assert [page.evaluate(picked % ("{ hits: [0.1, 0.3, 0.5] }", at)) for at in (0, 0.19, 0.21, 1)] == [
        "m0", "m0", "m1", "m1",
    ]  # fmt: skip
    assert page.evaluate(picked % ("{ hits: [0.1], differences: [0.5] }", 0.29)) == "m0"
    assert page.evaluate(picked % ("{ hits: [0.1], differences: [0.5] }", 0.31)) == "m1"
    page.evaluate("hits.open(shown()), inside.querySelector('main').replaceChildren(), hits.jumpTo(0.5)")
    page.evaluate("void (viewer.inside = null), hits.jumpTo(0.5), hits.follow()")
    assert page.evaluate("hits.now") is None


def test_the_map_follows_as_the_document_is_scrolled_or_grows(page: Page) -> None:
    page.evaluate("hits.watch(view), hits.open(shown()), hits.arrived()")
    height = page.evaluate("inside.documentElement.scrollHeight")
    assert page.evaluate("part()") == [0, round(400_000 / height)]
    page.evaluate("view.scrollTo(0, 1000)")
    page.wait_for_function("part()[0] > 0")
    assert page.evaluate("part()") == pytest.approx([1_000_000 / height, 400_000 / height], abs=1)
    page.evaluate("viewer.onsigns[0] && (view.scrollTo(0, 0), viewer.onsigns[0]())")
    assert page.evaluate("part()[0]") == 0
    page.evaluate("inside.querySelector('p').style.height = '3000px'")
    page.wait_for_function(f"part()[1] < {round(400_000 / height) - 20}")
    page.evaluate("inside.querySelector('main').replaceChildren()")
    page.wait_for_function("part()[1] === 0")
    page.evaluate("viewer.inside = { body: inside.body }, hits.map.window([0, 1]), hits.follow()")
    assert page.evaluate("part()") == [0, 0]


REMARKS = """async () => {
    const { Remarks, excessOf } = await import("/static/judging/remarks.js");
    window.excessOf = excessOf;
    viewer.focus = () => said.push("focus");
    window.marked = null;
    window.remarks = new Remarks("small", viewer, { get marked() { return marked; } }, (why) => said.push(why));
    window.box = document.querySelector("#note");
    window.item = (more = {}) => ({ document_id: "d", state: "open", ...more });
    window.write = (text) => { box.value = text; box.dispatchEvent(new Event("input")); };
    window.select = (id, from, to) => {
        const text = inside.getElementById(id).firstChild;
        view.getSelection().setBaseAndExtent(text, from, text, to);
    };
    window.kept = () => remarks.rationales.map(({ text }) => text);
    window.hidden = (id) => document.getElementById(id).hidden;
    window.draft = () => remarks.drafts.get("d");
}"""


@pytest.fixture
def beside(page: Page) -> Page:
    page.evaluate(REMARKS)
    return page


def test_a_note_waits_as_a_draft_until_it_is_sent_or_as_it_was(beside: Page) -> None:
    page = beside
    page.evaluate("remarks.show(item()), write(' One ')")
    assert page.evaluate("[remarks.note, draft().note, draft().rationales]") == ["One", " One ", []]
    page.evaluate("remarks.show(item({ document_id: 'e', comment: 'Stored' }))")
    assert page.evaluate("box.value") == "Stored"
    page.evaluate("write('Stored '), remarks.show(item())")
    assert page.evaluate("[box.value, remarks.drafts.get('e')]") == [" One ", None]
    assert page.evaluate("(write(''), draft())") is None
    page.evaluate("write('Two'), remarks.sent()")
    assert page.evaluate("[draft(), remarks.item, box.readOnly]") == [None, None, False]
    page.clock.run_for(39)
    assert page.evaluate("box.readOnly") is False
    page.clock.run_for(1)
    assert page.evaluate("(write('Nobody'), [box.readOnly, draft()])") == [True, None]
    page.evaluate("remarks.sent(), remarks.show(item())")
    assert page.evaluate("[box.readOnly, box.value]") == [False, ""]
    page.evaluate("remarks.leave('d')")
    assert page.evaluate("remarks.item.document_id") == "d"
    page.evaluate("remarks.leave(null), remarks.show(item())")
    page.clock.run_for(100)
    assert page.evaluate("box.readOnly") is False
    page.evaluate(
        "remarks.keepDraft('d', ''), remarks.keepDraft('d', 'Mine'), remarks.keepDraft('d', 'Later')"
    )
    assert page.evaluate("draft()") == {"note": "Mine", "rationales": []}
    assert page.evaluate("(remarks.show(null), box.value)") == ""


def test_what_changed_on_a_judged_document_is_offered_to_be_stored(beside: Page) -> None:
    page = beside
    stored = "item({ state: 'mine', comment: 'Old', rationales: [{ field: 'text', start: 5, end: 8, text: 'one' }] })"
    page.evaluate(f"remarks.show({stored})")
    assert page.evaluate("[hidden('keep-remarks'), hidden('rationales'), kept()]") == [True, False, ["one"]]
    assert page.evaluate("(write('New'), hidden('keep-remarks'))") is False
    assert page.evaluate("(write('Old'), hidden('keep-remarks'))") is True
    page.locator(".drop").click()
    assert page.evaluate("[hidden('keep-remarks'), hidden('rationales'), kept(), said.splice(0)]") == [
        False, True, [], ["focus"],
    ]  # fmt: skip
    assert page.evaluate("document.querySelector('#rationales').childElementCount") == 0
    assert page.evaluate("(remarks.show(item()), write('x'), hidden('keep-remarks'))") is True
    page.evaluate(f"write(''), remarks.show({stored.replace('5, end: 8', '3, end: 6')}), remarks.mark()")
    assert page.evaluate("[write('Old'), hidden('keep-remarks'), remarks.stored[0].start]") == [None, True, 6]


def test_a_note_that_is_too_long_says_by_how_much(beside: Page) -> None:
    page = beside
    page.evaluate("remarks.show(item()), write('x'.repeat(10_000))")
    told = "[remarks.excess, document.querySelector('#note-length').textContent, box.getAttribute('aria-invalid')]"
    assert page.evaluate(told) == [0, "", None]
    page.evaluate("write('x'.repeat(11_001))")
    assert page.evaluate(told) == [
        1001, "The note is 1,001 characters too long: 10,000 can be stored. Shorten it.", "true",
    ]  # fmt: skip
    page.evaluate("write('x')")
    assert page.evaluate(told) == [0, "", "false"]
    assert page.evaluate("['\\u{1f40b}'.repeat(10_000), '\\u{1f40b}'.repeat(10_001)].map(excessOf)") == [0, 1]


def test_what_is_selected_is_kept_as_whole_words_and_only_once(beside: Page) -> None:
    page = beside
    page.evaluate("remarks.show(item()), select('m0', 1, 2), remarks.keepSelection()")
    assert page.evaluate("[kept(), said.splice(0), String(view.getSelection())]") == [
        ["one"], ["Marked; it is saved with your grade"], "",
    ]  # fmt: skip
    assert page.evaluate("[draft().rationales.length, hidden('rationales')]") == [1, False]
    assert page.evaluate("[...view.CSS.highlights.get('rationale')].map(String)") == ["one"]
    assert page.locator("#rationales q").inner_text() == "one"
    assert page.locator("#rationales q").get_attribute("dir") == "auto"
    page.evaluate("select('m0', 0, 3), remarks.keepSelection()")
    assert page.evaluate("kept()") == ["one"]
    nothing = "Select some text first, or go to a marked word"
    assert page.evaluate("(said.splice(0), remarks.keepSelection(), said.splice(0))") == [nothing]
    page.evaluate("void (marked = inside.querySelector('.missing')), remarks.keepSelection()")
    assert page.evaluate("said.splice(0)") == [nothing]
    page.evaluate("void (marked = inside.getElementById('m1')), remarks.keepSelection()")
    assert page.evaluate("kept()") == ["one", "four five six"]
    page.evaluate(
        "said.splice(0), remarks.show(item({ state: 'mine' })), select('m2', 0, 2), remarks.keepSelection()"
    )
    assert page.evaluate("[said.splice(0), kept().at(-1)]") == [[], "seven"]
    page.evaluate("remarks.about(null), select('m0', 0, 3), remarks.keepSelection()")
    assert page.evaluate("said.splice(0)") == [nothing]
    page.evaluate(
        "void (viewer.inside = null), remarks.show(item()), remarks.mark(), remarks.keepSelection()"
    )
    assert page.evaluate("said.splice(0)") == [nothing]


def test_rationales_have_a_greatest_number_and_length(beside: Page) -> None:
    page = beside
    page.evaluate("""() => {
        remarks.show(item());
        window.long = (length) => {
            const place = inside.getElementById("m0");
            place.textContent = "y".repeat(length);
            view.getSelection().selectAllChildren(place);
            remarks.keepSelection();
            return said.splice(0);
        };
    }""")
    assert page.evaluate("long(5_001)") == ["A rationale can have at most 5,000 characters"]
    assert page.evaluate("kept()") == []
    assert page.evaluate("(long(5_000), kept()[0].length)") == 5_000
    assert page.locator("#rationales q").inner_text() == "y" * 80 + "…"
    page.evaluate(
        """remarks.rationales = Array.from({ length: 49 }, (_, at) => ({ field: "x", start: at, end: 99, text: "" }))"""
    )
    page.evaluate("select('m1', 0, 4), remarks.keepSelection()")
    assert page.evaluate("remarks.rationales.length") == 50
    page.evaluate("said.splice(0), select('m2', 0, 4), remarks.keepSelection()")
    assert page.evaluate("[said, remarks.rationales.length]") == [
        ["A judgment can have at most 50 rationales"],
        50,
    ]


def test_escape_leads_from_the_note_to_the_document(beside: Page) -> None:
    page = beside
    page.evaluate("remarks.focus()")
    assert page.evaluate("document.activeElement.id") == "note"
    page.keyboard.press("x")
    page.evaluate("box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true }))")
    assert page.evaluate("said") == []
    page.keyboard.press("Escape")
    assert page.evaluate("said") == ["focus"]
