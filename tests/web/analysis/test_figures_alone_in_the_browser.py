"""Figures and the page Certainty, each script by itself, without a server and without Vega."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIGURE = """<figure data-figure="/figure/%s" data-runtime="/vega.js"%s>
<div class=figure-place role=img aria-label=Named style="width: 100px; overflow: auto"></div></figure>"""
VEGA = """window.drawn = [];
window.workbenchEmbed = async (place, spec, options) => {
    drawn.push([spec, options]);
    place.innerHTML = spec.svg ?? "";
    return { view: { addEventListener: (name, heard) => (window.clicks = heard) } };
};"""


class Server:
    """Answers with a specification for each figure."""

    def __init__(self, page: Page) -> None:
        self.specs: dict[str, tuple[int, Any]] = {}
        self.asked: list[str] = []
        self.runtimes = 0
        page.route("**/figure/*", self._figure)
        page.route("**/vega.js", self._vega)

    def _figure(self, route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        self.asked.append(name)
        status, spec = self.specs[name]
        route.fulfill(status=status, json=spec)

    def _vega(self, route: Route) -> None:
        self.runtimes += 1
        route.fulfill(body=VEGA, content_type="text/javascript")


def state(page: Page, number: int = 0) -> str | None:
    return page.locator("figure").nth(number).get_attribute("data-state")


def drawn(page: Page, number: int, name: str = "drawn") -> None:
    page.wait_for_function(
        "([at, name]) => document.querySelectorAll('figure')[at].dataset.state === name", arg=[number, name]
    )


SVG = """<svg aria-label=x><rect id=un fill="#b4b5b8"></rect><rect id=other fill="#123456"></rect>
<g id=nameless role=graphics-object aria-roledescription=mark></g><g id=named role=img aria-label=y></g></svg>"""


def test_a_figure_is_drawn_in_its_colours_with_what_is_unjudged_hatched(page_of: PageOf) -> None:
    page = page_of(FIGURE % ("a", ""))
    server = Server(page)
    spec = {
        "svg": SVG, "n": None, "list": ["#123456", 1], "datasets": {"d": ["#123456"]},
        "usermeta": {"dark": {"#123456": "#abcdef"}},
    }  # fmt: skip
    server.specs["a"] = 200, spec
    page.evaluate("import('/static/analysis/figures.js')")
    drawn(page, 0)
    options = {
        "actions": False, "ast": True, "defaultStyle": False, "renderer": "svg",
        "tooltip": {"disableDefaultStyle": True},
    }  # fmt: skip
    assert page.evaluate("drawn") == [[spec, options]]
    assert page.locator("#un").get_attribute("fill") == "url(#unjudged-1)"
    assert page.locator("#other").get_attribute("fill") == "#123456"
    assert page.evaluate("document.querySelector('svg').firstChild.outerHTML") == (
        '<pattern id="unjudged-1" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="1.2" height="4" fill="#b4b5b8"></rect></pattern>'
    )
    assert page.locator("#nameless").get_attribute("role") is None
    assert page.locator("#nameless").get_attribute("aria-roledescription") is None
    assert page.locator("#named").get_attribute("role") == "img"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("drawn.length === 2")
    assert page.evaluate("[drawn[1][0].list, drawn[1][0].datasets.d, drawn[1][0].n]") == [
        ["#abcdef", 1], ["#123456"], None,
    ]  # fmt: skip
    assert (server.asked, server.runtimes) == (["a"], 1)
    assert page.evaluate("document.querySelectorAll('.figure-place > *').length") == 1


def test_a_figure_without_colours_for_the_dark_keeps_its_own(page_of: PageOf) -> None:
    page = page_of(FIGURE % ("a", ""), color_scheme="dark")
    server = Server(page)
    server.specs["a"] = 200, {"svg": SVG.replace(' fill="#b4b5b8"', ""), "c": "#123456"}
    page.evaluate("import('/static/analysis/figures.js')")
    drawn(page, 0)
    assert page.evaluate("[drawn[0][0].c, document.querySelectorAll('pattern').length]") == ["#123456", 0]


def test_a_figure_far_below_the_window_is_drawn_too_as_a_printed_page_shows_it(page_of: PageOf) -> None:
    page = page_of("<div style='height: 9000px'></div>" + FIGURE % ("a", "") + FIGURE % ("b", ""))
    server = Server(page)
    server.specs = {"a": (200, {"svg": SVG}), "b": (200, {"svg": SVG})}
    page.evaluate("import('/static/analysis/figures.js')")
    for number in range(2):
        page.clock.run_for(1_000)
        drawn(page, number)
    assert (page.evaluate("scrollY"), server.asked) == (0, ["a", "b"])


def test_a_figure_that_cannot_be_drawn_says_why(page_of: PageOf) -> None:
    page = page_of("".join(FIGURE % (name, "") for name in "abc"))
    server = Server(page)
    server.specs = {"a": (403, {"message": "Not yours."}), "b": (500, {}), "c": (200, {})}
    page.evaluate("import('/static/analysis/figures.js')")
    drawn(page, 0, "failed")
    drawn(page, 1, "failed")
    drawn(page, 2)
    assert page.locator(".hint").all_inner_texts() == [
        "This figure cannot be drawn: Not yours.", "This figure cannot be drawn: the server answered with 500",
    ]  # fmt: skip
    assert page.evaluate("[...document.querySelectorAll('[role], [aria-label]')].length") == 1


def test_without_the_drawing_program_no_figure_is_drawn(page_of: PageOf) -> None:
    page = page_of(FIGURE % ("a", ""))
    server = Server(page)
    server.specs["a"] = 200, {}
    page.route("**/vega.js", lambda route: route.abort())
    page.evaluate("import('/static/analysis/figures.js')")
    drawn(page, 0, "failed")
    assert page.locator(".hint").inner_text() == (
        "This figure cannot be drawn: the drawing program could not be fetched"
    )


def test_a_figure_is_drawn_when_it_comes_near_and_again_when_the_server_has_another(page_of: PageOf) -> None:
    far = "<div style='height: 5000px'></div>"
    page = page_of(FIGURE % ("a", "") + far + FIGURE % ("b", ""))
    server = Server(page)
    server.specs = {"a": (200, {"n": 1}), "b": (200, {"n": 2})}
    page.evaluate("import('/static/analysis/figures.js').then(({ redraw }) => void (window.redraw = redraw))")
    drawn(page, 0)
    assert (server.asked, state(page, 1)) == (["a"], None)
    server.specs["a"] = 200, {"n": 3}
    page.evaluate("[...document.querySelectorAll('figure')].forEach(redraw)")
    page.wait_for_function("drawn.length === 2")
    assert page.evaluate("drawn.map(([{ n }]) => n)") == [1, 3]
    page.evaluate("scrollTo(0, 5000)")
    drawn(page, 1)
    assert server.asked == ["a", "a", "b"]


def test_what_is_wider_than_its_place_is_scrolled_by_keys(page_of: PageOf) -> None:
    page = page_of(FIGURE % ("a", "") + FIGURE % ("b", ""))
    server = Server(page)
    wide = "<svg style='display: block; width: %dpx; height: 10px'></svg>"
    server.specs = {"a": (200, {"svg": wide % 101}), "b": (200, {"svg": wide % 100})}
    page.evaluate("import('/static/analysis/figures.js')")
    drawn(page, 0)
    drawn(page, 1)
    tabs = "[...document.querySelectorAll('.figure-place')].map((one) => one.getAttribute('tabindex'))"
    assert page.evaluate(tabs) == ["0", None]
    page.evaluate("document.querySelector('svg').style.width = '10px', dispatchEvent(new Event('resize'))")
    assert page.evaluate(tabs) == [None, None]


def test_a_click_on_ranks_of_a_run_opens_the_document_that_is_pointed_at(page_of: PageOf) -> None:
    page = page_of(FIGURE % ("a", ' data-opens="#pairs?x=1"') + "<i id=bar></i>")
    server = Server(page)
    server.specs["a"] = 200, {}
    page.evaluate("import('/static/analysis/figures.js')")
    drawn(page, 0)
    opened = """([clientX, datum]) => {
        const bar = document.querySelector("#bar");
        bar.getBoundingClientRect = () => ({ left: 100, width: 40 });
        clicks({ clientX, target: bar }, datum && { datum });
        return location.hash;
    }"""
    datum = {"run": "a&b", "first": 11, "last": 14}
    assert page.evaluate(opened, [100, None]) == ""
    assert page.evaluate(opened, [100, {"run": "a"}]) == ""
    found = [page.evaluate(opened, [at, datum]).removeprefix("#pairs?x=1&run=a%26b&rank=") for at in (
        90, 100, 109, 110, 139, 140, 150,
    )]  # fmt: skip
    assert found == ["11", "11", "11", "12", "14", "14", "14"]


CAN_WE_STOP = (
    """<meta name=csrf-token content=t><meta name=session-url content=/session>
