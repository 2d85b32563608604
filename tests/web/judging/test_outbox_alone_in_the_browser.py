"""The outbox by itself, without a server: what it sends when, what it does with each answer, and what it keeps."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OUTBOX = """async () => {
    const { Outbox } = await import("/static/judging/outbox.js");
    Math.random = () => 0.5;
    window.sent = [];
    window.calls = [];
    window.answers = [];
    window.unknown = { status: 200, body: { unknown: [], log: "log 1" } };
    window.asked = [];
    let seq = 0;
    window.storedAs = (judgment, more = {}) => {
        const stored = { ...judgment, seq: ++seq, ...more };
        return { status: 201, body: { stored, repeated: false } };
    };
    const post = async (judgment) => {
        sent.push(judgment);
        const answer = (answers.shift() ?? storedAs)(judgment);
        if (!answer) throw new TypeError("no network");
        return answer;
    };
    const listener = {
        onchange() {},
        onstored: (entry, stored, former) => calls.push(["stored", entry.uuid, stored.seq, former ?? null]),
        onrenewed: (entry, uuid) => calls.push(["renewed", entry.judgment.document_id, uuid]),
        ondiscarded: (entry) => calls.push(["discarded", entry.uuid]),
    };
    const ask = async (uuids) => (asked.push(uuids), unknown);
    window.open = (account = "Ben", campaign = "small", log = "log 1") =>
        new Outbox({ campaign, account, log }, post, listener, ask);
    window.outbox = open();
    await outbox.ready();
    window.judgment = (uuid, grade = 1, document_id = "d1") =>
        ({ uuid, log: "log 1", topic_id: "1", document_id, kind: "grade", grade, text_hash: "h", replaces: null });
    window.add = (uuid, after = null, grade = 1, document_id = "d1") =>
        outbox.add(judgment(uuid, grade, document_id), after);
    window.known = async (...uuids) => (await outbox.receipts.known(uuids)).map(({ uuid, seq }) => [uuid, seq]);
    window.refuse = (reason, more = {}) => () => ({ status: 409, body: { reason, message: "no", ...more } });
    window.waiting = () => outbox.entries().map(({ uuid }) => uuid);
    window.all = async () => { await outbox.run(); return [waiting(), outbox.state.state]; };
}"""


ACKNOWLEDGED = "await add('first'); await outbox.run(); sent.length = 0;"
"""A judgment is stored, and its receipt kept."""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of("", OUTBOX)


def run(page: Page, code: str) -> Any:
    return page.evaluate(f"async () => {{ {code} }}")


def test_what_is_kept_is_sent_a_moment_later_and_the_page_hears_of_it_once(page: Page) -> None:
    run(page, "await add('a'); await add('b', 'a', 2)")
    assert run(page, "return [sent.length, outbox.state.state, outbox.state.waiting]") == [0, "saving", 2]
    page.clock.run_for(49)
    assert run(page, "return sent.length") == 0
    page.clock.run_for(1)
    page.wait_for_function("outbox.state.state === 'saved'")
    assert run(page, "return sent.map(({ uuid, replaces }) => [uuid, replaces])") == [["a", None], ["b", 1]]
    assert run(page, "return calls") == [["stored", "a", 1, None], ["stored", "b", 2, None]]
    assert run(page, "return known('b', 'gone', 'a')") == [["b", 2], ["a", 1]]


def test_it_tries_again_ever_later_up_to_half_a_minute_and_at_once_when_asked_to(page: Page) -> None:
    run(page, "answers.push(...Array(8).fill(() => null)); await add('a')")
    page.clock.run_for(50)
    page.wait_for_function("sent.length && !outbox.running")
    assert run(page, "return [outbox.state.state, sent.length]") == ["offline", 1]
    waits = []
    for expected in (1, 2, 4, 8, 16, 30, 30):
        page.clock.run_for(expected * 1000 - 1)
        before = run(page, "return sent.length")
        page.clock.run_for(1)
        page.wait_for_function("!outbox.running")
        waits.append((before, run(page, "return sent.length")))
    assert waits == [(number, number + 1) for number in range(1, 8)]
    run(page, "outbox.hurry()")
    page.wait_for_function("sent.length === 9")
    page.wait_for_function("outbox.state.state === 'saved'")
    assert run(page, "return outbox.delay") == 1000


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ('{ status: 401, body: { reason: "x" } }', "signed out"),
        ('{ status: 409, body: { reason: "other version" } }', "outdated"),
        ('{ status: 429, body: { reason: "too many in a minute" } }', "saving"),
        ("{ status: 500, body: {} }", "offline"),
        ("{ status: 202, body: { stored: { uuid: 1 } } }", "offline"),
    ],
)
def test_an_answer_that_is_no_verdict_keeps_what_waits_and_looks_back(
    page: Page, answer: str, state: str
) -> None:
    run(page, f"{ACKNOWLEDGED} answers.push(() => ({answer})); await add('a'); await outbox.run()")
    assert run(page, "return [waiting(), outbox.state.state, asked]") == [["a"], state, []]
    assert run(page, "return [...(await all()), asked]") == [[], "saved", [["first"]]]


def test_what_was_stored_differently_in_any_field_is_shown_and_can_be_stored_as_it_was_meant(
    page: Page,
) -> None:
    fields = {"topic_id": "2", "document_id": "d9", "kind": "x", "grade": 0, "text_hash": "i", "uuid": "z"}
    for number, (field, value) in enumerate(fields.items()):
        run(page, f"answers.push((one) => storedAs(one, {{ {field}: {value!r} }})); await add('{number}')")
        run(page, "await outbox.run()")
    told = "({ refused: { reason, current } }) => [reason, current?.seq ?? null]"
    assert run(page, f"return outbox.entries().map({told})") == [
        ["stored differently", seq] for seq in (None, None, 3, 4, 5, 6)
    ]  # fmt: skip
    assert run(page, "return [outbox.state.state, calls, outbox.state.refused.length]") == ["problem", [], 6]
    run(page, "await outbox.keepMine('3'); await outbox.run()")
    assert run(page, "return [sent.at(-1).uuid === '3', sent.at(-1).replaces, sent.at(-1).grade]") == [
        False,
        4,
        1,
    ]
    run(page, "await outbox.keepMine('0'); await outbox.run()")
    assert run(page, "return [sent.at(-1).uuid, sent.at(-1).replaces]") == ["0", None]
    assert run(page, "return calls.map(([what, , uuid]) => [what, uuid])") == [
        ["renewed", "3"], ["stored", 7], ["renewed", "0"], ["stored", 8],
    ]  # fmt: skip
    run(page, "await outbox.keepMine('0'); await outbox.keepMine('gone'); await outbox.run()")
    assert run(page, "return [sent.length, waiting()]") == [8, ["1", "2", "4", "5"]]


def test_a_refused_judgment_is_renewed_or_given_up_with_those_that_follow_it(page: Page) -> None:
    run(page, """answers.push(refuse("uuid taken"), refuse("replaced elsewhere", { current: { seq: 40, uuid: "o" } }));
        await add("a"); await add("b", "a", 2); await add("c", null, 1, "d2"); await add("d", "c", 1, "d2");
        await add("e", "d", 1, "d2"); await outbox.run()""")  # fmt: skip
    assert run(page, "return [waiting(), sent.length, outbox.state.waiting]") == [
        ["a", "b", "c", "d", "e"],
        2,
        3,
    ]
    run(page, "await outbox.discard('c')")
    assert run(page, "return waiting()") == ["a", "b"]
    run(page, "await outbox.keepMine('a'); window.fresh = waiting()[0]; await outbox.run()")
    told = "sent.slice(2).map(({ uuid, replaces }) => [uuid === fresh, replaces])"
    assert run(page, f"return [fresh === 'a', {told}]") == [
        False, [[True, None], [False, 1]],
    ]  # fmt: skip
    run(
        page,
        "answers.push(refuse('replaced elsewhere', { current: null })); await add('f'); await outbox.run()",
    )
    run(page, "await outbox.keepMine('f'); await outbox.run()")
    assert run(page, "return [sent.at(-1).uuid, sent.at(-1).replaces, waiting()]") == ["f", None, []]


def test_what_stands_in_the_way_and_is_older_than_what_was_replaced_is_looked_into_once(page: Page) -> None:
    run(page, ACKNOWLEDGED)
    run(page, """const older = refuse("replaced elsewhere", { current: { seq: 3 } });
        answers.push(older, older);
        await outbox.add({ ...judgment("a"), replaces: 5 }, null); await outbox.run();""")  # fmt: skip
    assert run(page, "return [sent.length, asked.length, outbox.state.state]") == [2, 1, "problem"]


def test_what_the_server_lost_is_offered_again_in_order_and_nothing_to_another_campaign(page: Page) -> None:
    run(page, """await add("a"); await add("b", "a", 2); await add("c", null, 1, "d2"); await outbox.run();
        unknown = { status: 200, body: { unknown: ["b", "a"], log: "log 1" } };
        outbox.mustLookBack = true;
        window.old = sent.length;
        await outbox.add({ ...judgment("d", 3), replaces: 2 }, null);
        await outbox.run();""")  # fmt: skip
    assert run(page, "return sent.slice(old).map(({ uuid, replaces }) => [uuid, replaces])") == [
        ["a", None], ["b", 4], ["d", 5],
    ]  # fmt: skip
    assert run(page, "return calls.slice(3)") == [
        ["stored", "a", 4, 1],
        ["stored", "b", 5, 2],
        ["stored", "d", 6, None],
    ]
    run(page, """answers.push(() => null, refuse("another campaign")); await add("e"); await outbox.run();
        unknown = { status: 200, body: { unknown: ["a", "b", "c", "d"], log: "log 2" } };
        window.old = sent.length;
        await outbox.run();""")  # fmt: skip
    assert run(page, "return [waiting(), sent.slice(old).map(({ uuid, log }) => [uuid, log])]") == [
        ["e"],
        [["e", "log 1"]],
    ]


def test_nothing_is_asked_about_receipts_before_something_was_acknowledged(page: Page) -> None:
    run(page, "answers.push(() => null); await add('a'); await outbox.run()")
    assert run(page, "return [...(await all()), sent.length, asked]") == [[], "saved", 2, []]
    run(page, "window.outbox = open(); await outbox.ready(); await outbox.run();")
    assert run(page, "return asked") == [["a"]]


def test_receipts_of_a_database_that_comes_late_are_asked_for(page: Page) -> None:
    run(page, ACKNOWLEDGED)
    run(page, """const late = outbox.database;
        window.outbox = open(); outbox.ready = async () => {};
        await outbox.run(); await outbox.use(late); await outbox.run();""")  # fmt: skip
    assert run(page, "return asked") == [["first"]]


def test_what_was_judged_in_a_campaign_that_had_the_same_name_is_kept_until_it_is_stored_here_on_purpose(
    page: Page,
) -> None:
    run(page, """answers.push(() => null); await add("a"); await add("b", "a", 2); await add("c", "b", 3);
        await outbox.run();
        window.outbox = open("Ben", "small", "log 2"); await outbox.ready();
        answers.push(refuse("another campaign", { current: { seq: 70, grade: 0 } }));
        sent.length = 0; await outbox.run();""")  # fmt: skip
    logs = "sent.map(({ uuid, log, replaces }) => [uuid, log, replaces])"
    reasons = "outbox.entries().map(({ uuid, refused }) => [uuid, refused?.reason ?? null])"
    assert run(page, f"return [{logs}, {reasons}, outbox.state.state]") == [
        [["a", "log 1", None]], [["a", "another campaign"], ["b", None], ["c", None]], "problem",
    ]  # fmt: skip
    run(page, "sent.length = 0; await outbox.keepMine('a'); await outbox.run();")
    assert run(page, f"return [{logs}, waiting(), asked]") == [
        [["a", "log 2", 70], ["b", "log 2", 1], ["c", "log 2", 2]], [], [],
    ]  # fmt: skip


def test_what_was_refused_for_another_reason_goes_to_no_other_campaign_when_it_is_tried_again(
    page: Page,
) -> None:
    run(page, """answers.push(refuse("topic closed")); await add("a"); await outbox.run();
        window.outbox = open("Ben", "small", "log 2"); await outbox.ready();
        await outbox.keepMine("a"); await outbox.run();""")  # fmt: skip
    assert run(page, "return sent.map(({ log }) => log)") == ["log 1", "log 1"]


def test_a_row_before_one_that_was_acknowledged_means_that_the_log_was_shortened(page: Page) -> None:
    run(page, """await add("a"); await outbox.run();
        answers.push((judgment) => storedAs(judgment, { seq: 9 }), (judgment) => storedAs(judgment, { seq: 9 }));
        await add("b"); await outbox.run(); window.before = asked.length;
        await add("c"); await outbox.run();""")  # fmt: skip
    assert run(page, "return asked.length - before") == 1
    run(page, """await add("d"); await outbox.run(); window.before = asked.length;
        answers.push((one) => ({ status: 200, body: { stored: { ...one, seq: 2 }, repeated: true } }));
        await add("e"); await outbox.run();""")  # fmt: skip
    assert run(page, "return [asked.length - before, waiting()]") == [0, []]


def test_an_answer_about_receipts_that_says_nothing_is_waited_out(page: Page) -> None:
    run(page, ACKNOWLEDGED)
    run(
        page,
        "outbox.mustLookBack = true; unknown = { status: 401, body: {} }; await add('a'); await outbox.run()",
    )
    assert run(page, "return [sent.length, outbox.state.state]") == [0, "signed out"]
    run(page, "unknown = { status: 200, body: {} }; await outbox.run()")
    assert run(page, "return [sent.length, outbox.state.state]") == [0, "offline"]
    run(page, "unknown = { status: 404, body: { reason: 'gone' } }; await outbox.run()")
    assert run(page, "return [sent.length, outbox.state.state]") == [1, "saved"]


def test_what_others_left_is_counted_and_neither_sent_nor_listed(page: Page) -> None:
    run(page, """const places = [["Zoe", "small"], ["Anna", "small"], ["Anna", "small"], ["Carl", "large"]];
    for (const [uuid, [account, campaign]] of places.entries()) {
        const other = Object.assign(open(account, campaign), { run: async () => {} });
        await other.ready();
        await other.add(judgment(`of another ${uuid}`), null);
    }""")  # fmt: skip
    page.wait_for_function("outbox.others().length === 2")
    assert run(page, "return outbox.others()") == [
        {"account": "Anna", "campaign": "small", "count": 2}, {"account": "Zoe", "campaign": "small", "count": 1},
    ]  # fmt: skip
    assert run(page, "return [...(await all()), sent.length]") == [[], "saved", 0]


def test_another_tab_hears_what_was_stored_given_up_and_renewed(page: Page) -> None:
    run(page, """window.other = Object.assign(open(), { run: async () => {} });
        await other.ready();
        outbox.run = async () => {};
        await outbox.add(judgment("a"), null); await outbox.add(judgment("b", 1, "d2"), null);
        const refused = { ...outbox.mirror.get("b"), refused: { reason: "uuid taken" } };
        await outbox.change({ put: [refused] }, true);""")  # fmt: skip
    page.wait_for_function("other.mirror.get('b')?.refused")
    run(page, "calls.length = 0; await outbox.discard('a'); await outbox.keepMine('b')")
    page.wait_for_function("calls.length === 3")
    assert run(page, "return [calls, other.entries().map(({ uuid }) => uuid === 'b')]") == [
        [["renewed", "d2", "b"], ["discarded", "a"], ["renewed", "d2", "b"]], [False],
    ]  # fmt: skip
    run(page, """calls.length = 0; const [entry] = outbox.entries();
        outbox.stored(entry, { ...entry.judgment, seq: 7 }, false);""")  # fmt: skip
    page.wait_for_function("calls.length === 2")
    assert run(page, "return [other.receipts.highest, other.entries(), outbox.state.state]") == [
        7,
        [],
        "saved",
    ]


def test_all_tabs_hear_which_row_was_before_what_was_stored_and_what_is_due_again_since(page: Page) -> None:
    run(page, """window.other = Object.assign(open(), { run: async () => {} });
        await other.ready();
        window.heard = [];
        const onstored = (_, stored) => heard.push([stored.before, stored.again]);
        for (const one of [outbox, other]) one.listener = { onchange() {}, onstored };
        answers.push((judgment) => ({ status: 201, body: { ...storedAs(judgment).body, before: 4, again: "d" } }));
        await add("a");
        await outbox.run();""")  # fmt: skip
    page.wait_for_function("heard.length === 2")
    assert run(page, "return heard") == [[4, "d"], [4, "d"]]


def test_without_a_database_a_judgment_is_safe_when_the_server_has_it(page: Page) -> None:
    run(
        page,
        "outbox.database = null; outbox.ready = async () => {}; window.safe = false;"
        "add('a').then(() => (safe = true))",
    )
    page.clock.run_for(10)
    page.wait_for_function("safe")
    assert run(page, "return [sent.length, waiting()]") == [1, []]
    run(page, "answers.push(() => null); window.safe = false; add('b').then(() => (safe = true))")
    page.clock.run_for(10)
    page.wait_for_function("outbox.trouble === 'offline'")
    assert run(page, "return [safe, outbox.state.durable, [...outbox.unkept]]") == [False, False, ["b"]]
    run(page, "await outbox.load()")
    assert run(page, "return waiting()") == ["b"]
    run(page, "answers.push(refuse('text changed')); await outbox.run()")
    page.wait_for_function("safe")
