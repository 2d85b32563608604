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
    window.open = (account = "Ben", campaign = "small", log = undefined) =>
        new Outbox({ campaign, account, log }, post, listener, ask);
    window.outbox = open();
    await outbox.ready();
    window.judgment = (uuid, grade = 1, document_id = "d1") =>
        ({ uuid, topic_id: "1", document_id, kind: "grade", grade, text_hash: "h", replaces: null });
    window.add = (uuid, after = null, grade = 1, document_id = "d1") =>
        outbox.add(judgment(uuid, grade, document_id), after);
    window.known = async (...uuids) => (await outbox.receipts.known(uuids)).map(({ uuid, seq }) => [uuid, seq]);
    window.refuse = (reason, more = {}) => () => ({ status: 409, body: { reason, message: "no", ...more } });
    window.waiting = () => outbox.entries().map(({ uuid }) => uuid);
    window.all = async () => { await outbox.run(); return [waiting(), outbox.state.state]; };
}"""


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
    run(page, f"answers.push(() => ({answer})); await outbox.run(); await add('a'); await outbox.run()")
    assert run(page, "return [waiting(), outbox.state.state, asked.length]") == [["a"], state, 1]
    assert run(page, "return [...(await all()), asked.length]") == [[], "saved", 2]


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
    run(page, """const older = refuse("replaced elsewhere", { current: { seq: 3 } });
        answers.push(older, older);
        await outbox.add({ ...judgment("a"), replaces: 5 }, null); await outbox.run();""")  # fmt: skip
    assert run(page, "return [sent.length, asked.length, outbox.state.state]") == [2, 2, "problem"]


def test_what_the_server_lost_is_offered_again_in_order_and_what_is_of_another_campaign_is_not(
    page: Page,
) -> None:
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
    run(page, """answers.push(() => null); await add("e"); await outbox.run();
        unknown = { status: 200, body: { unknown: ["a", "b", "c"], log: "log 2" } };
        await outbox.run();""")  # fmt: skip
    assert run(page, "return [waiting(), outbox.state.refused[0].refused.reason]") == [
        ["e"],
        "another campaign",
    ]


OF_LOG = 'window.outbox = open("Ben", "small", "log 1"); await outbox.ready();'


def test_a_page_that_names_its_log_asks_nothing_before_something_was_acknowledged(page: Page) -> None:
    run(page, f"{OF_LOG} await outbox.run(); await add('a'); await outbox.run();")
    assert run(page, "return [asked, sent.length, outbox.state.state]") == [[], 1, "saved"]
    assert run(page, "return (await outbox.receipts.newest()).map(({ log }) => log)") == ["log 1"]
    run(page, f"{OF_LOG} await outbox.run();")
    assert run(page, "return asked") == [["a"]]


@pytest.mark.parametrize("way", ["out of reach", "downloaded"])
def test_what_was_judged_without_a_network_goes_to_the_log_of_its_page_alone(page: Page, way: str) -> None:
    if way == "downloaded":
        run(
            page,
            """document.head.insertAdjacentHTML("beforeend",
            '<meta name=downloaded content=2026-11-01T12:00:00Z>')""",
        )
    run(page, f"{OF_LOG} await outbox.run();")
    assert run(page, "return asked") == []
    if way == "out of reach":
        run(page, "answers.push(() => null)")
    run(
        page,
        """unknown = { status: 200, body: { unknown: [], log: "log 2" } };
        await add("a"); await outbox.run(); await outbox.run();""",
    )
    assert run(page, "return [asked, outbox.state.refused[0].refused.reason]") == [[[]], "another campaign"]
    assert run(page, "return sent.length") == (1 if way == "out of reach" else 0)


def test_a_new_page_of_another_log_refuses_what_waits_without_asking(page: Page) -> None:
    run(page, f"{OF_LOG} answers.push(() => null); await add('a'); await outbox.run();")
    run(page, 'window.outbox = open("Ben", "small", "log 2"); await outbox.ready(); await outbox.run();')
    assert run(page, "return [asked, sent.length]") == [[], 1]
    assert run(page, "return outbox.state.refused[0].refused.reason") == "another campaign"


def test_the_log_that_an_acknowledgement_names_is_that_of_its_receipt(page: Page) -> None:
    run(page, OF_LOG)
    run(
        page,
        """unknown = { status: 200, body: { unknown: [], log: "log 2" } };
        answers.push((one) => ({ status: 201, body: { stored: { ...one, seq: 7 }, log: "log 2" } }));
        await add("a"); await outbox.run();""",
    )
    assert run(page, "return (await outbox.receipts.newest()).map(({ log }) => log)") == ["log 2"]
    assert run(page, "return [asked, outbox.receipts.log]") == [[["a"]], "log 2"]


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
    run(page, "unknown = { status: 401, body: {} }; await add('a'); await outbox.run()")
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
