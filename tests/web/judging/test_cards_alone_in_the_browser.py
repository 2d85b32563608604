"""Cards and the stage that they stand on, each script by itself, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf
from tests.sentences import says

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def shown_document(document_id: str, height: int = 100, **more: Any) -> str:
    """A document of ours, as the server sends it."""
    shown = {
        "document_id": document_id,
        "title": f"Title {document_id}",
        "state": "text",
        "twin": None,
        **more,
    }
    content = json.dumps(shown).replace("'", "&#39;")
    return (
        f"<head><meta name='shown' content='{content}'></head><body style='margin: 0; height: {height}px'>"
        f"<div id=wide style='height: {height}px'></div></body>"
    )


CARDS = """<style>body { margin: 0 } #cards { height: 400px; overflow: auto }
ol { margin: 0; padding: 0; list-style: none }
ol:not(.shown) { position: absolute; visibility: hidden } iframe { display: block; border: 0; width: 300px }
p { margin: 0 } .card-foot { height: 20px; overflow: hidden } .card-foot > * { display: inline }</style>
<div class=strip style="height: 10px">Strip</div>
<div id=document><div id=cards></div></div><div id=controls style="height: 40px">Controls</div>
<template id=shape-1><i>o</i></template>"""

STAGE = """async () => {
    const { CardStage } = await import("/static/judging/card_stage.js");
    window.onload_ = [];
    window.region = document.querySelector("#document");
    window.stage = new CardStage(document.querySelector("#cards"), (card) => onload_.push(card.first.document_id));
    window.names = (batch) => batch.cards.map(({ members }) => members.map(({ shown }) => shown.document_id).join("+"));
    window.load = async (...documents) => {
        const wanted = documents.map(([document_id, html]) => ({ document_id, html, address: `/doc/${document_id}`,
            alone: `?document=${document_id}` }));
        window.batch = await stage.load(wanted);
        return names(batch);
    };
    window.label = (at) => batch.cards[at].place.getAttribute("aria-label");
    window.busy = () => region.getAttribute("aria-busy");
}"""


@pytest.fixture
def stage(page_of: PageOf) -> Page:
    return page_of(CARDS, STAGE, viewport={"width": 800, "height": 600})


def load(stage: Page, *documents: tuple[str, str | None]) -> list[str]:
    return stage.evaluate("(documents) => load(...documents)", list(documents))  # type: ignore[no-any-return]


def copy_of(document_id: str, before: str, height: int = 100, **more: Any) -> tuple[str, str]:
    twin = {"document_id": before, "name": "", "reasons": []} | more
    return document_id, shown_document(document_id, height, twin=twin)


def test_a_card_says_its_document_its_judgment_and_where_it_stands_alone(stage: Page) -> None:
    assert load(stage, ("a", shown_document("a")), ("b", shown_document("b", title=""))) == ["a", "b"]
    assert stage.evaluate("[onload_, label(0), label(1), batch.list.inert]") == [
        ["a", "b"],
        "Title a",
        "b",
        True,
    ]
    card = "batch.cards[0]"
    link = f"{card}.place.querySelector('.card-open')"
    assert stage.evaluate(f"['href', 'aria-label'].map((name) => {link}.getAttribute(name))") == [
        "?document=a", "Open Title a alone",
    ]  # fmt: skip
    assert stage.evaluate("batch.cards.map(({ members }) => members[0].frame.title)") == ["Title a", "b"]
    assert stage.evaluate(f"{card}.members[0].frame.style.height") == "100px"
    assert stage.evaluate(f"{card}.members[0].frame.contentDocument.body.className") == "on-card"
    state = f"[{card}.place.hasAttribute('data-judged'), {card}.state.innerHTML]"
    stage.evaluate(f"{card}.showJudged({{ kind: 'grade', grade: 1 }}, 'Relevant')")
    assert stage.evaluate(state) == [True, "<i>o</i>Relevant"]
    stage.evaluate(f"window.stood = {card}.state.firstChild")
    stage.evaluate(
        f"{card}.showJudged({{ kind: 'grade', grade: 1 }}, 'Relevant')"
    )  # every key shows all cards
    assert stage.evaluate(f"{card}.state.firstChild === stood")
    assert stage.evaluate(f"({card}.showJudged(null, ''), {state})") == [False, ""]


def test_near_duplicates_that_one_grade_does_for_stand_on_one_card(stage: Page) -> None:
    assert load(stage, ("a", shown_document("a")), copy_of("b", "a"), copy_of("c", "b")) == ["a+b+c"]
    assert stage.evaluate("[label(0), batch.list.childElementCount]") == ["Title a, and 2 near duplicates", 1]
    bodies = "batch.cards[0].members.map(({ frame }) => frame.contentDocument.body.className)"
    assert stage.evaluate(bodies) == ["on-card", "on-card copy", "on-card copy"]
    assert stage.evaluate("[batch.cards[0].has('b'), batch.cards[0].has('x')]") == [True, False]
    assert load(stage, ("a", shown_document("a")), copy_of("b", "x"), copy_of("c", "b")) == ["a", "b+c"]
    assert stage.evaluate("label(1)") == "Title b, and 1 near duplicate"
    assert load(stage, ("a", shown_document("a")), copy_of("b", "a", reasons=["numbers"])) == ["a", "b"]
    missing = shown_document("b", state="missing", twin={"document_id": "a", "name": "", "reasons": []})
    assert load(stage, ("a", shown_document("a")), ("b", missing)) == ["a", "b"]
    assert load(stage, copy_of("b", "a")) == ["b"]


def test_copies_that_have_no_room_together_get_cards_of_their_own(stage: Page) -> None:
    documents = [("a", shown_document("a", 180)), copy_of("b", "a", 180), copy_of("c", "b", 180)]
    assert load(stage, *documents) == ["a+b", "c"]
    assert stage.evaluate("[label(0), batch.list.childElementCount]") == ["Title a, and 1 near duplicate", 2]
    assert load(stage, ("a", shown_document("a", 190)), copy_of("b", "a", 190)) == ["a+b"]
    assert load(stage, ("a", shown_document("a", 190)), copy_of("b", "a", 191)) == ["a", "b"]


def test_what_does_not_come_gets_no_card(stage: Page) -> None:
    stage.route("**/doc/*", lambda route: route.fulfill(body="<p>Not found</p>", content_type="text/html"))
    assert load(stage, ("a", None), ("b", shown_document("b"))) == ["b"]
    assert stage.evaluate("batch.list.childElementCount") == 1
    assert load(stage, ("a", shown_document("other"))) == []
    assert stage.evaluate("[batch.list.childElementCount, document.querySelectorAll('ol').length]") == [0, 2]
    shown = shown_document("c")
    stage.route("**/doc/c", lambda route: route.fulfill(body=shown, content_type="text/html"))
    assert load(stage, ("c", None)) == ["c"]
    twin = copy_of("b", "a")[1].replace('"document_id": "b"', '"document_id": "z"')
    assert load(stage, ("a", shown_document("a")), ("b", twin)) == ["a"]


def test_a_document_that_never_comes_gets_no_card_after_a_minute(stage: Page) -> None:
    stage.route("**/doc/a", lambda _: None)
    asked = "(html) => void load(['a', null], ['b', html]).then((names) => (window.came = names))"
    stage.evaluate(asked, shown_document("b"))
    stage.wait_for_function("document.querySelectorAll('iframe').length === 2")
    stage.clock.run_for(59_999)
    assert stage.evaluate("window.came ?? null") is None
    stage.clock.run_for(1)
    stage.wait_for_function("window.came")
    assert stage.evaluate("[came, batch.list.childElementCount]") == [["b"], 1]


def grow(stage: Page, *heights: int) -> None:
    """Cards of these heights, their feet of 20 pixels counted, are shown."""
    documents = [(f"d{at}", shown_document(f"d{at}", height - 20)) for at, height in enumerate(heights)]
    load(stage, *documents)
    stage.evaluate("""async () => {
        window.now = 1000;
        performance.now = () => now;
        await Promise.all([stage.show(batch), new Promise((done) => setTimeout(done))]);
    }""")


def wait(stage: Page, milliseconds: int) -> None:
    """Time passes, also for what is drawn."""
    stage.evaluate(f"void (now += {milliseconds})")
    stage.clock.run_for(milliseconds)


TOO_EARLY, NO_CARD = "Ignored: too early", "Ignored: no card yet"
HIDDEN = "Ignored: the card is not in full view"


@pytest.fixture
def timed(stage: Page) -> Page:
    """What is drawn is drawn at once."""
    stage.evaluate("void (window.requestAnimationFrame = (draw) => draw(0))")
    stage.evaluate(
        "void (window.setTimeout = ((later) => (run, wait) => wait > 10 ? later(run, wait) : void run())(setTimeout))"
    )
    return stage


def test_a_card_is_judged_after_a_quarter_of_a_second_in_full_view(timed: Page) -> None:
    grow(timed, 100, 200, 300)
    assert timed.evaluate("[stage.whyNot(), batch.list.inert, batch.list.className]") == [
        NO_CARD,
        False,
        "cards shown",
    ]
    timed.evaluate("stage.choose(batch.cards[0])")
    assert timed.evaluate("[stage.whyNot(), busy(), document.activeElement === batch.cards[0].place]") == [
        TOO_EARLY, "true", True,
    ]  # fmt: skip
    wait(timed, 249)
    assert timed.evaluate("[stage.whyNot(), busy()]") == [TOO_EARLY, "true"]
    wait(timed, 1)
    assert timed.evaluate("[stage.whyNot(), busy()]") == ["", "false"]
    timed.evaluate("stage.choose(batch.cards[1])")
    current = "stage.cards.map(({ place }) => place.getAttribute('aria-current'))"
    assert timed.evaluate(f"[stage.whyNot(), busy(), {current}]") == [
        TOO_EARLY, "true", [None, "true", None],
    ]  # fmt: skip
    wait(timed, 250)
    assert timed.evaluate("(stage.hold(), [stage.whyNot(), busy()])") == [TOO_EARLY, "true"]
    timed.evaluate("stage.leave()")
    wait(timed, 1000)
    assert timed.evaluate("[stage.whyNot(), busy(), stage.current]") == [NO_CARD, "true", None]


def test_a_card_that_leaves_the_view_starts_again(timed: Page) -> None:
    grow(timed, 100, 200, 300)
    timed.evaluate("stage.choose(batch.cards[0])")
    wait(timed, 300)
    timed.evaluate("stage.scroller.scrollTop = 1, stage.moved()")
    assert timed.evaluate("[stage.whyNot(), stage.cards.map((card) => stage.isInView(card))]") == [
        "",
        [True, True, False],
    ]
    timed.evaluate("stage.scroller.scrollTop = 2, stage.moved()")
    assert timed.evaluate("[stage.whyNot(), busy()]") == [HIDDEN, "true"]
    timed.evaluate("stage.scroller.scrollTop = 0, stage.moved()")
    assert timed.evaluate("stage.whyNot()") == TOO_EARLY
    wait(timed, 250)
    assert timed.evaluate("stage.whyNot()") == ""
    timed.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    assert (
        timed.evaluate("(document.dispatchEvent(new Event('visibilitychange')), stage.whyNot())") == TOO_EARLY
    )
    assert timed.evaluate("busy()") == "true"
    timed.evaluate("stage.choose(batch.cards[2])")
    assert timed.evaluate("[stage.scroller.scrollTop, stage.isInView(batch.cards[2])]") == [200, True]
    timed.evaluate("batch.cards[2].place.remove()")
    assert timed.evaluate("stage.isInView(batch.cards[2])") is False


def test_a_card_that_comes_into_view_by_itself_can_be_judged_too(timed: Page) -> None:
    grow(timed, 100, 200)
    timed.evaluate("stage.choose(batch.cards[0])")
    timed.evaluate("batch.list.style.marginTop = '350px', stage.moved()")
    assert timed.evaluate("[stage.whyNot(), busy()]") == [HIDDEN, "true"]
    timed.evaluate("batch.list.style.marginTop = 0")
    wait(timed, 250)
    assert timed.evaluate("busy()") == "true"
    wait(timed, 250)
    assert timed.evaluate("[busy(), stage.whyNot()]") == ["false", ""]


def test_a_timer_that_ends_early_leaves_no_card_busy(timed: Page) -> None:
    grow(timed, 100, 200)
    timed.evaluate("stage.choose(batch.cards[0])")
    timed.evaluate("void (now -= 0.5)")
    wait(timed, 250)
    wait(timed, 250)
    assert timed.evaluate("[busy(), stage.whyNot()]") == ["false", ""]


def test_a_card_that_is_too_tall_or_too_wide_says_so(timed: Page) -> None:
    grow(timed, 400, 402, 100)
    assert says("\n".join(timed.evaluate("stage.cards.map(({ why }) => why.textContent)")))  # fmt: skip
    wide = "stage.cards[2].members[0].frame.contentDocument.getElementById('wide').style.width"
    assert timed.evaluate(f"({wide} = '301px', stage.fit(), stage.cards[2].why.textContent)") == ""
    assert says(timed.evaluate(f"({wide} = '302px', stage.fit(), stage.cards[2].why.textContent)"))
    timed.evaluate("stage.choose(batch.cards[2])")
    wait(timed, 300)
    assert says(timed.evaluate("stage.whyNot()"))


def test_the_page_knows_when_more_than_half_of_the_cards_are_too_tall(timed: Page) -> None:
    grow(timed, 402, 402, 100, 100)
    assert timed.evaluate("region.hasAttribute('data-tall')") is False
    grow(timed, 402, 402, 100)
    assert timed.evaluate("region.hasAttribute('data-tall')") is True
    timed.evaluate("stage.scroller.style.height = '600px', stage.fit()")
    assert timed.evaluate("region.hasAttribute('data-tall')") is False


def test_the_line_above_the_cards_does_not_go_or_come_with_those_that_come_later(timed: Page) -> None:
    add = "(more) => stage.add(batch, more.map(([document_id, html]) => ({ document_id, html, against: null })))"
    for first, later, is_tall in (([402, 402, 100], 100, True), ([402, 100, 100], 402, False)):
        grow(timed, *first)
        timed.evaluate(add, [[name, shown_document(name, later)] for name in "efgh"])
        assert timed.evaluate("batch.cards.length") == 7
        assert timed.evaluate("region.hasAttribute('data-tall')") is is_tall
        timed.evaluate("void stage.fit()")
        assert timed.evaluate("region.hasAttribute('data-tall')") is not is_tall


EVEN = "batch.cards.map(({ place }) => place.hasAttribute('data-even'))"


def test_cards_are_as_high_as_those_beside_them_unless_one_is_higher_than_the_screen(timed: Page) -> None:
    timed.add_style_tag(content="ol { display: grid; grid-template-columns: 1fr 1fr }")
    grow(timed, 100, 300, 200, 200)
    assert timed.evaluate(EVEN) == [True, True, True, True]
    timed.evaluate("batch.cards[0].place.style.height = '900px', stage.fit()")
    assert timed.evaluate(f"[...{EVEN}, batch.cards[0].why.textContent]") == [True, True, True, True, ""]
    timed.evaluate("stage.scroller.style.height = '290px', stage.fit()")
    assert timed.evaluate(EVEN) == [False, False, True, True], "two stand beside each other"
    assert load(timed, ("e", shown_document("e", 2_000))) == ["e"]
    assert timed.evaluate(EVEN) == [False], "before it is shown"
    assert load(timed, ("f", shown_document("f"))) == ["f"]
    assert timed.evaluate(EVEN) == [True]


def test_cards_are_seen_between_the_strip_and_what_is_fixed_at_the_bottom(timed: Page) -> None:
    grow(timed, 100)
    assert timed.evaluate("stage.view()") == {"top": 10, "bottom": 410, "left": 0, "right": 800}
    timed.evaluate(
        "document.querySelector('#controls').style.cssText += 'position: fixed; bottom: 0; height: 250px'"
    )
    assert timed.evaluate("stage.view().bottom") == 350
    timed.evaluate("document.querySelector('.strip').style.cssText = 'position: fixed; height: 30px'")
    assert timed.evaluate("[stage.view().top, stage.scroller.getBoundingClientRect().top]") == [30, 0]
    timed.evaluate("document.querySelector('.strip').remove(), stage.scroller.style.marginTop = '-5px'")
    assert timed.evaluate("[stage.view().top, stage.scroller.getBoundingClientRect().top]") == [0, -5]


def test_other_cards_come_in_place_of_those_on_the_screen(timed: Page) -> None:
    grow(timed, 300, 300)
    timed.evaluate("stage.choose(batch.cards[1]), window.first = batch")
    assert timed.evaluate("[stage.neighbour(-1) === batch.cards[0], stage.neighbour(1)]") == [True, None]
    assert timed.evaluate("[stage.cardOf('d1') === batch.cards[1], stage.cardOf('x')]") == [True, None]
    load(timed, ("e", shown_document("e")))
    timed.evaluate("stage.show(batch)")
    assert timed.evaluate("[stage.current, stage.cards.length, stage.scroller.scrollTop]") == [None, 1, 0]
    assert timed.evaluate("[first.list.inert, first.list.className, batch.list.className]") == [
        True, "cards", "cards shown",
    ]  # fmt: skip
    assert timed.evaluate("stage.neighbour(1) === batch.cards[0]") is True
    assert timed.evaluate("(stage.drop(first), [stage.batch === batch, first.list.isConnected])") == [
        True,
        False,
    ]
    assert timed.evaluate("(stage.drop(batch), [stage.batch, stage.cards])") == [None, []]


def test_a_card_in_the_middle_of_typing_takes_no_focus(timed: Page) -> None:
    grow(timed, 100)
    timed.evaluate(
        "document.body.append(document.createElement('input')), document.querySelector('input').focus()"
    )
    timed.evaluate("stage.choose(batch.cards[0])")
    assert timed.evaluate("document.activeElement.tagName") == "INPUT"


def test_cards_that_come_later_are_unseen_until_all_are_there_and_do_not_scroll_the_others(
    stage: Page,
) -> None:
    load(stage, *[(name, shown_document(name, 300)) for name in "abc"])
    stage.evaluate("void (stage.show(batch), stage.choose(batch.cards[0]), stage.scroller.scrollTo(0, 400))")
    stage.wait_for_function("stage.scroller.scrollTop === 400")
    wanted = "([id, html]) => ({ document_id: id, html, against: null, address: `/doc/${id}`, alone: '' })"
    more = [["d", shown_document("d", 100)], ["e", None]]
    stage.route("**/doc/e", lambda route: None)
    stage.evaluate(f"(more) => void (window.adding = stage.add(batch, more.map({wanted})))", more)
    stage.wait_for_selector(".card.coming .card-foot", state="attached")
    assert stage.locator(".card.coming").count() == 2
    assert stage.evaluate("names(batch)") == ["a", "b", "c"]
    stage.evaluate("document.querySelector('.card:last-child iframe').dispatchEvent(new Event('load'))")
    stage.evaluate("adding")
    assert stage.locator(".card.coming").count() == 0
    assert stage.evaluate("[names(batch), stage.scroller.scrollTop]") == [["a", "b", "c", "d"], 400]
