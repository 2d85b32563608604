"""Showing documents one after the other, and what stands around them, each script by itself, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<head><meta name=csrf-token content=t><meta name=session-url content=/session></head><input id=field>
<div id=region><div id=stage tabindex=-1 style="height: 300px"></div></div>"""


def shown_document(document_id: str, **more: Any) -> str:
    shown = {"document_id": document_id, "account": "Ben", "topic_version": 1, "guideline_version": 2} | more
    return (
        f"<title>Title {document_id}</title><meta name='shown' content='{json.dumps(shown)}'>"
        "<p style='height: 3000px'>Text</p>"
    )


VIEWER = """async () => {
    const { Viewer, shownIn, SEEN_FROM } = await import("/static/judging/viewer.js");
    window.shownIn = shownIn;
    window.loads = [];
    window.heldTexts = {};
    window.region = document.querySelector("#region");
    window.viewer = new Viewer(region, document.querySelector("#stage"), (inside) => loads.push(inside.document.title),
        (address) => heldTexts[address] ?? null);
    window.soon = async (painted) => { await painted; };
    window.requestAnimationFrame = (draw) => draw(0);
    const later = setTimeout;
    window.setTimeout = (run, wait, ...more) => (wait > 10 ? later(run, wait, ...more) : void run()); // 10: painted
    window.frames_ = () => [...viewer.frames.keys()].join();
    window.state = () => [viewer.seen, region.getAttribute("aria-busy")];
    window.hide = (hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    };
}"""


