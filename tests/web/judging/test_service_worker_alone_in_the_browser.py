"""The service worker in a page that stands in for it, without a server: what it answers with, and what it deletes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf
from tests.web.judging.copies import COPIES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WORKER = """async () => {
    const source = await (await fetch("/static/service_worker.js")).text();
    window.heard = {};
    window.calls = [];
    window.self_ = {
        addEventListener: (name, listener) => (heard[name] = listener), skipWaiting: () => calls.push("skip"),
        clients: { claim: async () => calls.push("claim") },
        registration: { unregister: async () => calls.push("unregister") },
    };
    window.server = async () => new Response("of the server");
    const SERVER = { prefix: "copy:", sign_out: ["/sign-out"], static: "/static/" };
    const asks = (request) => (calls.push(`ask ${new URL(request.url).pathname}`), server(request));
    new Function("self", "SERVER", "fetch", source)(self_, SERVER, asks);
    window.later = [];
    window.event = (path, more = {}) => {
        const url = new URL(path, location.href).href;
        const { mode = "navigate", destination = "document", isPlain = false, ...init } = more;
        const request = new Request(url, init);
        const seen = isPlain ? request : new Proxy(request, { get: (target, name) => {
            if (name === "mode") return mode;
            if (name === "destination") return destination;
            const value = target[name];
            return typeof value === "function" ? value.bind(target) : value;
        } });
        let answer = null;
        heard.fetch({ request: seen, respondWith: (one) => (answer = one), waitUntil: (one) => later.push(one) });
        return answer;
    };
    window.told = async (answer) => {
        if (!answer) return null;
        const response = await answer.catch(() => null);
        await Promise.all(later.splice(0));
        return response && [response.status, await response.text()];
    };
    window.judge = (topic_id) => ({ ...topic(topic_id, place("a")), url: `/c/small/judge?topic=${topic_id}` });
    window.keepPages = async (changes, manifest) => {
        const copy = await keep(changes, { until: Date.now() + 9_000, account: "Ben", page_url: "/c/small/offline",
            judge_url: "/c/small/judge", topics: [judge("1"), judge("2")], ...manifest });
        const put = (address, text) => copy.cache.put(address, new Response(text));
        await put(copy.manifest.page_url, `page of ${copy.name}`);
        await put("/c/small/judge?topic=1", `topic 1 of ${copy.name}`);
        return copy;
    };
    window.gone = () => { window.server = async () => { throw new TypeError("no network"); }; };
    window.names = async () => (await caches.keys()).map((name) => JSON.parse(name.slice(5))[0]).sort().join();
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    page = page_of()
    page.evaluate(COPIES)
    page.evaluate(WORKER)
    return page


def test_only_pages_texts_files_and_signing_out_are_answered(page: Page) -> None:
    answered = "(all) => all.map(([path, more]) => event(path, more) !== null)"
    post = {"method": "POST", "body": "{}"}
    assert page.evaluate(answered, [
        ["/c/small", {}], ["/static/a.js", {"mode": "cors", "destination": "script"}], ["/sign-out", post],
        ["/c/small/api/texts", post], ["/c/small", {"destination": "iframe"}], ["/c/small", {"mode": "cors"}],
        ["/c/small", post], ["https://elsewhere.org/", {}], ["/static/a.js", post],
    ]) == [True] * 4 + [False] * 5  # fmt: skip
    page.evaluate(
        "heard.install(), new Promise((done) => heard.activate({ waitUntil: (one) => one.then(done) }))"
    )
    of_its_life = "calls.filter((one) => ['skip', 'claim'].includes(one))"
    assert page.evaluate(of_its_life) == ["skip", "claim"]


def test_a_page_comes_from_a_copy_only_where_the_server_does_not_answer(page: Page) -> None:
    page.evaluate(
        "Promise.all([keepPages({}, { whole: true, at: 1 }), keepPages({ edition: 'part' }, { at: 9 })])"
    )
    shown = "(path) => told(event(path))"
    assert page.evaluate(shown, "/c/small/judge?topic=1") == [200, "of the server"]
    page.evaluate("gone()")
    name = 'copy:["e1","small","Ben"]'
    assert page.evaluate(shown, "/c/small/judge?topic=1") == [200, f"topic 1 of {name}"]
    assert page.evaluate(shown, "/c/small/judge?topic=2") == [200, f"page of {name}"]
    assert page.evaluate(shown, "/c/small/judge?topic=1&norming=3") == [200, f"page of {name}"]
    assert page.evaluate(shown, "/c/small/judge?topic=9") == [200, f"page of {name}"]
    assert page.evaluate(shown, "/c/other/results") == [200, f"page of {name}"]
    led = "event('/c/small/judge').then(({ status, headers }) => [status, headers.get('Location')])"
    assert page.evaluate(led) == [
        302, "http://localhost/c/small/judge?topic=1",
    ]  # fmt: skip
    page.evaluate("keepPages({ edition: 'new' }, { whole: true, at: 2 })")
    assert page.evaluate(shown, "/c/small/judge?topic=1") == [200, 'topic 1 of copy:["new","small","Ben"]']
    other = {"page_url": "/c/large/offline", "whole": True, "at": 99}
    page.evaluate("(other) => keepPages({ edition: 'large', campaign: 'large' }, other)", other)
    assert page.evaluate(shown, "/c/small/judge?topic=1")[1] == 'topic 1 of copy:["new","small","Ben"]'
    assert page.evaluate(shown, "/c/large/x")[1] == 'page of copy:["large","large","Ben"]'
    page.evaluate("caches.keys().then((all) => Promise.all(all.map((one) => caches.delete(one))))")
    assert page.evaluate(shown, "/c/small/judge?topic=1") is None


def test_a_server_that_is_gone_behind_its_proxy_is_no_answer(page: Page) -> None:
    page.evaluate("keepPages({}, {})")
    found = page.evaluate("""async () => {
        const found = [];
        for (const status of [500, 502, 503, 504]) for (const headers of [{}, { "X-Workbench-Edition": "e1" }]) {
            window.server = async () => new Response("proxy", { status, headers });
            found.push((await told(event("/c/small/judge?topic=1")))[0]);
        }
        return found;
    }""")
    assert found == [500, 500, 200, 502, 200, 503, 200, 504]


def test_a_judging_page_waits_eight_seconds_for_the_server_and_other_pages_as_long_as_it_takes(
    page: Page,
) -> None:
    page.evaluate("keepPages({}, {})")
    page.evaluate("""() => {
        window.server = () => new Promise((done) => (window.answer = () => done(new Response("late"))));
        window.got = [];
        window.ask = (path) => void told(event(path)).then((one) => got.push(one[1].split(" ")[0]));
        ask("/c/small/judge?topic=1");
    }""")
    page.clock.run_for(7_999)
    assert page.evaluate("names().then(() => got)") == []
    page.clock.run_for(1)
    page.wait_for_function("got.length === 1")
    page.evaluate("ask('/c/small/results')")
    page.clock.run_for(60_000)
    page.evaluate("names().then(() => answer())")
    page.wait_for_function("got.length === 2")
    assert page.evaluate("got") == ["topic", "late"]


def test_copies_are_deleted_when_their_time_is_over_or_another_account_is_signed_in(page: Page) -> None:
    page.evaluate("""Promise.all([keepPages({}, {}), keepPages({ edition: "over" }, { until: Date.now() }),
        keepPages({ edition: "of Anna", account: "Anna" }, {})])""")
    page.evaluate("told(event('/c/small'))")
    assert page.evaluate("names()") == "e1,of Anna"
    signed_in = """(account) => {
        const headers = { "X-Workbench-Account": encodeURIComponent(account) };
        window.server = async () => new Response("", { headers });
        return told(event("/c/small")).then(names);
    }"""
    assert page.evaluate(signed_in, "Ben") == "e1"
    assert page.evaluate("calls.includes('unregister')") is False
    assert page.evaluate(signed_in, "Ben") == "e1"
    assert page.evaluate(signed_in, "Zoë") == ""
    assert page.evaluate("calls.filter((one) => one === 'unregister').length") == 1
    page.evaluate(signed_in, "Zoë")
    assert page.evaluate("calls.filter((one) => one === 'unregister').length") == 1


def test_signing_out_leaves_no_copy_and_no_worker_also_without_a_network(page: Page) -> None:
    page.evaluate(
        "Promise.all([keepPages({}, {}), keepPages({ account: 'Anna' }, {}), caches.open('other')])"
    )
    page.evaluate("gone()")
    assert page.evaluate("told(event('/sign-out', { method: 'POST', body: 'x' }))") is None
    assert page.evaluate("caches.keys()") == ["other"]
    assert page.evaluate("calls") == ["unregister", "ask /sign-out"]


TEXTS = """async (changes) => {
    const { headers = {}, path = "/c/small/api/texts", ...asked } = changes;
    const against = { b: "a&" };
    const documents = ["a", "b", "c", "gone"].map((id) => ({ document_id: id, against: against[id] ?? null }));
    const body = JSON.stringify({ topic_id: "1", documents, size: 10, ...asked });
    const own = { "X-Workbench-Edition": "e1", "X-Account": "Ben%20B" };
    const found = await told(event(path, { method: "POST", body, headers: { ...own, ...headers } }));
    if (!found?.[1].startsWith("{")) return found && found[1];
    return JSON.parse(found[1]).texts.map(({ document_id, html }) => document_id + html);
}"""


def test_texts_come_from_the_copy_of_the_edition_and_account_that_asks(page: Page) -> None:
    page.evaluate("""async () => {
        const copy = await keepPages({ account: "Ben B" }, { account: "Ben B" });
        for (const [name, text] of [["a", "12345"], ["b&against=a%26", "123"], ["c", "12"]])
            await copy.cache.put(`/doc?topic=1&id=${name}`, new Response(text));
    }""")

    def texts(**changes: Any) -> Any:
        return page.evaluate(TEXTS, changes)

    assert texts() == "of the server"
    page.evaluate("gone()")
    assert texts() == ["a12345", "b123", "c12"]
    assert texts(size=9) == ["a12345", "b123"]
    assert texts(size=8) == ["a12345", "b123"]
    assert texts(size=1) == ["a12345"]
    assert texts(norming=3) is None
    assert texts(topic_id="9") is None
    assert texts(path="/c/large/api/texts") is None
    assert texts(headers={"X-Account": "Anna"}) is None
    assert texts(headers={"X-Workbench-Edition": "e2"}) is None


def test_files_come_from_any_copy_that_has_them(page: Page) -> None:
    file = "(path) => told(event(path, { isPlain: true }))"
    page.evaluate("keepPages({}, {}).then(({ cache }) => cache.put('/static/a.js', new Response('kept')))")
    assert page.evaluate(file, "/static/a.js") == [200, "kept"]
    assert page.evaluate(file, "/static/b.js") == [200, "of the server"]
