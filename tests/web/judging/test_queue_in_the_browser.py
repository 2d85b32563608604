"""The queue of the judging page by itself: what comes next, what was judged, and what counts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUEUE = """async () => {
    const { Queue } = await import("/static/judging/queue.js");
    const open = { state: "open", kind: null, grade: null, seq: null, near: null, later: false };
    const mine = { ...open, state: "mine", kind: "grade" };
    const items = [
        { ...mine, document_id: "a", grade: 1, seq: 5, near: "x" },
        { ...open, document_id: "b" },
        { ...mine, document_id: "c", grade: 0, seq: 2 },
        { ...open, document_id: "d", later: true },
        { ...open, document_id: "e", state: "other" },
        { ...mine, document_id: "f", kind: "can't tell", seq: 9 },
        { ...open, document_id: "g", near: "n" },
        { ...mine, document_id: "h", grade: 1, near: "n", uuid: "on its way" },
    ];
    window.queue = new Queue(items);
    window.order = () => queue.items.map(({ document_id }) => document_id).join("");
    window.last = (count) => queue.lastJudged(count).map(({ document_id }) => document_id).join("");
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of("", QUEUE)


def grade(page: Page, document_id: str, kind: str = "grade", grade: int | None = 1) -> None:
    sent = {"kind": kind, "grade": grade, "uuid": f"of {document_id}", "comment": "so"}
    page.evaluate("([id, judgment]) => queue.record(id, judgment)", [document_id, sent])


def test_the_next_document_is_the_first_open_one_after_it_and_those_put_off_come_last(page: Page) -> None:
    assert page.evaluate('queue.nextOpen("b", 9)') == ["g", "b", "d"]
    assert page.evaluate('queue.nextOpen("g", 2)') == ["b", "g"]
    assert page.evaluate('[queue.nextOpen("f"), queue.nextOpen("g")]') == [["g"], ["b"]]
    assert page.evaluate('[queue.nextOpen(null, 9), queue.nextOpen("gone", 9)]') == [["b", "g", "d"]] * 2


def test_the_neighbours_end_at_both_ends(page: Page) -> None:
    assert page.evaluate('[queue.neighbour("b", -1), queue.neighbour("b", 1)]') == ["a", "c"]
    assert page.evaluate('[queue.neighbour("a", -1), queue.neighbour("h", 1)]') == [None, None]
    assert page.evaluate("[queue.neighbour(null, -1), queue.neighbour(null, 1)]") == ["h", None]
    assert page.evaluate('[queue.neighbour("gone", 1), queue.neighbour("gone", -1)]') == ["b", None]


def test_a_near_duplicate_is_the_one_just_before(page: Page) -> None:
    assert page.evaluate('["a", "b", "d", "g", "h"].map((id) => queue.nearBefore(id))') == [
        None, None, None, None, "g",
    ]  # fmt: skip


def test_what_is_in_the_queue_is_known(page: Page) -> None:
    assert page.evaluate('["a", "h", "gone", null].map((id) => queue.has(id))') == [True, True, False, False]
    assert page.evaluate('["a", "h"].map((id) => queue.item(id).document_id)') == ["a", "h"]


def test_what_is_judged_open_put_off_and_beyond_telling_is_counted(page: Page) -> None:
    counts = {"total": 8, "judged": 4, "cannotTell": 1, "later": 1, "open": 3}
    assert page.evaluate("queue.counts()") == counts
    grade(page, "d")
    grade(page, "b", "can't tell", None)
    assert page.evaluate("queue.counts()") == counts | {"judged": 5, "cannotTell": 2, "later": 0, "open": 1}


def test_the_last_judged_come_newest_first(page: Page) -> None:
    assert page.evaluate("[last(2), last(9)]") == ["fa", "fac"]
    grade(page, "b")
    grade(page, "c")
    assert page.evaluate("last(9)") == "cbfa"


def test_going_back_leaves_out_what_is_shown_and_goes_one_further_each_time(page: Page) -> None:
    back = "(shown) => queue.previouslyJudged(shown)"
    assert [page.evaluate(back, shown) for shown in ("f", "a", "c")] == ["a", "c", None]
    grade(page, "b")
    assert [page.evaluate(back, shown) for shown in (None, "b", "f", "a", "c")] == ["b", "f", "a", "c", None]


def test_a_judgment_is_recorded_and_one_that_is_cleared_leaves_the_document_open(page: Page) -> None:
    grade(page, "d")
    assert page.evaluate('queue.item("d")') == {
        "document_id": "d", "state": "mine", "kind": "grade", "grade": 1, "seq": None, "near": None,
        "later": False, "uuid": "of d", "comment": "so", "rationales": [],
    }  # fmt: skip
    page.evaluate('queue.item("a").later = true')
    grade(page, "a", "cleared", None)
    found: dict[str, Any] = page.evaluate('queue.item("a")')
    assert (found["state"], found["kind"], found["grade"], found["later"]) == ("open", None, None, True)
    assert page.evaluate("last(9)") == "dfc"


def test_what_must_be_judged_again_comes_after_the_next_open_document(page: Page) -> None:
    page.evaluate('queue.reopen("a", "f")')
    assert page.evaluate("[order(), last(9)]") == ["bcdefgah", "fc"]
    assert page.evaluate('queue.item("a")') == {
        "document_id": "a", "state": "open", "kind": None, "grade": None, "seq": None, "near": None,
        "later": False, "comment": "", "rationales": [],
    }  # fmt: skip
    assert page.evaluate('[queue.neighbour("a", 1), queue.neighbour("g", 1)]') == ["h", "a"]


def test_what_must_be_judged_again_comes_after_what_is_shown_where_nothing_else_is_open(page: Page) -> None:
    for document_id in "bdg":
        grade(page, document_id)
    page.evaluate('queue.reopen("c", "e")')
    assert page.evaluate("order()") == "abdecfgh"
    grade(page, "c")
    page.evaluate('queue.reopen("b", null)')
    assert page.evaluate("order()") == "adecfghb"


def test_after_a_judgment_or_a_document_that_came_back_going_back_begins_at_the_end(page: Page) -> None:
    assert page.evaluate('queue.previouslyJudged("f")') == "a"
    page.evaluate('queue.reopen("c", "f")')
    assert page.evaluate('queue.previouslyJudged("x")') == "f"
    grade(page, "b")
    assert page.evaluate('queue.previouslyJudged("x")') == "b"


def test_the_servers_number_is_kept_and_a_later_judgment_stays_on_its_way(page: Page) -> None:
    page.evaluate('queue.acknowledge("h", "an earlier one", 11)')
    assert page.evaluate('[queue.item("h").seq, queue.item("h").uuid]') == [11, "on its way"]
    page.evaluate('queue.acknowledge("h", "on its way", 12)')
    assert page.evaluate('[queue.item("h").seq, queue.item("h").uuid]') == [12, None]
    page.evaluate('queue.acknowledge("gone", "one", 13)')
    assert page.evaluate("queue.has('gone')") is False


def test_what_the_server_has_in_force_comes_back(page: Page) -> None:
    page.evaluate('queue.restore("a", null)')
    assert page.evaluate('[queue.item("a").state, queue.item("a").seq, last(9)]') == ["open", None, "fc"]
    rationale = {"field": "text", "start": 0, "end": 3, "text": "The"}
    current = {"seq": 7, "kind": "grade", "grade": 0, "comment": "no", "rationales": [rationale]}
    page.evaluate('(current) => queue.restore("b", current)', current)
    assert page.evaluate('queue.item("b")') == {
        "document_id": "b", "state": "mine", "kind": "grade", "grade": 0, "seq": 7, "near": None,
        "later": False, "uuid": None, "comment": "no", "rationales": [rationale],
    }  # fmt: skip
    assert page.evaluate("last(9)") == "bfc"


UNDO = """async () => {
    const { Undo } = await import("/static/judging/undo.js");
    const place = (seq) => ({ seq, url: `?${seq}` });
    // What is not stored yet: uuid, topic and order.
    window.waiting = [];
    const entry = ([uuid, topic_id, order, { kind = "grade", log, refused } = {}]) => (
        { uuid, order, judgment: { log, topic_id, document_id: `d ${order}`, kind }, refused });
    const outbox = {
        state: { state: "saved" }, entries: () => waiting.map(entry),
        get mirror() { return new Map(waiting.map((one) => [one[0], entry(one)])); },
    };
    window.undoing = (arrival, ...seqs) => {
        history.replaceState(null, "", arrival === null ? "?document=f" : `?document=${arrival}&undone=1`);
        queue.undone = 0;
        window.called = [];
        const data = { elsewhere: seqs.map(place), topic_id: "1", norming: null };
        const offline = { holds: (...pair) => (called.push(pair), pair[1] === "d 3001") };
        window.undo = new Undo({ queue, data, outbox, offline, saving: { goOn: () => called.push("go on") } });
        undo.arrive();
    };
    window.cut = (is) => void (outbox.state.state = is ? "offline" : "saving");
    window.walk = (shown) => {
        const steps = [];
        for (;;) {
            const { documentId, url } = undo.step(shown);
            steps.push(documentId ?? url ?? "");
            if (!documentId) return steps.join(" ");
            shown = documentId;
        }
    };
}"""


def test_undo_takes_the_newest_first_of_this_topic_and_of_others(page: Page) -> None:
    page.evaluate(UNDO)
    assert page.evaluate('[undoing(null), walk("b")][1]') == "f a c "
    assert page.evaluate('[undoing("f", 3, 7), walk("f")][1]') == "?7"
    assert page.evaluate('[undoing("a", 3, 7), walk("a")][1]') == "?3"
    assert page.evaluate('[undoing("c", 3, 7, 1), walk("c")][1]') == "?1"
    assert page.evaluate('[undoing("c", 3, 7), walk("c")][1]') == ""


def test_undo_begins_with_what_is_on_its_way_and_knows_what_was_stored_elsewhere_since(page: Page) -> None:
    page.evaluate(UNDO)
    grade(page, "b")
    page.evaluate('[undoing(null, 7), undo.add({ topic_id: "2", document_id: "a b", kind: "grade" }, 12)]')
    assert page.evaluate("undo.step(null)") == {"documentId": "b"}
    assert page.evaluate('undo.step("b")') == {"url": "?topic=2&document=a+b&undone=12"}


def test_undo_leads_to_judgments_alone_and_not_from_a_norming_session(page: Page) -> None:
    page.evaluate(UNDO)
    page.evaluate("undoing('c')")
    for judgment in (
        {"topic_id": "1", "kind": "grade"},
        {"topic_id": "2", "kind": "cleared"},
        {"topic_id": "2", "kind": "grade", "norming": 2},
        {"topic_id": "2", "kind": "grade", "log": "of another campaign"},
    ):
        page.evaluate("(judgment) => undo.add(judgment, 1)", judgment)
    page.evaluate("page => void (undo.page.data.norming = 1)")
    page.evaluate("undo.add({ topic_id: '2', kind: 'grade' }, 1)")
    assert page.evaluate("undo.others()") == []


def test_undo_leads_to_what_is_not_stored_yet_in_the_order_in_which_it_was_judged(page: Page) -> None:
    page.evaluate(UNDO)
    grade(page, "b")
    grade(page, "d")
    page.evaluate("""void (waiting = [["of b", "1", 3000], ["e1", "2", 3001], ["of d", "1", 3002], ["e3", "3", 2999],
        ["cleared", "2", 3003, { kind: "cleared" }], ["refused", "2", 3004, { refused: {} }]])""")
    assert page.evaluate("[undoing(null, 7), walk(null)][1]") == "d ?topic=2&document=d+3001&undone=3001"
    assert page.evaluate('[undoing("b", 7), walk("b")][1]') == "?topic=3&document=d+2999&undone=2999"
    page.evaluate("waiting.pop(), waiting.pop(), waiting.pop()")
    assert page.evaluate('[undoing("b", 7), walk("b")][1]') == "f ?7"


def test_undo_without_the_server_leads_to_other_topics_only_where_they_were_downloaded(page: Page) -> None:
    page.evaluate(UNDO)
    grade(page, "b")
    page.evaluate("""void (waiting = [["of b", "1", 3000], ["e1", "2", 3001], ["e2", "2", 3002]])""")
    page.evaluate("cut(true)")
    assert page.evaluate("[undoing(null, 7), walk(null)][1]") == "?topic=2&document=d+3001&undone=3001"
    assert page.evaluate("called.slice(-2)") == [["2", "d 3001"], ["2", "d 3002"]]
    assert page.evaluate('[undoing("b", 7), walk("b")][1]') == "f a c "
    page.evaluate("void (document.body.innerHTML = '<p id=said></p>')")
    assert page.evaluate("undo.back('c')") is None
    assert page.locator("#said").text_content() == "Nothing more to undo until the server responds"
    page.evaluate("cut(false)")
    assert page.evaluate("[undoing('c'), undo.back('c')][1]") is None
    assert page.locator("#said").text_content() == "Nothing to undo"


def test_undo_goes_back_on_the_page_or_opens_that_of_another_topic(page: Page) -> None:
    page.evaluate(UNDO)
    assert page.evaluate("[undoing(null, 7), undo.back('x')][1]") == "f"
    assert page.evaluate("called") == []
    with page.expect_navigation(url="**/?7"):
        page.evaluate("(undo.page.saving.goOn = () => (document.title = 'goes on'), undo.back('f'))")
