"""Downloading topics for judging without a network, and the page for it, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf
from tests.web.judging.copies import COPIES, DAY

pytestmark = [pytest.mark.browser, pytest.mark.slow]


NO_ROOM = (
    "The browser has no more room for this site. Free space on this device, or judge what is here first; "
    "then download again."
)


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of("", COPIES)


JUDGING_PAGE = """<head><meta name="csrf-token" content="secret"></head><b>secret</b>
<script type="application/json" id="page-data">%s</script>"""


class Server:
    """The addresses that a download asks; `answers` replaces what one of them says."""

    def __init__(self, page: Page) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers = {
            "X-Workbench-Edition": "e1",
            "X-Workbench-Account": "Ben%20B",
            "Speculation-Rules": "x",
        }
        self.queue = ["a", "b", "c"]
        self.page_data: dict[str, Any] = {}
        self.versions = {"topic_version": 1, "guideline_version": 2}
        self.text_status, self.page_status = 200, 200
        page.route("**/file.css", lambda route: route.fulfill(body="css"))
        page.route("**/offline", lambda route: self._page(route))
        page.route("**/judge?*", lambda route: self._page(route))
        page.route("**/texts", self._texts)

    def _page(self, route: Route) -> None:
        items = [
            {"document_id": name, "state": "open", "kind": None, "grade": None, "seq": None, "later": False,
             "near": None if name == "a" else "n"} for name in self.queue
        ]  # fmt: skip
        data = {
            "queue": items,
            "frame_url": "/doc?id=",
            "texts_url": "/texts",
            **self.versions,
            **self.page_data,
        }
        route.fulfill(
            status=self.page_status, headers=self.headers, content_type="text/html",
            body=JUDGING_PAGE % json.dumps(data),
        )  # fmt: skip

    def _texts(self, route: Route) -> None:
        sent = json.loads(route.request.post_data or "")
        self.asked.append(sent)
        shown = json.dumps(self.versions).replace('"', "&quot;")
        html = f'<html><head><meta name="shown" content="{shown}"></head>text</html>'
        texts = [{**place, "html": html} for place in sent["documents"] if place["document_id"] != "b"][:20]
        route.fulfill(status=self.text_status, json={"texts": texts, "message": "Too much."})


DOWNLOAD = """async (changes) => {
    const { Download, Stopped } = await import("/static/judging/offline_download.js");
    const data = { campaign: "small", account: "Ben B", edition: "e1", prefix: "copy:", days: 2,
        worker_url: "/worker.js", root: "/", page_url: "/offline", judge_url: "/judge", files: ["/file.css"],
        topics: [{ topic_id: "1", title: "One", open: 3 }, { topic_id: "x&y", title: "", open: 3 }], ...changes };
    const progress = [];
    Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: {
        register: async (...one) => progress.push(one), ready: Promise.resolve() } });
    const download = new Download(data, (done, total) => progress.push([done, total]));
    const told = (error) => (error instanceof Stopped ? error.message : String(error));
    const why = await download.run().then(() => "", told);
    return { why, progress, manifest: download.copy?.manifest ?? null, names: await caches.keys(),
        inIt: await inIt(download.copy),
        judge: await (await download.copy?.cache.match("/judge?topic=1"))?.text() ?? "" };
}"""


def test_a_download_keeps_topic_after_topic_and_then_alone(page: Page) -> None:
    server = Server(page)
    page.evaluate("keep({ account: 'Ben B', edition: 'e0' })")
    found = page.evaluate(DOWNLOAD, {})
    assert found["why"] == ""
    assert found["progress"] == [["/worker.js", {"scope": "/", "updateViaCache": "none"}], [0, 2], [1, 2]]
    assert found["names"] == ['copy:["e1","small","Ben B"]']
    assert found["inIt"] == sorted([
        "/manifest.json", "/file.css", "/offline", "/judge?topic=1", "/judge?topic=x%26y", "/doc?id=a",
        "/doc?id=c&against=b",
    ])  # fmt: skip
    manifest = found["manifest"]
    assert (manifest["whole"], manifest["until"] - manifest["at"]) == (True, 2 * DAY)
    assert [topic["title"] for topic in manifest["topics"]] == ["One", ""]
    assert manifest["topics"][0]["places"] == [
        {"document_id": "a", "against": None}, {"document_id": "c", "against": "b"},
    ]  # fmt: skip
    length = len(json.dumps(server.versions).replace('"', "&quot;"))
    assert manifest["topics"][0]["size"] == 2 * (
        length + len('<html><head><meta name="shown" content=""></head>text</html>')
    )
    assert "secret" not in found["judge"]
    assert '<meta name="downloaded" content="2026-03-01T13:00:00.000Z">' in found["judge"]
    assert server.asked[0]["topic_id"] == "1"
    assert [one["document_id"] for one in server.asked[0]["documents"]] == ["a", "b", "c"]
    again = page.evaluate(DOWNLOAD, {"topics": [{"topic_id": "1", "title": "One", "open": 3}]})
    assert [topic["topic_id"] for topic in again["manifest"]["topics"]] == ["1"]
    assert "/judge?topic=x%26y" not in again["inIt"]
    server.page_data = {"shut": True}
    assert page.evaluate(DOWNLOAD, {})["manifest"]["topics"] == []


def test_many_documents_are_asked_for_in_parts_and_from_where_an_answer_ended(page: Page) -> None:
    server = Server(page)
    server.queue = [f"d{number:02}" for number in range(60)]
    found = page.evaluate(DOWNLOAD, {"topics": [{"topic_id": "1", "title": "One", "open": 60}]})
    assert [(one["documents"][0]["document_id"], len(one["documents"])) for one in server.asked] == [
        ("d00", 25), ("d20", 25), ("d40", 20),
    ]  # fmt: skip
    assert {one["size"] for one in server.asked} == {1_000_000}
    assert len(found["manifest"]["topics"][0]["places"]) == 60
    server.queue = ["b", "b2"]
    found = page.evaluate(DOWNLOAD, {"topics": [{"topic_id": "1", "title": "One", "open": 2}]})
    assert [one["document_id"] for one in found["manifest"]["topics"][0]["places"]] == ["b2"]
    server.queue = ["b"]
    assert page.evaluate(DOWNLOAD, {})["manifest"]["topics"][0]["places"] == []


def test_a_download_that_stops_says_why_and_keeps_what_came(page: Page) -> None:
    server = Server(page)

    def why(**changes: Any) -> str:
        found = page.evaluate(DOWNLOAD, changes)
        assert found["why"] == "" or found["manifest"] is None or not found["manifest"]["whole"]
        return str(found["why"])

    assert why() == ""
    server.text_status = 429
    assert why() == "Too much."
    server.text_status = 200
    server.page_data = {"topic_version": 4}
    assert why() == "The topic or the guidelines changed meanwhile. Download again."
    server.page_data = {"guideline_version": 1}
    assert why() == "The topic or the guidelines changed meanwhile. Download again."
    server.page_data = {}
    server.page_status = 401
    assert why() == "You are signed out."
    server.page_status = 503
    assert why() == "The server answered with 503."
    server.page_status = 200
    server.headers["X-Workbench-Account"] = "Anna"
    assert why() == "Another account is signed in now."
    server.headers |= {"X-Workbench-Account": "Ben%20B", "X-Workbench-Edition": "e2"}
    assert why().startswith("The server was updated meanwhile.")
    server.headers["X-Workbench-Edition"] = "e1"
    page.route("**/file.css", lambda route: route.abort())
    assert why() == "The server does not respond."
    page.evaluate(
        "void (Cache.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); })"
    )
    assert why(files=[]) == NO_ROOM


def test_a_topic_is_not_downloaded_where_too_little_room_is_left(page: Page) -> None:
    Server(page)
    room = "navigator.storage.estimate = async () => ({ quota: 60_000_000, usage: %d })"
    page.evaluate(f"void ({room % 10_000_000})")
    assert page.evaluate(DOWNLOAD, {})["why"] == ""
    page.evaluate(f"void ({room % 10_000_001})")
    found = page.evaluate(DOWNLOAD, {})
    assert found["why"] == NO_ROOM
    assert [topic["topic_id"] for topic in found["manifest"]["topics"]] == ["x&y"]


OFFLINE_PAGE = """<head><meta name=edition content=e1><meta name=csrf-token content=t>
<meta name=session-url content=/session></head><p id=offline-state></p>
<p id=offline-waiting hidden></p><progress id=offline-bar hidden></progress>
<a id=judge></a><button id=download>Download</button><button id=remove>Remove</button><ul id=topics></ul>
<template id=topic-template><li><b class=row-id></b><a class=row-title></a><i class=row-note></i>
<u class=row-count></u></li></template><script type=application/json id=page-data>%s</script>"""


@pytest.fixture
def offline_page(page_of: PageOf) -> Page:
    data = {
        "campaign": "small", "account": "Ben B", "edition": "e1", "prefix": "copy:", "days": 2, "root": "/",
        "worker_url": "/worker.js", "page_url": "/offline", "judge_url": "/judge", "files": ["/file.css"],
        "judgments_url": "/judgments", "unknown_url": "/unknown",
        "topics": [{"topic_id": "1", "title": "One", "open": 1200}, {"topic_id": "2", "title": "", "open": 3}],
    }  # fmt: skip
    page = page_of(OFFLINE_PAGE % json.dumps(data))
    page.evaluate(COPIES)
    page.evaluate("""() => {
        owner.account = "Ben B";
        window.left = [];
        window.confirm = () => true;
        window.unregistered = 0;
        const registration = { unregister: async () => unregistered++ };
        Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { register: async () => {},
            ready: Promise.resolve(), getRegistration: async (root) => root === "/" ? registration : undefined } });
        window.seen = () => ["#offline-state", "#download"].map((name) => document.querySelector(name).textContent);
        window.rows = () => [...document.querySelectorAll("#topics li")].map((row) => row.innerText.trim());
        window.hidden = (...ids) => ids.map((id) => document.getElementById(id).hidden);
    }""")
    return page


NOTHING = "Nothing is downloaded in this browser."


def test_the_page_for_offline_judging_downloads_says_what_is_here_and_removes_it(offline_page: Page) -> None:
    server = Server(offline_page)
    page = offline_page
    page.evaluate("import('/static/judging/offline.js')")
    page.wait_for_function("seen()[0] !== ''")
    assert page.evaluate("[seen(), hidden('download', 'remove', 'offline-bar', 'offline-waiting')]") == [
        [NOTHING, "Download"], [False, True, True, True],
    ]  # fmt: skip
    assert page.evaluate("rows()") == ["1One 1,200 to judge", "22 3 to judge"]
    assert page.evaluate("[...document.links].map((one) => one.getAttribute('href'))") == [
        "/judge?topic=1", "/judge?topic=2",
    ]  # fmt: skip
    page.evaluate("document.querySelector('#download').click()")
    assert page.evaluate("[document.querySelector('#download').disabled, hidden('offline-bar')]") == [
        True,
        [False],
    ]
    page.wait_for_function("!document.querySelector('#download').disabled && seen()[1] === 'Download again'")
    words = (
        "4 documents of 2 topics (0.1 MB) can be judged here without a network, also after this browser was "
    )
    assert page.evaluate("seen()[0]").startswith(words + "closed. Downloaded ")
    assert page.evaluate("seen()[0]").endswith(".")
    assert page.evaluate("[rows(), hidden('remove', 'offline-bar')]") == [
        ["1One2 documents here 1,200 to judge", "222 documents here 3 to judge"], [False, True],
    ]  # fmt: skip
    server.text_status = 500
    page.evaluate("document.querySelector('#download').click()")
    page.wait_for_function("seen()[0].startsWith('The download stopped')")
    assert page.evaluate("seen()[0]").startswith(
        "The download stopped. Too much. 2 documents of 1 topic (0.1 MB)"
    )
    page.evaluate("keep({ account: 'Anna' })")
    page.evaluate("document.querySelector('#remove').click()")
    page.wait_for_function("hidden('remove')[0]")
    assert page.evaluate("[seen(), unregistered]") == [[NOTHING, "Download"], 0]
    page.evaluate("caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))")
    page.evaluate("document.querySelector('#remove').click()")
    page.wait_for_function("unregistered === 1")


def test_the_page_for_offline_judging_says_that_a_copy_is_of_an_earlier_version(offline_page: Page) -> None:
    page = offline_page
    page.evaluate("keep({}, { edition: 'e0', topics: [topic('2', place('a'))] })")
    page.evaluate("import('/static/judging/offline.js')")
    page.wait_for_function(
        "seen()[0].includes('They are of an earlier version of this server: download again.')"
    )
    assert page.evaluate("seen()[0]").startswith("1 document of 1 topic (1.5 MB) can be judged here")
    assert page.evaluate("rows()") == ["1One 1,200 to judge", "221 document here 3 to judge"]


def test_a_downloaded_page_downloads_nothing(offline_page: Page) -> None:
    page = offline_page
    page.evaluate("document.head.innerHTML += '<meta name=downloaded content=2026-01-02T03:04:05Z>'")
    page.evaluate("import('/static/judging/offline.js')")
    page.wait_for_function("seen()[0] !== ''")
    assert page.evaluate("hidden('download')") == [True]


def test_where_a_browser_keeps_no_pages_the_page_for_offline_judging_says_what_helps(
    offline_page: Page,
) -> None:
    page = offline_page
    page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.evaluate("import('/static/judging/offline.js')")
    page.wait_for_function("seen()[0].startsWith('This browser keeps no pages of this server')")
