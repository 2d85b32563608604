"""What the judging page does with answers, with what was judged before it, and with keys, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ANSWERS = """async (data) => {
    const { Answers } = await import("/static/judging/answers.js");
    const { Queue } = await import("/static/judging/queue.js");
    const open = { state: "open", kind: null, grade: null, seq: null, near: null, later: false };
    window.calls = [];
    const heard = (name) => (...one) => void calls.push([name, ...one]);
    const queue = new Queue(["a", "b", "c"].map((document_id) => ({ ...open, document_id })));
    const addresses = { judgments_url: "/judgments", queue_url: "/queue" };
    window.page = { data: { ...addresses, account: "Ben", topic_id: "1", norming: null, newest: 10, ...data }, queue,
        preferences: { listen() {}, waiting: () => [] },
        outbox: { next: undefined, told: new Map([["u", 12]]), receipts: { newest: async () => [{ seq: 13 }] } },
        undoing: { add: heard("undo") },
        reader: { wanted: null, heardVersions: heard("versions"), forget: heard("forget"), open: heard("open") },
        texts: { clear: heard("clear") },
        offline: { forget: ({ document_id }) => calls.push(["offline", document_id]) },
        more: { stored: heard("more") }, remarks: { keepDraft: heard("draft") },
        showAround: heard("around"), moreCame: heard("came"), isHere: ({ topic_id }) => topic_id === "1" };
    window.answers = new Answers(page);
    window.judgment = (document_id, more = {}) => ({ topic_id: "1", document_id, kind: "grade", grade: 1, ...more });
    window.entry = (document_id, more = {}) => ({ uuid: "u1", judgment: judgment(document_id), ...more });
    window.told = () => calls.splice(0);
    window.item = (id) => {
        const { state, grade, seq, uuid } = queue.item(id);
        return [state, grade, seq, uuid ?? null];
    };
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    page = page_of(
        "<meta name=csrf-token content=t><meta name=session-url content=/session><p id=other-machine hidden>"
        "<button id=other-machine-close></button></p><i id=card tabindex=-1></i><b id=scroller tabindex=-1></b>"
    )
    page.evaluate(ANSWERS, {})
    return page


def test_what_an_answer_says_of_versions_texts_and_other_tabs_is_heard(page: Page) -> None:
    body: dict[str, Any] = {}
    queue = {"state": "mine", "kind": "grade", "near": None, "later": False}
    status = [200]

    def answer_queue(route: Route) -> None:
        documents = [
            {**queue, "document_id": name, "grade": 2, "seq": seq} for name, seq in (("a", 5), ("x", 6))
        ]
        route.fulfill(status=status[0], json={"queue": documents})

    page.route("**/judgments", lambda route: route.fulfill(json=body))
    page.route("**/queue", answer_queue)
    post = "answers.post(judgment('a')).then(({ status }) => [status, told()])"
    assert page.evaluate(post) == [200, []]
    body = {"versions": {"topic": 1, "guidelines": 2}}
    assert page.evaluate(post) == [200, [["versions", {"topic": 1, "guidelines": 2}]]]
    assert page.evaluate("answers.post(judgment('a', { topic_id: '2' })).then(told)") == []
    body = {"reason": "text changed"}
    assert page.evaluate(post) == [200, [["clear"], ["offline", "a"]]]
    body = {"reason": "replaced elsewhere"}
    page.evaluate(post)
    page.wait_for_function("calls.length === 2")
    assert page.evaluate("[told(), item('a')]") == [
        [["forget", "a"], ["around"]], ["mine", 2, 5, None],
    ]  # fmt: skip
    status[0] = 401
    assert page.evaluate("(page.queue.item('a').seq = 1, answers.refresh().then(() => [told(), item('a')[2]]))") == [
        [["around"]], 1,
    ]  # fmt: skip
    page.unroute("**/queue")
    page.route("**/queue", lambda route: route.abort())
    assert page.evaluate("answers.refresh().then(told)") == [["around"]]


def test_a_page_of_a_norming_round_asks_for_no_queue(page: Page) -> None:
    asked: list[str] = []
    page.route("**/queue", lambda route: (asked.append(route.request.url), route.fulfill(json={"queue": []})))
    page.evaluate("void (page.data.norming = 3)")
    assert page.evaluate("answers.refresh().then(told)") == [["around"]]
    assert asked == []


def test_only_what_is_newer_than_what_is_here_is_taken_from_the_server(page: Page) -> None:
    taken = """([changes, item_]) => {
        Object.assign(page.queue.item("a"), { state: "mine", grade: 1, seq: 4, uuid: null, ...changes });
        answers.take({ document_id: "a", state: "mine", kind: "grade", grade: 2, seq: 5, ...item_ });
        return [item("a")[1], told()];
    }"""
    assert page.evaluate(taken, [{}, {}]) == [2, [["forget", "a"]]]
    assert page.evaluate(taken, [{}, {"seq": 4}]) == [1, []]
    assert page.evaluate(taken, [{}, {"seq": None}]) == [1, []]
    assert page.evaluate(taken, [{"seq": None}, {"seq": 0}]) == [1, []]
    assert page.evaluate(taken, [{"seq": None}, {"seq": None}]) == [1, []]
    assert page.evaluate(taken, [{"seq": None}, {"seq": 1}]) == [2, [["forget", "a"]]]
    assert page.evaluate(taken, [{"uuid": "u"}, {}]) == [1, []]
    assert page.evaluate(taken, [{}, {"document_id": "x"}]) == [1, []]
    page.evaluate("void (page.reader.wanted = 'a')")
    assert page.evaluate(taken, [{}, {}]) == [2, []]
    page.evaluate("page.reader.wanted = 'b', void (page.stage = { current: { has: (id) => id === 'a' } })")
    assert page.evaluate(taken, [{}, {}]) == [2, []]
    page.evaluate("void (page.stage.current = null)")
    assert page.evaluate(taken, [{}, {}]) == [2, [["forget", "a"]]]


@pytest.mark.parametrize("state", ["open", "other"])
def test_a_judgment_that_was_cleared_elsewhere_is_none_here_either(page: Page, state: str) -> None:
    assert page.evaluate(
        """(state) => {
            Object.assign(page.queue.item("a"), { state: "mine", kind: "grade", grade: 1, seq: 4 });
            page.queue.history = ["a"];
            answers.take({ document_id: "a", state, kind: null, grade: null, seq: 5 });
            return [item("a"), page.queue.item("a").kind, page.queue.history, told()];
        }""",
        state,
    ) == [[state, None, 5, None], None, [], [["forget", "a"]]]


def test_where_a_document_is_open_again_the_page_goes_on_with_it(page: Page) -> None:
    item = {
        "document_id": "a",
        "state": "mine",
        "kind": "grade",
        "grade": 2,
        "near": None,
        "later": False,
        "seq": 5,
    }
    queue = [item, {**item, "document_id": "b", "state": "other", "kind": None, "grade": None}]
    page.route("**/queue", lambda route: route.fulfill(json={"queue": queue}))
    refresh = "answers.refresh().then(() => told().at(-1))"
    assert page.evaluate(refresh) == ["around"]
    queue.append({**queue[1], "document_id": "c", "state": "open"})
    assert page.evaluate(refresh) == ["came"]
    assert page.evaluate(refresh) == ["around"]


def test_what_is_stored_is_acknowledged_or_comes_from_another_tab(page: Page) -> None:
    page.evaluate("page.queue.record('a', { ...judgment('a'), uuid: 'u1' })")
    assert page.evaluate("(answers.stored(entry('a'), { seq: 7 }), [item('a'), told()])") == [
        ["mine", 1, 7, None], [["more"]],
    ]  # fmt: skip
    stored = "(answers.stored(entry('a'), { seq: %s, kind: 'grade', grade: 0 }%s), [item('a'), told()])"
    assert page.evaluate(stored % (9, ", 7")) == [["mine", 1, 9, None], [["more"]]]
    assert page.evaluate(stored % (9, "")) == [["mine", 1, 9, None], [["more"]]]
    assert page.evaluate(stored % (12, ", 3")) == [["mine", 0, 12, None], [["more"], ["around"]]]
    assert page.evaluate("(answers.stored(entry('b'), { seq: 0, kind: 'grade', grade: 1 }), item('b'))") == [
        "open", None, None, None,
    ]  # fmt: skip
    assert (
        page.evaluate("(answers.stored(entry('b'), { seq: 1, kind: 'grade', grade: 1 }), item('b')[2])") == 1
    )
    page.evaluate("told(), answers.stored(entry('c'), { seq: 13, kind: 'grade', grade: 1, again: 'a' })")
    assert page.evaluate("[item('a')[0], told()]") == [
        "open", [["more"], ["around"], ["forget", "a"], ["around"]],
    ]  # fmt: skip


def test_a_document_is_judged_again_unless_it_is_shown_or_on_its_way(page: Page) -> None:
    page.evaluate("page.queue.restore('a', { seq: 3, kind: 'grade', grade: 1, comment: '', rationales: [] })")
    assert page.evaluate("(answers.again('x'), page.reader.wanted = 'a', answers.again('a'), told())") == []
    page.evaluate("page.reader.wanted = null, void (page.queue.item('a').uuid = 'u')")
    assert page.evaluate("(answers.again('a'), [item('a')[0], told()])") == ["mine", []]
    page.evaluate("void (page.queue.item('a').uuid = null)")
    assert page.evaluate("(answers.again('a'), [item('a')[0], told()])") == [
        "open", [["forget", "a"], ["around"]],
    ]  # fmt: skip


def test_undo_hears_of_what_is_stored_of_another_topic(page: Page) -> None:
    other = judgment = {"topic_id": "2", "document_id": "a b", "kind": "grade", "grade": 1}
    stored = "(judgment) => (answers.stored({ uuid: 'u', judgment }, { seq: 8 }), told())"
    assert page.evaluate(stored, other) == [["undo", judgment, 8]]


def test_what_is_refused_or_of_another_topic_is_not_on_its_way(page: Page) -> None:
    unsent = """(more) => {
        page.outbox.entries = () => [entry("a", more)];
        return answers.areUnsent();
    }"""
    assert page.evaluate(unsent, {}) is True
    assert page.evaluate(unsent, {"refused": {}}) is False
    assert page.evaluate(unsent, {"judgment": {"topic_id": "2"}}) is False


def test_a_judgment_that_travels_under_a_new_uuid_is_known_by_it(page: Page) -> None:
    page.evaluate("page.queue.record('a', { ...judgment('a'), uuid: 'u0' })")
    assert page.evaluate("(answers.renewed(entry('a'), 'none'), item('a')[3])") == "u0"
    page.evaluate("answers.renewed({ uuid: 'u1', judgment: judgment('a', { topic_id: '2' }) }, 'u0')")
    assert page.evaluate("item('a')[3]") == "u0"
    assert page.evaluate("(answers.renewed(entry('a'), 'u0'), item('a')[3])") == "u1"


def test_what_was_given_up_is_as_the_server_has_it_and_its_note_is_kept(page: Page) -> None:
    page.evaluate("""() => {
        window.refused = (document_id, reason, current) => entry(document_id, {
            judgment: judgment(document_id, { comment: "my note" }), refused: { reason, current } });
        const before = { seq: 2, kind: "grade", grade: 3, comment: "", rationales: [] };
        page.queue.record("a", { ...judgment("a"), uuid: "u1" });
        answers.discarded(refused("a", "form", before));
    }""")
    assert page.evaluate("[item('a'), told()]") == [
        ["mine", 3, 2, None], [["draft", "a", "my note"], ["forget", "a"], ["around"]],
    ]  # fmt: skip
    page.evaluate("page.reader.wanted = 'b', answers.discarded(refused('b', 'judged by another', undefined))")
    assert page.evaluate("[item('b')[0], told().slice(1)]") == ["other", [["forget", "b"], ["open", "b"]]]
    assert page.evaluate("(answers.discarded(entry('c')), item('c')[0])") == "open"
    page.evaluate("told(), answers.discarded(entry('a', { judgment: judgment('a', { topic_id: '2' }) }))")
    assert page.evaluate("told()") == []
    assert page.evaluate("(answers.lookAgain(refused('c', 'form', null)), told().at(-1))") == ["open", "c"]


@pytest.mark.parametrize(
    ("more", "query"), [("", "?topic=2%263&document=a%20b"), (", norming: 4", "?norming=4&document=a%20b")]
)
def test_a_look_at_what_was_given_up_of_another_topic_leads_there(page: Page, more: str, query: str) -> None:
    page.evaluate(
        f"answers.lookAgain(entry('', {{ judgment: judgment('a b', {{ topic_id: '2&3'{more} }}) }}))"
    )
    page.wait_for_url(f"http://localhost/{query}")


def test_what_is_unsent_or_was_acknowledged_since_the_page_began_counts_as_judged(page: Page) -> None:
    count = """async (kept) => {
        const { countJudgedEarlier } = await import("/static/judging/judged_earlier.js");
        window.since = [];
        const sent = (document_id, seq, more) => ({ seq, judgment: judgment(document_id, { comment: "c", ...more }) });
        page.outbox = {
            mirror: new Map([["u1", 0], ["u2", 0]]),
            entries: () => [entry("a"), entry("c", { uuid: "stored meanwhile" }),
                { uuid: "u2", judgment: judgment("b", { topic_id: "2" }) }],
            receipts: { since: async (time) => (since.push(time), [sent("a", 9), sent("b", kept), sent("c", 3, {
                grade: 2, rationales: [{ start: 1 }] }), sent("c", 2), sent("none", 4, { topic_id: "2" })]) },
        };
        await countJudgedEarlier(page);
        return [item("a"), item("b"), item("c"), page.queue.item("c").comment, page.queue.item("c").rationales.length,
            page.queue.history.join("")];
    }"""
    assert page.evaluate(count, 0) == [
        ["mine", 1, 9, "u1"], ["open", None, None, None], ["mine", 2, 3, None], "c", 1, "ca",
    ]  # fmt: skip
    assert page.evaluate("since[0] === performance.timeOrigin") is True
    assert [(name, found["document_id"], seq) for name, found, seq in page.evaluate("told()")] == [
        ("undo", "none", 4)
    ]
    page.evaluate("document.head.innerHTML += '<meta name=downloaded content=2026-01-02T03:04:05Z>'")
    assert page.evaluate(count, 1)[1] == ["mine", 1, 1, None]
    assert page.evaluate("page.queue.item('b').rationales") == []
    assert page.evaluate("since[0] === Date.parse('2026-01-02T03:04:05Z')") is True


def test_a_page_that_may_have_been_fetched_ahead_knows_what_was_acknowledged_since_it_was_made(
    page: Page,
) -> None:
    page.evaluate("history.replaceState(null, '', '?topic=1&after=2')")
    found = page.evaluate("""async () => {
        const { countJudgedEarlier } = await import("/static/judging/judged_earlier.js");
        const ago = (minutes) => performance.timeOrigin - 60_000 * minutes;
        const sent = (document_id, seq, minutes, topic_id = "1") => (
            { seq, time: ago(minutes), judgment: judgment(document_id, { topic_id }) });
        const all = [sent("a", 11, 4), sent("b", 10, 4), sent("c", 9, -1), sent("d", 12, 3, "2"), sent("e", 8, 3, "2")];
        page.outbox = { entries: () => [], receipts: { since: async (time) => (window.since = time, all) } };
        await countJudgedEarlier(page);
        const heard = told().map(([, { document_id }, seq]) => [document_id, seq]);
        return [since === ago(10), item("a")[0], item("b")[0], item("c")[0], heard];
    }""")
    assert found == [
        True, "mine", "open", "mine", [["d", 12]],
    ]  # fmt: skip


def test_a_notice_that_is_closed_leaves_the_focus_on_the_document_or_its_card(page: Page) -> None:
    focused = """(() => {
        document.getElementById("other-machine-close").dispatchEvent(new Event("click"));
        return document.activeElement.id;
    })()"""
    page.evaluate("page.stage = { current: { place: window.card }, scroller: window.scroller }")
    assert page.evaluate(focused) == "card"
    page.evaluate("page.stage.current = null")
    assert page.evaluate(focused) == "scroller"
    page.evaluate("page.viewer = { focus: () => window.card.focus() }")
    assert page.evaluate(focused) == "card"
