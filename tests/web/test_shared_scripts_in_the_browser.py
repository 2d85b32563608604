"""Scripts that several pages share, or that serve small pages, each by itself, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_an_element_is_made_of_attributes_and_children_and_touched_only_to_change_it(page_of: PageOf) -> None:
    page = page_of("<p id=one hidden lang=de></p>")
    found = page.evaluate("""async () => {
        const { byId, counted, element, hide, pageData, setAttribute } = await import("/static/elements.js");
        const attributes = { class: "small", hidden: true, lang: false, dir: undefined, title: "" };
        document.body.append(element("script", { id: "page-data", type: "application/json" }, '{"a": [1]}'));
        const one = byId("one");
        const seen = new MutationObserver(() => {});
        seen.observe(one, { attributes: true });
        hide(one, true);
        setAttribute(one, "lang", "de");
        const untouched = seen.takeRecords().length;
        hide(one, false);
        setAttribute(one, "lang", "en");
        let thrown = "";
        try { byId("two"); } catch (error) { thrown = error.message; }
        return [element("b", attributes, "x", element("i")).outerHTML, untouched, one.hidden, one.lang, thrown,
            [0, 1, 2, 1480].map((count) => counted(count, "document")), pageData()];
    }""")
    assert found == [
        '<b class="small" hidden="" title="">x<i></i></b>', 0, False, "en", "the page has no element #two",
        ["0 documents", "1 document", "2 documents", "1,480 documents"], {"a": [1]},
    ]  # fmt: skip


def test_small_values_are_kept_under_their_prefix_and_in_memory_where_the_browser_keeps_none(
    page_of: PageOf,
) -> None:
    page = page_of()
    page.evaluate("""async () => {
        const { Storage } = await import("/static/storage.js");
        localStorage.setItem("other:z", "1");
        localStorage.setItem("mine:broken", "{");
        window.store = new Storage("mine:");
        window.full = () => { throw new Error("full"); };
        store.put("b", { n: 1 });
        store.put("a", false);
    }""")
    assert page.evaluate("[store.names(), store.durable]") == [["a", "b", "broken"], True]
    assert page.evaluate("['a', 'b', 'broken', 'gone'].map((name) => store.get(name))") == [
        False,
        {"n": 1},
        None,
        None,
    ]
    page.evaluate("store.remove('b')")
    assert page.evaluate("[store.names(), Object.keys(localStorage).sort()]") == [
        ["a", "broken"], ["mine:a", "mine:broken", "other:z"],
    ]  # fmt: skip
    page.evaluate("void (window.put = Storage.prototype.setItem, Storage.prototype.setItem = full)")
    page.evaluate("store.put('a', 2), store.put('c', 3)")
    assert page.evaluate("[store.durable, store.names(), store.get('a'), store.get('c')]") == [
        False, ["a", "broken", "c"], 2, 3,
    ]  # fmt: skip
    page.evaluate("Storage.prototype.setItem = put, store.put('c', 4), store.remove('a')")
    assert page.evaluate("[store.get('c'), localStorage['mine:c'], store.names()]") == [
        4,
        "4",
        ["broken", "c"],
    ]
    page.evaluate(
        "() => { for (const name of ['getItem', 'removeItem', 'key']) Storage.prototype[name] = full; }"
    )
    assert page.evaluate("(store.durable = true, store.memory.set('m', '5'), store.names())") == ["m"]
    assert page.evaluate("[store.durable, store.get('m'), store.get('c'), store.remove('m'), store.names()]") == [
        False, 5, None, None, [],
    ]  # fmt: skip


def test_tabs_of_one_topic_are_counted_and_told_of_only_when_their_number_changes(page_of: PageOf) -> None:
    page = page_of()
    page.evaluate("""async () => {
        const { Tabs } = await import("/static/tabs.js");
        window.heard = [[], [], []];
        window.tabs = heard.map((told) => new Tabs("topic 1", (count) => told.push(count)));
        window.last = () => heard.map((told) => told.at(-1)).join();
    }""")
    page.wait_for_function("last() === '2,2,2'")
    assert page.evaluate("new Set(tabs.map(({ id }) => id)).size") == 3
    assert page.evaluate("heard.every((told) => told.every((count, at) => count !== told[at - 1]))") is True
    page.evaluate("tabs[2].say('gone'), void (tabs[2].say = () => {})")
    page.wait_for_function("last() === '1,1,2'")
    page.evaluate("void (tabs[1].say = () => {}), window.before = heard[0].length")
    page.clock.run_for(64_000)
    assert page.evaluate("heard[0].length === before") is True
    page.clock.run_for(22_000)
    assert page.evaluate("heard[0].at(-1)") == 0


def test_a_page_that_comes_back_asks_which_other_tabs_there_are(page_of: PageOf) -> None:
    page = page_of()
    page.evaluate("""async () => {
        const { Tabs } = await import("/static/tabs.js");
        window.tabs = new Tabs("topic 1", () => {});
        window.said = [];
        tabs.say = (says) => said.push(says);
        window.shows = (hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        };
    }""")
    page.evaluate("shows(true), dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))")
    assert page.evaluate("said") == []
    page.evaluate("shows(false), dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.evaluate("dispatchEvent(new Event('pagehide')), tabs.heard({ id: 'x', says: 'here' })")
    page.evaluate("tabs.heard({ id: 'x', says: 'who is there' }), tabs.heard({ id: 'x', says: 'gone' })")
    assert page.evaluate("said") == ["who is there", "who is there", "gone", "here"]
    page.clock.run_for(20_100)
    assert page.evaluate("said.length") == 5


SESSION = "<meta name=csrf-token content=first><meta name=session-url content=/session>"


def test_a_refused_token_is_fetched_again_for_the_same_account_alone(page_of: PageOf) -> None:
    page = page_of(SESSION)
    sent: list[tuple[str, str, Any]] = []
    session = {"account": "Ben B", "csrf_token": "second"}

    def answer(route: Route) -> None:
        request = route.request
        token = request.headers["x-csrftoken"]
        sent.append((token, request.headers["x-account"], request.post_data))
        good = token == session["csrf_token"]
        route.fulfill(status=200 if good else 400, json={"reason": "" if good else "csrf"})

    page.route("**/save", answer)
    page.route("**/session", lambda route: route.fulfill(json=session))
    post = """async (account) => {
        const { postJson } = await import("/static/session.js");
        return (await postJson("/save", { a: 1 }, account)).status;
    }"""
    assert page.evaluate(post, "Ben B") == 200
    assert page.evaluate(post, "Ben B") == 200
    assert sent == [(token, "Ben%20B", '{"a":1}') for token in ("first", "second", "second")]
    session["csrf_token"] = "third"
    assert page.evaluate(post, "Anna") == 401
    assert [token for token, _, _ in sent[3:]] == ["second"]


def test_what_is_no_json_has_an_empty_body_and_an_answer_that_breaks_off_is_none(page_of: PageOf) -> None:
    page = page_of(SESSION)
    sent: list[dict[str, str]] = []

    def answer(route: Route) -> None:
        sent.append({"method": route.request.method, **route.request.headers})
        ending = route.request.url.rpartition("/")[2]
        kind = "text/html" if ending == "html" else "application/json; charset=utf-8"
        route.fulfill(
            status=503 if ending == "html" else 200,
            content_type=kind,
            body='{"a": 1}'[: -(ending == "half") or None],
        )

    page.route("**/get/*", answer)
    found = page.evaluate("""async () => {
        const { BACKGROUND, getJson, postFields, postForm, postJson } = await import("/static/session.js");
        const told = (promise) => promise.then(({ status, body }) => [status, body], () => "none");
        return [await told(getJson("/get/json", BACKGROUND)), await told(getJson("/get/html")),
            await told(getJson("/get/half")), await told(postFields("/get/json", { x: "é y" }, "Ben")),
            await told(postForm("/get/json", { z: "1" }))];
    }""")
    assert found == [[200, {"a": 1}], [503, {}], "none", [200, {"a": 1}], [200, {"a": 1}]]
    assert [one["accept"] for one in sent] == ["application/json"] * 5
    assert [one.get("x-background") for one in sent] == ["yes", None, None, None, None]
    assert [one["method"] for one in sent] == ["GET"] * 3 + ["POST"] * 2
    assert {one["content-type"].partition(";")[0] for one in sent[3:]} == {
        "application/x-www-form-urlencoded"
    }


def test_signing_in_takes_over_the_token_of_the_session_that_begins(page_of: PageOf) -> None:
    page = page_of(SESSION)
    tokens: list[str] = []

    def save(route: Route) -> None:
        tokens.append(route.request.headers["x-csrftoken"])
        route.fulfill(json={})

    answers = [(403, {"csrf_token": "of a refusal"}), (200, {"csrf_token": "second"}), (200, {})]
    page.route("**/save", save)
    page.route("**/sign-in", lambda route: route.fulfill(status=answers[0][0], json=answers.pop(0)[1]))
    for _ in range(3):
        page.evaluate("""async () => {
            const { postForm, postJson } = await import("/static/session.js");
            await postForm("/sign-in", { name: "Ben" });
            await postJson("/save", {}, "Ben");
        }""")
    assert tokens == ["first", "second", "second"]


def test_a_uuid_is_of_version_four_also_without_the_browsers_own(page_of: PageOf) -> None:
    uuids = page_of().evaluate("""async () => {
        const { uuid4 } = await import("/static/session.js");
        const own = uuid4();
        Object.defineProperty(crypto, "randomUUID", { value: undefined });
        crypto.getRandomValues = (bytes) => bytes.map((_, at) => (at === 2 ? 10 : 0xf0 + at));
        const made = uuid4();
        crypto.getRandomValues = (bytes) => bytes.fill(0);
        return [own, made, uuid4()];
    }""")
    assert uuids[1:] == ["f0f10af3-f4f5-46f7-b8f9-fafbfcfdfeff", "00000000-0000-4000-8000-000000000000"]
    assert len(uuids[0]) == 36


def test_what_is_typed_is_shown_until_the_form_is_sent(page_of: PageOf) -> None:
    page = page_of(
        "<form action=/in><input type=password><input type=password><input name=x></form><form id=none></form>"
    )
    page.evaluate("document.forms[0].addEventListener('submit', (event) => event.preventDefault())")
    page.evaluate("import('/static/accounts/show_password.js')")
    kinds = "[...document.forms[0].elements].map(({ type }) => type).join(' ')"
    page.get_by_label("Show password").check()
    assert page.evaluate(kinds) == "text text checkbox text"
    page.get_by_label("Show password").uncheck()
    assert page.evaluate(kinds) == "password password checkbox text"
    page.get_by_label("Show password").check()
    page.evaluate("document.forms[0].requestSubmit()")
    assert page.evaluate(f"[{kinds}, document.querySelector('label input').checked]") == [
        "password password checkbox text", False,
    ]  # fmt: skip
    assert page.evaluate("document.forms.none.childElementCount") == 0


def test_times_stand_as_the_readers_clock_has_them_and_what_is_no_time_stays(page_of: PageOf) -> None:
    html = "<time datetime=2026-03-01T12:00:00Z>noon</time><time datetime=soon>soon</time><time>ever</time>"
    page = page_of(html, timezone_id="America/New_York", locale="en-GB")
    page.evaluate("import('/static/judging/history.js')")
    assert page.evaluate("[...document.querySelectorAll('time')].map((one) => one.textContent)") == [
        "1 Mar 2026, 07:00 EST", "soon", "ever",
    ]  # fmt: skip