def serve(page: Page, **more: Any) -> list[str]:
    """Answers for documents /doc?document=NAME; those whose names begin with x are none of ours."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        name = route.request.url.rpartition("document=")[2].partition("&")[0]
        asked.append(name)
        body = "<p>Not found</p>" if name.startswith("x") else shown_document(name, **more)
        route.fulfill(body=body, content_type="text/html")

    page.route("**/doc?*", answer)
    return asked


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of(PAGE, VIEWER)


def test_a_document_is_seen_after_a_quarter_of_a_second_on_the_screen(page: Page) -> None:
    serve(page)
    show = (
        "void (window.kept = viewer.prepare('/doc?document=%s')), kept.loaded.then(() => viewer.show(kept))"
    )
    page.evaluate(show % "a")
    titles = "[viewer.inside.title, viewer.stage.getAttribute('aria-label'), viewer.current.title]"
    assert page.evaluate(titles) == ["Title a"] * 3
    assert page.evaluate("[viewer.isQuiet, viewer.current.tabIndex, viewer.stage.tabIndex]") == [False, 0, -1]
    assert page.evaluate("[viewer.current.className, loads, state()]") == [
        "document-frame current", ["Title a"], [False, "true"],
    ]  # fmt: skip
    page.evaluate("viewer.arrived()")
    assert page.evaluate("document.activeElement.id") == "stage"
    page.clock.run_for(249)
    assert page.evaluate("state()") == [False, "true"]
    page.clock.run_for(1)
    assert page.evaluate("state()") == [True, "false"]
    page.evaluate("hide(true)")
    page.clock.run_for(1_000)
    assert page.evaluate("state()") == [False, "true"]
    page.evaluate("hide(false)")
    page.clock.run_for(250)
    assert page.evaluate("state()") == [True, "false"]
    page.evaluate("viewer.inside.defaultView.scrollTo(0, 500), viewer.leave()")
    assert page.evaluate("state()") == [False, "true"]
    page.evaluate("hide(true), hide(false)")
    page.clock.run_for(1_000)
    assert page.evaluate("state()") == [False, "true"]
    page.wait_for_function("viewer.frames.get('/doc?document=a').isScrolled")
    page.evaluate(show % "b")
    assert page.evaluate("document.querySelectorAll('iframe.current').length") == 1
    page.evaluate(show % "a")
    assert page.evaluate("viewer.inside.defaultView.scrollY") == 0


def test_a_document_that_its_frame_loads_again_is_not_heard_of_again(page: Page) -> None:
    asked = serve(page)
    page.evaluate("void (window.kept = viewer.prepare('/doc?document=a')), kept.loaded")
    page.evaluate("""() => new Promise((done) => {
        kept.frame.addEventListener("load", done);
        kept.frame.contentWindow.location.reload();
    })""")
    assert (asked, page.evaluate("loads")) == (["a", "a"], ["Title a"])


def test_a_document_takes_no_focus_from_a_field_nor_when_it_only_comes_again(page: Page) -> None:
    serve(page)
    page.evaluate(
        "void (window.kept = viewer.prepare('/doc?document=a')), kept.loaded.then(() => viewer.show(kept))"
    )
    page.evaluate("document.querySelector('#field').focus(), viewer.arrived()")
    assert page.evaluate("document.activeElement.id") == "field"
    page.evaluate("document.querySelector('#field').type = 'checkbox'")
    page.evaluate("document.querySelector('#field').focus(), viewer.arrived(true)")
    assert page.evaluate("document.activeElement.id") == "field"
    page.evaluate("viewer.arrived()")
    assert page.evaluate("document.activeElement.id") == "stage"
    page.evaluate("document.activeElement.blur(), viewer.arrived(true)")
    assert page.evaluate("document.activeElement.id") == "stage"
    page.evaluate("viewer.tell('No document'), viewer.focus()")
    assert page.evaluate("document.activeElement.className") == "document-message"
    assert page.evaluate("[viewer.message.hidden, viewer.message.textContent, viewer.inside, state()]") == [
        False, "No document", None, [False, "false"],
    ]  # fmt: skip
    page.evaluate("viewer.wait('Loading')")
    assert page.evaluate("[viewer.message.textContent, state()]") == ["Loading", [False, "true"]]
    page.evaluate("viewer.show(viewer.frames.get('/doc?document=a'))")
    assert page.evaluate("viewer.message.hidden") is True


def test_the_eight_frames_that_were_used_last_are_kept(page: Page) -> None:
    asked = serve(page)
    page.evaluate("""() => {
        window.at = (name) => `/doc?document=${name}`;
        window.names = () => frames_().replaceAll(at(""), "");
    }""")
    page.evaluate("Promise.all([...'abcdefgh'].map((name) => viewer.prepare(at(name)).loaded))")
    page.evaluate("viewer.show(viewer.prepare(at('a')))")
    assert page.evaluate("names()") == "b,c,d,e,f,g,h,a"
    page.evaluate("viewer.prepareAll(['i', 'b'].map(at))")
    assert page.evaluate("names()") == "d,e,f,g,h,a,i,b"
    page.evaluate("['j', 'k', 'l', 'm', 'n', 'o'].forEach((name) => viewer.prepare(at(name)))")
    assert page.evaluate("names()") == "a,b,j,k,l,m,n,o"
    assert page.evaluate("document.querySelectorAll('iframe').length") == 8
    page.evaluate("viewer.dropAll()")
    assert page.evaluate("[names(), document.querySelectorAll('iframe').length]") == ["", 1]
    page.evaluate("viewer.hide()")
    assert page.evaluate("document.querySelectorAll('iframe').length") == 0
    assert asked[:8] == list("abcdefgh")


def test_what_is_no_document_of_ours_is_dropped_and_what_is_held_is_not_asked_for(page: Page) -> None:
    asked = serve(page)
    assert page.evaluate("viewer.prepare('/doc?document=x').loaded") is None
    assert page.evaluate("[viewer.frames.size, document.querySelectorAll('iframe').length]") == [0, 0]
    page.evaluate("(html) => void (heldTexts['/held'] = html)", shown_document("h"))
    assert page.evaluate("viewer.prepare('/held').loaded.then(({ document_id }) => document_id)") == "h"
    assert asked == ["x"]
    assert page.evaluate("[shownIn(null), shownIn(document)]") == [None, None]
    assert (
        page.evaluate("shownIn(new DOMParser().parseFromString('<meta name=shown content={>', 'text/html'))")
        is None
    )


READER = """async (data) => {
    const { Reader } = await import("/static/judging/reader.js");
    const { Queue } = await import("/static/judging/queue.js");
    const open = { state: "open", kind: null, grade: null, seq: null, near: null, later: false };
    const near = { b: "n", c: "n" };
    const items = [..."abcdefgh"].map((document_id) => ({ ...open, document_id, near: near[document_id] ?? null }));
    window.queue = new Queue(items);
    window.calls = [];
    window.ready = [];
    window.wants = [];
    const named = (one) => one?.document_id ?? one;
    const heard = (name) => (...one) => void calls.push([name, ...one.map(named)].join(" "));
    window.texts = { limit: { documents: 2 }, get: ({ document_id, against }) => `${document_id}/${against}`,
        clear: heard("clear"), forget: heard("forget"), has: () => false,
        isReady: ({ document_id }) => ready.includes(document_id),
        bring: async (place) => void calls.push(`bring ${place.document_id}`),
        want: async (places, urgent) => void wants.push([places.map(named).join(""), urgent]) };
    window.reader = new Reader(viewer, queue, texts, { frame_url: "/doc?topic=1&document=",
        document_url: "/why?document=", account: "Ben", topic_version: 1, guideline_version: 2, topic_id: "1&2",
        norming: null, ...data },
        { onleave: heard("leave"), onwanted: heard("wanted"), onsignedout: heard("out"), onfailed: heard("failed"),
            onopen: heard("open"), onshown: heard("shown") });
    window.told = () => calls.splice(0);
    window.message = () => viewer.message.hidden ? "" : viewer.message.textContent;
}"""


@pytest.fixture
def reader(page: Page) -> Page:
    page.evaluate(READER, {})
    return page


def test_a_document_is_opened_shown_and_what_comes_next_is_loaded(reader: Page) -> None:
    asked = serve(reader)
    reader.evaluate("reader.open('a')")
    assert reader.evaluate("told()") == ["leave a", "wanted", "open a", "shown a"]
    assert reader.evaluate("[reader.shown.document_id, reader.seen, message()]") == ["a", None, ""]
    reader.clock.run_for(79)
    assert reader.evaluate("[location.search, wants]") == ["", []]
    reader.clock.run_for(1)
    assert reader.evaluate("location.search") == "?topic=1%262&document=a"
    reader.wait_for_function("viewer.frames.size === 4")
    assert reader.evaluate("wants") == [["bcd", 3]]
    reader.wait_for_function("[...viewer.frames.values()].every(({ shown }) => shown)")
    assert sorted(asked) == ["a", "b", "c", "d"]
    reader.clock.run_for(200)
    assert reader.evaluate("reader.seen.document_id") == "a"
    assert reader.evaluate("reader.address('c')") == "/doc?topic=1&document=c&against=b"
    assert reader.evaluate("(reader.open('b'), told())") == ["leave b", "wanted", "open b"]
    assert reader.evaluate("reader.held('/doc?topic=1&document=c&against=b')") == "c/b"
    assert reader.evaluate("reader.held('/doc')") == "/null"
    reader.clock.run_for(100)
    reader.evaluate("reader.close(document.createTextNode('The end'))")
    assert reader.evaluate("[told().at(-1), message(), location.search, reader.wanted]") == [
        "leave ", "The end", "?topic=1%262", None,
    ]  # fmt: skip
    reader.evaluate("void (reader.page.norming = 4), reader.remember('a b')")
    assert reader.evaluate("location.search") == "?norming=4&document=a%20b"
    reader.evaluate(
        "history.replaceState(null, '', '?back=cards'), reader.remember('a b'), reader.remember('c')"
    )
    assert reader.evaluate("location.search") == "?norming=4&document=c&back=cards"


def test_how_many_documents_can_be_judged_without_the_server_is_known(reader: Page) -> None:
    serve(reader)
    assert reader.evaluate("reader.ready") == 0
    assert reader.evaluate("(ready.push('a', 'b', 'd'), reader.ready)") == 2
    reader.evaluate("viewer.prepare(reader.address('c')).loaded")
    assert reader.evaluate("[reader.ready, reader.known('c').document_id, reader.known('e')]") == [
        4,
        "c",
        None,
    ]
    assert reader.evaluate("(ready.push(...'abcdefgh'), reader.ready)") == 8
    reader.evaluate("reader.forget('c')")
    assert reader.evaluate("[told(), reader.known('c')]") == [["forget c"], None]
    reader.evaluate("reader.open('a')")
    assert "bring a" in reader.evaluate("told()")


def test_a_document_that_takes_long_says_so_and_is_given_up_after_a_minute(reader: Page) -> None:
    held: list[Route] = []
    reader.route("**/doc?*", lambda route: held.append(route))
    reader.route("**/why?*", lambda route: route.fulfill(status=504, json={"message": "Too slow."}))
    reader.evaluate("void reader.open('a')")
    reader.clock.run_for(149)
    assert reader.evaluate("message()") == ""
    reader.clock.run_for(1)
    assert reader.evaluate("message()") == "Loading …"
    reader.clock.run_for(59_849)
    assert reader.evaluate("message()") == "Loading …"
    reader.clock.run_for(1)
    reader.wait_for_function("message() !== 'Loading …'")
    assert reader.evaluate("message()") == "This document could not be loaded. Too slow. Try again"


@pytest.mark.parametrize(
    ("status", "words", "tries"),
    [(404, "No such document.", False), (401, "You are signed out.", False), (500, "No such document.", True),
     (200, "No such document.", True), (0, "The server does not respond.", True)],
)  # fmt: skip
def test_a_document_that_cannot_be_had_says_why(reader: Page, status: int, words: str, tries: bool) -> None:
    asked = serve(reader)

    def why(route: Route) -> None:
        if status:
            route.fulfill(status=status, json={"message": "No such document."})
        else:
            route.abort()

    reader.route("**/why?*", why)
    reader.evaluate("queue.items[0].document_id = 'x', queue.index.set('x', 0), reader.open('x')")
    assert reader.evaluate("message()") == f"This document could not be loaded. {words} Try again"
    assert reader.evaluate("[reader.failed, reader.wanted, state()[1]]") == [True, "x", "false"]
    out = ["out"] if status == 401 else []
    assert reader.evaluate("told()") == ["leave x", "wanted", "failed", "forget x", *out]
    reader.clock.run_for(2_999)
    assert asked == ["x"]
    reader.clock.run_for(1)
    if tries:
        reader.wait_for_function("calls.filter((one) => one === 'failed').length === 1")
    before = len(asked)
    assert before == (2 if tries else 1)
    reader.evaluate("told(), viewer.message.querySelector('button').click()")
    reader.wait_for_function("calls.includes('failed')")
    assert len(asked) == before + 1


def test_a_page_whose_topic_or_guidelines_changed_is_reloaded_with_the_document(reader: Page) -> None:
    serve(reader, topic_version=2)
    reader.evaluate("reader.open('a')")
    assert reader.evaluate("[message(), location.search]") == [
        "The topic or the guidelines have changed and were reloaded.", "?topic=1%262&document=a",
    ]  # fmt: skip
    with reader.expect_navigation():
        reader.clock.run_for(1_000)


def test_versions_that_the_server_names_make_every_document_outdated(reader: Page) -> None:
    now = "{ document_id: 'a', account: 'Ben', topic_version: 1, guideline_version: 2, ...more }"
    outdated = f"""([topic, guidelines, more = {{}}]) => {{
        reader.heardVersions({{ topic, guidelines }});
        return reader.isOutdated({now});
    }}"""
    assert [reader.evaluate(outdated, one) for one in ([1, 2], [2, 2], [1, 3])] == [False, True, True]
    reader.evaluate("reader.heardVersions({ topic: 1, guidelines: 2 })")
    right = f"(more) => reader.isRight({now}, 'a')"
    assert [reader.evaluate(right, more) for more in (
        {}, {"document_id": "b"}, {"account": "Anna"}, {"topic_version": 2}, {"guideline_version": 1},
    )] == [True, False, False, False, False]  # fmt: skip


def test_a_document_of_another_account_is_not_shown(reader: Page) -> None:
    serve(reader, account="Anna")
    reader.evaluate("reader.open('a')")
    assert reader.evaluate("[message(), told().at(-1), reader.shown]") == [
        "This document could not be loaded. You are signed out. Try again", "out", None,
    ]  # fmt: skip


def test_all_documents_are_loaded_again_and_what_failed_is_tried_when_one_comes_back(reader: Page) -> None:
    asked = serve(reader)
    reader.evaluate("reader.open('a')")
    reader.evaluate("told(), reader.again()")
    reader.wait_for_function("calls.includes('shown a')")
    assert reader.evaluate("told()[0]") == "clear"
    assert asked == ["a", "a"]
    assert reader.evaluate("(reader.retry(), told())") == []
    reader.evaluate("void (reader.failed = true), reader.retry()")
    reader.wait_for_function("calls.includes('shown a')")
    assert reader.evaluate("reader.failed") is False
    assert reader.evaluate("(told(), reader.leave(), reader.again(), told())") == ["leave ", "clear"]