<div id=answer data-answer=/answer data-row=5><p id=answer-words>Not yet: 2 of 3.</p>
<p id=answer-next>Judge on.</p></div>
<p id=answer-news hidden><b id=answer-news-words></b></p><a id=answer-now hidden>Now</a>"""
    + FIGURE % ("certain-pairs.json?x", "")
    + FIGURE % ("other.json", "")
)


def test_whether_judging_can_stop_follows_the_log(page_of: PageOf) -> None:
    page = page_of(CAN_WE_STOP)
    server = Server(page)
    server.specs = {"certain-pairs.json?x": (200, {"n": 1}), "other.json": (200, {"n": 2})}
    found: dict[str, Any] = {"seq": 5, "text": "Not yet: 2 of 3.", "next": "Judge on."}
    status = [200]
    known: list[str | None] = []

    def answer(route: Route) -> None:
        known.append(route.request.headers.get("if-none-match"))
        if status[0] == 0:
            route.abort()
        else:
            route.fulfill(status=status[0], json=found, headers={"ETag": f'"{found["seq"]}"'})

    page.route("**/answer", answer)
    page.evaluate("""() => {
        window.polls = 0;
        const own = window.fetch;
        window.fetch = async (address, ...more) => {
            try { return await own(address, ...more); }
            finally { polls += String(address).includes("answer"); }
        };
    }""")
    page.evaluate("import('/static/analysis/trust.js')")
    drawn(page, 0)
    drawn(page, 1)
    page.wait_for_function("polls === 1")
    hidden = "['answer-news', 'answer-now'].map((id) => document.getElementById(id).hidden)"
    assert page.evaluate(hidden) == [True, True]

    def tell(words: str, wanted: int) -> None:
        page.clock.run_for(2_000)
        page.wait_for_function("(wanted) => polls === wanted", arg=wanted)
        expect(page.locator("#answer-news-words")).to_have_text(words)

    status[0] = 304
    tell("", 2)
    found |= {"seq": 1200, "text": "Yes: all 3.", "next": ""}
    status[0] = 200
    tell(
        "This answer and the matrix of certain pairs are as of log row 1,200; the rest of the page is older.",
        3,
    )
    assert page.locator("#answer-words").inner_text() == "Yes: all 3."
    assert not page.locator("#answer-next").is_visible()
    assert page.locator("#answer").get_attribute("data-row") == "1200"
    assert page.evaluate(hidden) == [False, False]
    page.wait_for_function("drawn.length === 3")
    assert server.asked.count("certain-pairs.json?x") == 2
    status[0] = 401
    tell("You are signed out: reload the page to sign in.", 4)
    status[0] = 500
    tell("The server answered with 500.", 5)
    found["message"] = "Not yours."
    tell("Not yours.", 6)
    status[0] = 0
    tell("The server does not respond; this page may be out of date.", 7)
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    page.clock.run_for(10_000)
    assert page.evaluate("polls") == 7
    assert known == [None, '"5"', '"5"', *['"1200"'] * 4]
