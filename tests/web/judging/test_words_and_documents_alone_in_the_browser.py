"""Marked words, documents that come in meanwhile, and what is sent of a judgment, each script by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TERMS = """async () => {
    const { Terms } = await import("/static/judging/terms.js");
    window.sent = [];
    window.calls = [];
    window.answer = { status: 200, body: { terms: ["dam", "fish"], off: [] } };
    window.fetch = async (address, { body }) => {
        sent.push(JSON.parse(body));
        if (!answer) throw new TypeError("no network");
        return new Response(JSON.stringify(answer.body), { status: answer.status, headers: { "Content-Type": "application/json" } });
    };
    const page = { terms_url: "/terms", topic_id: "7", account: "ben", terms: ["dam"], terms_off: ["lake"] };
    window.terms = new Terms(page, () => calls.push("changed"), () => calls.push("escaped"));
    window.shown = () => [...document.querySelectorAll("#terms li")].map((one) => `${one.className} ${one.textContent} ${one.dataset.hits}`);
}"""  # noqa: E501


@pytest.fixture
def terms(page_of: PageOf) -> Page:
    """A page with the words of a topic, of which one is off, and one of the assessor's own."""
    page = page_of(
        '<meta name="csrf-token" content="t"><ul id="terms"></ul>'
        '<form id="terms-form"><input id="term"></form><p id="terms-status"></p>'
    )
    page.evaluate(TERMS)
    return page


def test_words_are_listed_with_how_often_they_are_marked(terms: Page) -> None:
    assert terms.evaluate("shown()") == ["term lakeoff off", "term own dam0× 0"]
    terms.evaluate("""terms.count({ terms: [
        { text: "river", own: false, hits: 3 }, { text: "lake", own: false, hits: 2 },
        { text: "dam", own: false, hits: 9 }, { text: "dam", own: true, hits: 4 },
    ] })""")
    listed = ["term river3 3", "term dam9 9", "term lakeoff off", "term own dam4× 4"]
    assert terms.evaluate("shown()") == listed
    terms.evaluate("terms.count(null)")
    assert terms.evaluate("shown()") == listed
    assert terms.evaluate("[...document.querySelectorAll('.term-switch')].map((one) => one.ariaPressed)") == [
        "true", "true", "false",
    ]  # fmt: skip


def test_a_word_has_the_colour_that_it_has_in_the_document(terms: Page) -> None:
    colours = "[...document.querySelectorAll('#terms li')].map((one) => one.dataset.term)"
    assert terms.evaluate(colours) == ["0", "0"], "no document was shown yet"
    terms.evaluate("""terms.count({ terms: [
        { text: "river", own: false, hits: 3, colour: 4 }, { text: "lake", own: false, hits: 2, colour: 1 },
        { text: "dam", own: false, hits: 9, colour: 2 }, { text: "dam", own: true, hits: 4, colour: 3 },
    ] })""")
    assert terms.evaluate(colours) == ["4", "2", "1", "3"]


def test_a_word_is_added_and_the_focus_stays_where_it_was(terms: Page) -> None:
    terms.evaluate("terms.count({ terms: [{ text: 'river', own: false, hits: 3 }] })")
    terms.locator("#term").fill("  ")
    terms.locator("#term").press("Enter")
    assert terms.evaluate("sent") == []
    terms.locator("#term").fill(" fish ")
    terms.locator("#term").press("Enter")
    terms.wait_for_function("calls.length === 1")
    assert terms.evaluate("[sent, document.getElementById('term').value]") == [
        [{"topic_id": "7", "add": "fish"}],
        "",
    ]
    assert terms.evaluate("shown().slice(1)") == ["term own dam0× 0", "term own fish0× 0"]
    terms.locator("[data-word=river]").focus()
    terms.evaluate("terms.show()")
    assert terms.evaluate("document.activeElement.dataset.word") == "river"
    terms.locator("#term").press("Escape")
    assert terms.evaluate("calls") == ["changed", "escaped"]


def test_a_word_is_switched_off_and_on_and_ones_own_removed(terms: Page) -> None:
    terms.evaluate("terms.count({ terms: [{ text: 'river', own: false, hits: 3 }] })")
    for number, place in enumerate(("[data-word=river]", "[data-word=lake]", ".drop")):
        terms.evaluate("answer.body = { terms: ['dam'], off: ['lake'] }")
        terms.locator(place).click()
        terms.wait_for_function(f"calls.length === {number + 1}")
    assert [{key: one[key] for key in one if key != "topic_id"} for one in terms.evaluate("sent")] == [
        {"off": "river"}, {"on": "lake"}, {"remove": "dam"},
    ]  # fmt: skip


def test_what_the_server_does_not_take_is_told_and_stays_in_the_box(terms: Page) -> None:
    status = terms.locator("#terms-status")
    for answer, words in (
        ("null", "The server does not respond: nothing was changed."),
        ("{ status: 422, body: { message: 'It is too long.' } }", "It is too long."),
    ):
        terms.evaluate(f"answer = {answer}")
        terms.locator("#term").fill("fish")
        terms.locator("#term").press("Enter")
        terms.wait_for_function(
            "(words) => document.getElementById('terms-status').textContent === words", arg=words
        )
    assert terms.evaluate("[calls, document.getElementById('term').value]") == [[], "fish"]
    terms.evaluate("answer = { status: 200, body: { terms: [], off: [] } }")
    terms.locator(".drop").click()
    terms.wait_for_function("calls.length === 1")
    assert (status.text_content(), terms.locator("#term").input_value()) == ("", "fish")


