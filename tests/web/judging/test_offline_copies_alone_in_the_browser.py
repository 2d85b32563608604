"""What the browser keeps for judging without a network, and what the judging page says of it, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf
from tests.web.judging.copies import COPIES, DAY

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def page(page_of: PageOf) -> Page:
    page = page_of("""<head><meta name=edition content=e1></head><p id=offline-old></p><p id=offline-words></p>
        <p id=offline-copy><b id=offline-copy-time></b></p>""")
    page.evaluate(COPIES)
    return page


def test_a_copy_leaves_out_a_topic_or_a_document_with_all_that_belongs_to_it(page: Page) -> None:
    page.evaluate("""async () => {
        window.copy = await keep({}, { topics: [topic("1", place("a"), place("b", "a&")), topic("2", place("a"))] });
        for (const { url, places, ...one } of copy.manifest.topics)
            for (const address of [url, ...places.map((each) => copy.addressOf(one, each))])
                await copy.cache.put(address, new Response("text"));
        window.places = () => copy.manifest.topics.map((one) => [one.topic_id, one.places.length]);
    }""")
    two = ["/doc?topic=2&id=a", "/judge?topic=2", "/manifest.json"]
    assert page.evaluate("inIt(copy)") == sorted(
        ["/doc?topic=1&id=a", "/doc?topic=1&id=b&against=a%26", "/judge?topic=1", *two]
    )
    page.evaluate("Promise.all([copy.forget('1', 'none'), copy.forget('3', 'a'), copy.remove('3')])")
    assert page.evaluate("places()") == [["1", 2], ["2", 1]]
    page.evaluate("copy.forget('1', 'b')")
    assert page.evaluate("places()") == [["1", 1], ["2", 1]]
    assert page.evaluate("inIt(copy)") == sorted(["/doc?topic=1&id=a", "/judge?topic=1", *two])
    page.evaluate("copy.remove('1')")
    assert page.evaluate("[places(), copy.topic('1'), copy.topic('2').title]") == [
        [["2", 1]], None, "Title 2",
    ]  # fmt: skip
    assert page.evaluate("inIt(copy)") == sorted(two)
    assert (
        page.evaluate("copies.OfflineCopy.open(copy.name).then(({ manifest }) => manifest.topics.length)")
        == 1
    )
    assert page.evaluate(
        "copies.OfflineCopy.open('none').then((one) => [one.manifest, one.topic('2'), one.remove('2').then()])"
    )[:2] == [None, None]


def test_copies_of_this_account_that_did_not_end_are_used_the_whole_and_latest_first(page: Page) -> None:
    page.evaluate("""async () => {
        await keep({ edition: "ended" }, { until: Date.now(), whole: true, at: 9 });
        await keep({ edition: "part" }, { at: 5 });
        await keep({ edition: "old" }, { at: 1, whole: true });
        await keep({ edition: "new" }, { at: 2, whole: true });
        await keep({ edition: "later part" }, { at: 7 });
        await keep({ account: "Anna" });
        await keep({ campaign: "large" });
        await keep({ prefix: "other:" });
        await copies.OfflineCopy.make({ ...owner, edition: "nothing in it" });
        window.editions = async () => (await copies.copiesOf(owner)).map(({ name }) => JSON.parse(name.slice(5))[0]);
        const shortly = ([, prefix, rest]) => prefix + JSON.parse(rest).join();
        window.kept = async () => (await caches.keys()).map((name) => shortly(/^(\\w+):(.*)/.exec(name)));
    }""")
    assert page.evaluate("editions()") == ["new", "old", "later part", "part"]
    page.evaluate('copies.removeCopies(owner, \'copy:["old","small","Ben"]\')')
    assert page.evaluate("editions()") == ["old"]
    assert sorted(page.evaluate("kept()")) == [
        "copye1,large,Ben", "copye1,small,Anna", "copyold,small,Ben", "othere1,small,Ben",
    ]  # fmt: skip
    page.evaluate("copies.removeCopies(owner)")
    assert page.evaluate("editions()") == []
    assert page.evaluate("caches.keys().then((names) => names.length)") == 3
    assert page.evaluate("copies.endsAt(3) - Date.now()") == 3 * DAY


def test_without_a_secure_address_there_are_no_copies(page: Page) -> None:
    page.evaluate("keep({})")
    assert page.evaluate("[copies.isSupported(), copies.downloadedAt()]") == [True, None]
    assert page.evaluate("copies.copiesOf(owner).then((all) => all.length)") == 1
    page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })")
    assert page.evaluate("copies.isSupported()") is False
    assert page.evaluate("copies.copiesOf(owner)") == []
    page.evaluate("document.head.innerHTML += '<meta name=downloaded content=2026-01-02T03:04:05Z>'")
    assert page.evaluate("copies.downloadedAt().toISOString()") == "2026-01-02T03:04:05.000Z"


STATE = """async (data) => {
    const { OfflineState } = await import("/static/judging/offline_state.js");
    window.shows = 0;
    window.kept = [];
    const page = { data: { norming: null, topic_id: "1", topic_version: 1, guideline_version: 2, campaign: "small",
        account: "Ben", offline: { prefix: "copy:" }, ...data },
        texts: { keep: (places) => kept.push(places.length) }, showReady: () => shows++ };
    const state = new OfflineState(page);
    await state.ready();
    state.forget({ topic_id: "1", document_id: "a" });
    const hidden = (id) => document.getElementById(id).hidden;
    return [hidden("offline-old"), hidden("offline-copy"), kept.at(-1), state.isKept, shows,
        document.getElementById("offline-words").textContent, document.getElementById("offline-copy-time").textContent];
}"""


def test_the_judging_page_says_what_its_copy_has_and_whether_it_is_out_of_date(page: Page) -> None:
    advice = "Without a network, keep this tab open, or download your topics before:"
    assert page.evaluate(STATE, {}) == [True, True, 0, False, 1, advice, ""]
    page.evaluate("keep({ edition: 'e0' }, { edition: 'e0', topics: [topic('1', place('a'))] })")
    assert page.evaluate(STATE, {}) == [False, True, 0, False, 1, advice, ""]
    page.evaluate("keep({}, { topics: [topic('1', place('a'), place('b')), topic('2', place('a'))] })")
    words = "2 topics with 3 documents can be judged without a network, also after a reload."
    assert page.evaluate(STATE, {"topic_version": 2}) == [False, True, 2, True, 1, words, ""]
    page.evaluate("keep({}, { topics: [topic('1', place('a'), place('b')), topic('2', place('a'))] })")
    assert page.evaluate(STATE, {"guideline_version": 1})[0] is False
    assert page.evaluate(STATE, {"topic_id": "3"}) == [True, True, 0, True, 1, words.replace("3", "2"), ""]
    assert page.evaluate(STATE, {"norming": 4})[2:4] == [0, False]
    one = "2 topics with 2 documents can be judged without a network, also after a reload."
    assert page.evaluate(STATE, {}) == [True, True, 1, True, 1, one, ""]
    page.evaluate("document.head.innerHTML += '<meta name=downloaded content=2026-01-02T03:04:05Z>'")
    found = page.evaluate(STATE, {"topic_version": 2})
    assert found[:2] == [True, False]
    assert "2026" in found[-1]
    page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })")
    assert page.evaluate(STATE, {})[-2].startswith("Keep this tab open while there is no network: at this")
