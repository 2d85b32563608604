"""Breaks, texts that are loaded ahead, and practice by keys, each script by itself, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REST = """async () => {
    const { Rest } = await import("/static/judging/rest.js");
    window.own = {};
    window.back = 0;
    window.of = (documents, minutes) =>
        new Rest("ben", { documents, minutes }, { get: (name) => own[name] ?? null }, () => (back += 1));
    window.isOpen = () => document.getElementById("rest").open;
    window.close = () => new Promise((done) => {
        const dialog = document.getElementById("rest");
        dialog.addEventListener("close", done, { once: true });
        dialog.close();
    });
}"""


@pytest.fixture
def resting(page_of: PageOf) -> Page:
    """A page on which `of(documents, minutes)` offers breaks."""
    return page_of('<dialog id="rest"><p id="rest-done"></p></dialog><dialog id="other"></dialog>', REST)


def test_a_break_is_offered_after_so_many_documents_and_then_counted_anew(resting: Page) -> None:
    resting.evaluate("window.rest = of(2, 0)")
    assert resting.evaluate("(rest.judged(40), isOpen())") is False
    assert resting.evaluate("(rest.judged(80), isOpen())") is True
    assert resting.locator("#rest-done").text_content() == (
        "You judged 2 documents in 2 minutes since the last break."
    )
    assert resting.evaluate("close().then(() => [back, rest.stretch()])") == [
        1,
        {"documents": 0, "seconds": 0, "at": 0},
    ]
    assert resting.evaluate("(rest.judged(1), isOpen())") is False


def test_a_break_is_offered_after_so_many_minutes_that_were_active(resting: Page) -> None:
    resting.evaluate("window.rest = of(0, 1)")
    assert resting.evaluate("(rest.judged(59.9), isOpen())") is False
    assert resting.evaluate("(rest.judged(0.1), isOpen())") is True
    words = "You judged 2 documents in 1 minute since the last break."
    assert resting.locator("#rest-done").text_content() == words
    resting.evaluate("rest.dialog.close(), rest.offer({ documents: 1, seconds: 29 })")
    assert resting.locator("#rest-done").text_content() == "You judged 1 document since the last break."


def test_the_assessors_own_numbers_count_before_the_organisers_and_0_is_never(resting: Page) -> None:
    due = "(own, documents, seconds) => (window.own = own, of(5, 5).isDue({ documents, seconds }))"
    assert [resting.evaluate(f"({due})({own}, 5, 10)") for own in ("{}", "{ break_documents: 6 }")] == [
        True,
        False,
    ]
    assert [resting.evaluate(f"({due})({own}, 1, 300)") for own in ("{}", "{ break_minutes: 6 }")] == [
        True,
        False,
    ]
    assert resting.evaluate(f"({due})({{ break_documents: 0, break_minutes: 0 }}, 999, 99999)") is False
    assert resting.evaluate(f"({due})({{ break_documents: 1, break_minutes: 0 }}, 1, 0)") is True


def test_ten_minutes_without_a_judgment_are_a_break_and_what_is_no_stretch_is_none(resting: Page) -> None:
    resting.evaluate("(window.rest = of(9, 0), rest.judged(7))")
    later = """(ago) => {
        rest.storage.put("stretch", { documents: 3, seconds: 7, at: Date.now() - ago });
        return rest.stretch().documents;
    }"""
    assert [resting.evaluate(later, ago) for ago in (599_999, 600_000)] == [3, 0]
    for wrong in ("null", "{ documents: 3, at: Date.now() }", "{ seconds: 3, at: Date.now() }"):
        assert resting.evaluate(f"(rest.storage.put('stretch', {wrong}), rest.stretch().documents)") == 0


def test_no_break_is_offered_over_another_dialogue(resting: Page) -> None:
    resting.evaluate("document.getElementById('other').showModal()")
    assert resting.evaluate("(of(1, 0).judged(1), isOpen())") is False


TEXTS = """async () => {
    const { Texts } = await import("/static/judging/texts.js");
    window.sent = [];
    window.changes = 0;
    window.size = 10;
    window.broken = false;
    window.fetch = async (address, { body }) => {
        const asked = JSON.parse(body);
        sent.push(asked);
        const texts = asked.documents.map((place) => ({ ...place, html: "x".repeat(size) }));
        const headers = { "Content-Type": "application/json" };
        return new Response(JSON.stringify({ texts }), { status: broken ? 500 : 200, headers });
    };
    window.place = (number) => ({ document_id: `d${number}`, against: null });
    window.places = (number) => [...Array(number).keys()].map(place);
    const page = { texts_url: "/texts", topic_id: "1", norming: null, account: "ben" };
    window.of = (ahead, texts) => new Texts({ ...page, texts }, () => ahead, () => (changes += 1));
    window.asked = () => sent.map((one) => one.documents.length);
}"""


@pytest.fixture
def ahead(page_of: PageOf) -> Page:
    """A page on which `of(ahead, texts)` fetches texts of a server that gives `size` characters for each."""
    return page_of('<meta name="csrf-token" content="t">', TEXTS)


def test_what_the_page_brought_is_there_and_the_rest_is_fetched_in_parts(ahead: Page) -> None:
    ahead.evaluate("window.texts = of('many', [{ ...place(0), html: 'brought' }])")
    assert ahead.evaluate("[texts.get(place(0)), texts.get(place(1)), texts.has(place(1))]") == [
        "brought", None, False,
    ]  # fmt: skip
    ready = "[0, 1].map((number) => texts.isReady(place(number)))"
    assert ahead.evaluate(f"[{ready}, (texts.keep([place(1)]), {ready})]") == [[True, False], [True, True]]
    ahead.evaluate("texts.want(places(90), 90)")
    # 50 and the 6 around the one that is read, of which one was there.
    assert ahead.evaluate("asked()") == [25, 25, 5]
    assert ahead.evaluate("[changes, texts.held.size, texts.size]") == [3, 56, 557]
    assert ahead.evaluate("[sent[0].topic_id, sent[0].size, 'norming' in sent[0]]") == ["1", 999_993, False]


def test_what_is_urgent_is_not_held_up_by_the_rest(ahead: Page) -> None:
    ahead.evaluate("""() => {
        window.texts = of("many", []);
        const answer = fetch;
        window.fetch = (...asked) => (sent.length ? new Promise(() => {}) : answer(...asked));
    }""")
    ahead.evaluate("texts.want(places(90), 12)")
    assert ahead.evaluate("[asked(), texts.has(place(11)), texts.has(place(25))]") == [[25], True, False]
    ahead.evaluate("texts.want(places(90).slice(1), 12)")


def test_what_is_not_wanted_any_more_is_forgotten_and_less_than_half_is_filled_up(ahead: Page) -> None:
    ahead.evaluate("(window.texts = of('many', []), texts.want(places(56), 56))")
    ahead.evaluate("texts.want(places(56).slice(31), 0)")
    assert ahead.evaluate("[texts.held.size, asked().length]") == [25, 3]
    ahead.evaluate(
        "(texts.forget(place(40)), texts.want([...places(56).slice(31), ...[100, 101, 102].map(place)], 0))"
    )
    assert ahead.evaluate("[texts.held.size, asked().length]") == [24, 3], "half of 28 is there"
    ahead.evaluate(
        "texts.want([...places(56).slice(46), ...[...Array(40).keys()].map((n) => place(200 + n))], 0)"
    )
    ahead.evaluate("texts.fetching")
    assert ahead.evaluate("[texts.held.size, asked().slice(3)]") == [50, [25, 15]]


def test_no_more_is_fetched_than_its_size_may_be(ahead: Page) -> None:
    ahead.evaluate("(window.size = 60_000, window.texts = of('few', []), texts.want(places(50), 50))")
    assert ahead.evaluate("[asked(), texts.missing(places(50))]") == [[9], []]


def test_what_is_fetched_ahead_is_counted_in_bytes_whatever_the_script(ahead: Page) -> None:
    ahead.evaluate(
        "window.texts = of('few', [...'xé冰🐋'].map((one, number) => ({ ...place(number), html: one })))"
    )
    assert ahead.evaluate("texts.size") == 1 + 2 + 3 + 4
    ahead.evaluate("texts.take([{ ...place(9), html: '冰'.repeat(100_000) }])")
    assert ahead.evaluate("texts.missing(places(50))") == [], "300 kB are there"


def test_an_attempt_that_failed_is_repeated_a_little_later_and_nothing_is_kept_of_what_was_cleared(
    ahead: Page,
) -> None:
    ahead.evaluate("(window.broken = true, window.texts = of('few', []), texts.want(places(3), 3))")
    ahead.evaluate("texts.want(places(3), 3)")
    assert ahead.evaluate("[asked(), changes]") == [[3], 0]
    ahead.evaluate("(texts.failedAt = performance.now() - 2_999, texts.want(places(3), 3))")
    assert ahead.evaluate("asked()") == [3]
    ahead.evaluate("(broken = false, texts.failedAt = performance.now() - 3_000, texts.want(places(3), 3))")
    assert ahead.evaluate("[asked(), texts.held.size]") == [[3, 3], 3]
    ahead.evaluate(
        "(() => { texts.clear(); const done = texts.want(places(3), 3); texts.clear(); return done; })()"
    )
    assert ahead.evaluate("[asked(), texts.held.size]") == [[3, 3, 3], 0]