MORE = """async () => {
    const { MoreDocuments } = await import("/static/judging/more_documents.js");
    window.open = 5;
    window.asked = 0;
    window.came = 0;
    window.unsent = false;
    window.added = [];
    window.answer = { status: 200, awaited: true };
    window.fetch = async () => {
        asked += 1;
        const body = JSON.stringify({ queue: [asked], awaited: answer.awaited });
        return new Response(body, { status: answer.status, headers: { "Content-Type": "application/json" } });
    };
    const queue = { counts: () => ({ open }), add: (items) => added.push(...items) };
    window.of = (grows) => new MoreDocuments({ grows, queue_url: "/queue" }, queue, () => (came += 1), () => unsent);
    window.told = (more) => [asked, added.length, came, more.areAwaited];
}"""


@pytest.fixture
def more(page_of: PageOf) -> Page:
    """A page on which `of(grows)` asks for documents that come in meanwhile."""
    return page_of("", MORE)


@pytest.mark.parametrize(("grows", "left", "asks"), [(True, 5, 1), (True, 6, 0), (False, 0, 0)])
def test_more_is_asked_for_while_few_are_left_of_a_pool_that_grows(
    more: Page, grows: bool, left: int, asks: int
) -> None:
    more.evaluate(
        f"(open = {left}, answer.awaited = false, window.more = of({str(grows).lower()}), more.begin())"
    )
    more.clock.run_for(1_000)
    assert more.evaluate("told(more)") == [asks, asks, asks, False]


def test_it_is_asked_again_until_none_is_awaited_and_those_that_came_are_told_at_once(more: Page) -> None:
    more.evaluate("(window.more = of(true), more.ask())")
    assert more.evaluate("told(more)") == [1, 1, 1, True]
    more.evaluate("(open = 0, more.ask())")
    assert more.evaluate("told(more)") == [2, 2, 1, True], "nothing to go on with, and more may come"
    more.evaluate("(answer.status = 503, more.ask())")
    assert more.evaluate("told(more)") == [3, 2, 1, True]
    more.evaluate("(answer.status = 200, answer.awaited = false, more.ask())")
    assert more.evaluate("told(more)") == [4, 3, 2, False]
    more.evaluate("(answer.awaited = true, more.asked = 48, more.ask())")
    assert more.evaluate("more.areAwaited") is True
    more.evaluate("more.ask()")
    assert more.evaluate("more.areAwaited") is False, "50 questions are enough"
    more.evaluate("(more.judged(), window.before = more.asked)")
    assert more.evaluate("[before, more.areAwaited]") == [0, True]


def test_no_topic_is_complete_while_the_server_does_not_answer_or_lacks_a_judgment(more: Page) -> None:
    more.evaluate("(open = 0, answer.status = 503, window.more = of(true), more.begin())")
    more.clock.run_for(600_000)
    assert more.evaluate("[came, more.areAwaited]") == [0, True]
    more.evaluate("void (answer.status = 200, answer.awaited = false, unsent = true)")
    more.clock.run_for(600_000)
    assert more.evaluate("[came, more.areAwaited]") == [0, True]
    more.evaluate("(unsent = false, more.stored())")
    more.clock.run_for(100)
    assert more.evaluate("[came, more.areAwaited]") == [1, False]


def test_a_judgment_that_is_stored_late_brings_what_is_chosen_by_it(more: Page) -> None:
    more.evaluate("(open = 0, answer.awaited = false, window.more = of(true), more.begin())")
    more.clock.run_for(1_000)
    assert more.evaluate("told(more)") == [1, 1, 1, False]
    more.evaluate("(open = 3, more.stored())")
    more.clock.run_for(1_000)
    assert more.evaluate("told(more)") == [2, 2, 2, False]


def test_what_is_sent_names_what_was_shown_and_a_cleared_judgment_says_nothing(page_of: PageOf) -> None:
    page = page_of()
    page.evaluate("""async () => {
        const { submission } = await import("/static/judging/submission.js");
        const shown = { document_id: "d", pool: 3, text_hash: "h" };
        const data = { log: "l", topic_id: "7", topic_version: 2, guideline_version: 9, norming: null };
        const judged = { data, pace: { seconds: () => 4.5 }, remarks: { note: "n", rationales: [1] } };
        window.of = (kind, grade, norming) =>
            submission({ ...judged, data: { ...data, norming } }, shown, kind, grade, 8);
    }""")
    sent = page.evaluate("of('grade', 1, null)")
    assert len(sent.pop("uuid")) == 36
    assert sent.pop("client_at") == "2026-03-01T13:00:00.000Z"
    assert sent == {
        "log": "l", "topic_id": "7", "document_id": "d", "pool": 3, "text_hash": "h",
        "topic_version": 2, "guideline_version": 9,
        "kind": "grade", "grade": 1, "replaces": 8, "active_seconds": 4.5, "comment": "n", "rationales": [1],
    }  # fmt: skip
    cleared = page.evaluate("of('cleared', null, 5)")
    assert (cleared["comment"], cleared["rationales"], cleared["norming"]) == ("", [], 5)
