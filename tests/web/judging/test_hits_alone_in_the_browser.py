"""The marks of a document and its map, by themselves, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf
from tests.sentences import says

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
<div id=stage><iframe srcdoc="{DOCUMENT}" style="width: 300px; height: 400px; border: 0"></iframe></div>"""

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
    assert says("\n".join(page.evaluate(step % 1)))


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
    assert says("\n".join(page.evaluate("(hits.open(shown()), hits.toggleWhole(), said.splice(0))")))
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
