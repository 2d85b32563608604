"""What the judging page says about saving and around a document, each script by itself, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<head><meta name=csrf-token content=t><meta name=session-url content=/session></head><input id=field>
<button id=save-state><b id=save-words></b></button><p id=save-news></p><p id=other-tab hidden></p>
<p id=others hidden></p>
<p id=signed-out hidden><button id=sign-in-way></button></p><dialog id=unsent><b id=unsent-count></b>
<button id=download-unsent></button><input type=file id=import-unsent><b id=import-result></b></dialog>
<div id=problems hidden><b id=problem-count></b><b id=problem-way></b><ul id=problem-list></ul>
<p id=problem-all hidden></p></div>
<p class=finished><a class=next-topic>Next</a></p>"""

SAVING = """async () => {
    const { Saving } = await import("/static/judging/saving.js");
    window.calls = [];
    const heard = (name) => (...one) => void calls.push([name, ...one.map((each) => each.uuid ?? each)]);
    window.all = [];
    window.others = [];
    window.followers = {};
    window.outbox = { state: { state: "saved", waiting: 0, refused: [], durable: true }, entries: () => all,
        told: new Set(),
        others: () => others, followers: (uuid) => followers[uuid] ?? [], hurry: heard("hurry"),
        keepMine: heard("keep"), discard: heard("discard"), owner: { campaign: "c/d", account: "Ben" },
        take: async (entries) => entries.length - 1 };
    window.isKept = false;
    const grades = [{ grade: 0, name: "Not" }, { grade: 1, name: "Relevant" }];
    window.saving = new Saving(outbox, { log: "of the page", account: "Ben", campaign: "small", topic_id: "1", grades },
        { discarded: heard("discarded"), look: heard("look"), signedIn: heard("signed in"), isKept: () => isKept });
    saving.signInAgain.offer = async () => void calls.push(["offer"]);
    saving.signInAgain.show = async () => void calls.push(["show"]);
    window.told = () => calls.splice(0).map((one) => one.join(" ")).join(", ");
    window.is = (changes) => { Object.assign(outbox.state, changes); saving.show(); return text("save-words"); };
    window.text = (id) => document.getElementById(id).textContent;
    window.hidden = (...ids) => ids.map((id) => document.getElementById(id).hidden);
    window.entry = (uuid, more = {}, grade = 1) => ({ uuid, refused: { reason: "", message: "", ...more },
        judgment: { document_id: `d${uuid}`, kind: "grade", grade } });
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of(PAGE, SAVING)


def test_the_strip_says_how_saving_goes(page: Page) -> None:
    words = [
        page.evaluate("([state, waiting, durable]) => is({ state, waiting, durable })", list(one))
        for one in (
            ("saved", 0, True), ("saving", 2, True), ("offline", 2, True), ("outdated", 1, True),
            ("signed out", 3, True), ("problem", 0, True), ("saving", 1, False), ("saved", 0, False),
        )
    ]  # fmt: skip
    assert words == [
        "Saved", "2 waiting", "Offline, 2 kept here", "Old page, 1 kept here", "Signed out, 3 kept here",
        "Problem, see below", "1 waiting (only while this page is open)", "Saved",
    ]  # fmt: skip
    assert page.evaluate("(told(), is({ state: 'signed out', waiting: 2 }), told())") == "offer"
    assert page.evaluate("[hidden('signed-out'), document.querySelector('#save-state').dataset.state]") == [
        [False], "signed out",
    ]  # fmt: skip
    assert page.evaluate("[text('unsent-count'), document.querySelector('#download-unsent').disabled]") == [
        "2 judgments not yet sent.", True,
    ]  # fmt: skip
    ahead = "document.querySelector('.next-topic').hasAttribute('data-ahead')"
    assert page.evaluate(ahead) is False
    page.evaluate("all.push(entry('1')), is({ state: 'saved', waiting: 0 })")
    assert page.evaluate(f"[hidden('signed-out'), text('unsent-count'), {ahead}, told()]") == [
        [True], "All judgments are stored on the server.", True, "",
    ]  # fmt: skip
    assert page.evaluate("document.querySelector('#download-unsent').disabled") is False
    assert page.evaluate("(saving.signInAgain.isOut = true, is({}), told())") == "offer"
    assert page.evaluate("(is({ state: 'saving' }), told())") == ""


def test_what_was_refused_is_not_counted_as_stored_where_unsent_judgments_are_counted(page: Page) -> None:
    count = """([waiting, ...refused]) => {
        is({ waiting, refused: refused.map((uuid) => entry(uuid)) });
        return text("unsent-count");
    }"""
    assert [page.evaluate(count, given) for given in ([0, "1"], [2, "1", "2"], [0])] == [
        "1 judgment not stored, see the list on the page.",
        "2 judgments not yet sent. 2 judgments not stored, see the list on the page.",
        "All judgments are stored on the server.",
    ]


def test_who_is_out_is_offered_to_sign_in_until_signed_in_again(page: Page) -> None:
    assert page.evaluate("(saving.documentCame(), saving.signedOut(), [told(), hidden('signed-out')])") == [
        "offer", [False],
    ]  # fmt: skip
    assert page.evaluate("(saving.documentCame(), told())") == "offer"
    assert page.evaluate("(saving.signedIn(), [told(), hidden('signed-out')])") == [
        "signed in, hurry",
        [True],
    ]
    assert page.evaluate("(document.querySelector('#sign-in-way').click(), told())") == "show"
    assert page.evaluate("(saving.signInAgain.onsignedin(), told())") == "signed in, hurry"
    assert page.evaluate(
        "(document.querySelector('#save-state').click(), document.querySelector('#unsent').open)"
    )
    assert page.evaluate("[saving.signInAgain.account, saving.signInAgain.waiting()]") == ["Ben", 0]


def test_words_wait_for_the_next_document_for_a_moment(page: Page) -> None:
    page.evaluate("void (saving.isMoving = true), is({ state: 'offline', waiting: 1 })")
    page.clock.run_for(29)
    assert page.evaluate("text('save-words')") == ""
    page.clock.run_for(1)
    assert page.evaluate("text('save-words')") == "Offline, 1 kept here"
    page.evaluate("is({ state: 'saved', waiting: 0 }), saving.moved('d1')")
    state = "document.querySelector('#save-state').dataset.state"
    assert page.evaluate(f"[{state}, text('save-words')]") == ["saved", "Offline, 1 kept here"]
    page.clock.run_for(30)
    assert page.evaluate("[text('save-words'), saving.isMoving, saving.judged]") == ["Saved", False, "d1"]


def test_what_waits_for_others_is_told(page: Page) -> None:
    tell = "(all) => { others.splice(0, 9, ...all); is({}); return [hidden('others')[0], text('others')]; }"
    assert page.evaluate(tell, [])[0] is True
    assert page.evaluate(tell, [{"account": "Anna", "count": 1}]) == [
        False, "Anna’s 1 waits on this machine, and goes to the server when the owner signs in here.",
    ]  # fmt: skip
    assert page.evaluate(tell, [{"account": "Anna", "count": 2}]) == [
        False, "Anna’s 2 wait on this machine, and go to the server when the owner signs in here.",
    ]  # fmt: skip
    assert page.evaluate(tell, [{"account": "Anna", "count": 1}, {"account": "Carla", "count": 1}]) == [
        False, "Anna’s 1, Carla’s 1 wait on this machine, and go to the server when their owners sign in here.",
    ]  # fmt: skip


def test_a_page_may_be_left_when_nothing_is_lost_by_it(page: Page) -> None:
    may = "(changes) => { Object.assign(outbox.state, changes); return saving.mayLeave(); }"
    assert [page.evaluate(may, {"state": state}) for state in ("offline", "signed out", "problem", "saved")] == [
        False, False, True, True,
    ]  # fmt: skip
    assert page.evaluate(may, {"durable": False}) is True
    assert page.evaluate(may, {"waiting": 1}) is False
    assert page.evaluate(may, {"waiting": 0, "refused": [1]}) is False
    assert page.evaluate(may, {"durable": True}) is True
    assert page.evaluate("(saving.isMoving = true, saving.mayLeave())") is False
    assert page.evaluate("(saving.isMoving = false, saving.isOut = true, saving.mayLeave())") is False
    page.evaluate("void (saving.isOut = false), document.querySelector('#field').focus()")
    assert page.evaluate("saving.mayLeave()") is False
    leaving = """([entries, kept, durable, isLeaving]) => {
        all.splice(0, 9, ...entries);
        window.isKept = kept;
        outbox.state.durable = durable;
        saving.isLeaving = isLeaving;
        return !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    }"""
    asked = [page.evaluate(leaving, one) for one in (
        [[1], False, True, False], [[], False, True, False], [[1], True, True, False], [[1], True, False, False],
        [[1], False, True, True],
    )]  # fmt: skip
    assert asked == [True, False, False, True, False]


def test_who_goes_on_to_the_next_topic_is_asked_only_where_its_page_could_not_send_what_waits(
    page: Page,
) -> None:
    asks = """(changes) => {
        Object.assign(outbox.state, changes);
        return !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    }"""
    page.evaluate("void all.push(1)")
    assert page.evaluate(asks, {"state": "saving"}) is True
    page.evaluate("document.querySelector('.next-topic').click()")
    assert page.evaluate(asks, {}) is False
    page.evaluate("document.body.click()")
    assert page.evaluate(asks, {}) is True
    page.evaluate("saving.goOn()")  # undo leads to another topic too
    assert page.evaluate(asks, {}) is False
    assert page.evaluate(asks, {"state": "offline"}) is True
    assert page.evaluate(asks, {"state": "signed out"}) is True
    assert page.evaluate(asks, {"state": "saving", "durable": False}) is True


@pytest.mark.parametrize(("judged", "query"), [("d1", "?topic=1"), ("d2", "?topic=1&document=d1")])
def test_a_page_that_reloads_itself_does_not_come_back_to_what_was_judged(
    page: Page, judged: str, query: str
) -> None:
    page.evaluate("history.replaceState(null, '', '?topic=1&document=d1')")
    with page.expect_navigation():
        page.evaluate(f"void (saving.judged = '{judged}'), saving.leave()")
    assert page.url == f"http://localhost/{query}"


def test_a_conflict_is_settled_by_storing_the_one_or_keeping_the_other(page: Page) -> None:
    page.evaluate("""() => {
        window.rows = () => [...document.querySelectorAll("#problem-list li")].map((one) => one.textContent);
        window.press = (words) => {
            [...document.querySelectorAll("button")].find(({ textContent }) => textContent === words).click();
            return told();
        };
        const there = { kind: "grade", grade: 0 };
        window.conflict = (uuid, current = there) => entry(uuid, { reason: "replaced elsewhere", current });
    }""")
    page.evaluate("is({ refused: [conflict('1')] })")
    assert page.evaluate("[rows(), text('problem-count'), hidden('problems', 'problem-all')]") == [
        ["d1 — your judgment here: Relevant. You also judged this document elsewhere: Not. Store RelevantKeep Not"],
        "1 judgment not stored", [False, True],
    ]  # fmt: skip
    assert page.evaluate("[press('Store Relevant'), press('Keep Not')]") == [
        "keep 1",
        "discard 1, discarded 1",
    ]
    page.evaluate(
        "void (followers[1] = [entry('8', {}, 0), entry('9', {}, 0)]), is({ refused: [conflict('1', null)] })"
    )
    assert page.evaluate("rows()") == [
        "d1 — your judgment here: Not. You also judged this document elsewhere: no judgment. Store NotKeep no judgment"
    ]
    page.evaluate("""async () => {
        const { STORED_DIFFERENTLY: reason } = await import("/static/judging/verdicts.js");
        const different = (uuid, current) => entry(uuid, { reason, message: "The server has", current });
        is({ refused: [conflict("2"), different("3", { kind: "cleared" }), different("4", null)] });
    }""")
    assert page.evaluate("[rows().slice(1), hidden('problem-all'), text('problem-count')]") == [
        ["d3 — your judgment here: Relevant. The server has: Cleared. Store RelevantKeep Cleared",
         "d4 — your judgment here: Relevant. The server has. Try againDiscard"],
        [False], "3 judgments not stored",
    ]  # fmt: skip
    page.evaluate("is({ refused: [conflict('2'), conflict('4')] })")
    assert page.evaluate("[hidden('problem-all'), press('Store all 2 of this page')]") == [
        [False],
        "keep 2, keep 4",
    ]
    assert (
        page.evaluate("press('Keep all 2 made elsewhere')")
        == "discard 2, discarded 2, discard 4, discarded 4"
    )
    assert (
        page.evaluate("(window.row = document.querySelector('#problem-list li'), is({}), row.isConnected)")
        is True
    )
    assert page.evaluate("(is({ refused: [] }), hidden('problems'))") == [True]


def test_what_was_refused_is_tried_again_discarded_or_looked_at(page: Page) -> None:
    page.evaluate("""() => is({ refused: [entry("1", { reason: "text changed", message: "The text changed" }),
        entry("2", { reason: "form", message: "No such grade" }), entry("3", { status: 418 })] })""")
    rows = page.evaluate("[...document.querySelectorAll('#problem-list li')].map((one) => one.textContent)")
    assert rows == [
        "d1 — your judgment here: Relevant. The text changed. Open document",
        "d2 — your judgment here: Relevant. No such grade. Try againDiscard",
        "d3 — your judgment here: Relevant. The server answered with 418. Try againDiscard",
    ]
    page.evaluate(
        "[...document.querySelectorAll('#problem-list button')].slice(0, 3).forEach((one) => one.click())"
    )
    assert page.evaluate("told()") == "discard 1, look 1, keep 2, discard 2, discarded 2"


def test_several_that_can_be_tried_again_are_tried_by_one_press(page: Page) -> None:
    page.evaluate("""() => {
        window.shut = (uuid) => entry(uuid, { reason: "topic closed", message: "Closed" });
        window.ways = () => [...document.querySelectorAll("#problem-all button")].map((one) => one.textContent);
        is({ refused: [shut("1"), entry("2", { reason: "text changed", message: "The text changed" })] });
    }""")
    assert page.evaluate("[ways(), hidden('problem-all')]") == [[], [True]]
    page.evaluate("""() => is({ refused: [shut("1"), entry("2", { reason: "text changed" }), shut("3"),
        entry("4", { reason: "replaced elsewhere", current: null }), entry("5", { status: 418 })] })""")
    assert page.evaluate("[ways(), hidden('problem-all')]") == [["Try all 3 again"], [False]]
    page.evaluate("document.querySelector('#problem-all button').click()")
    assert page.evaluate("told()") == "keep 1, keep 3, keep 5"


FOREIGN = """() => {
    window.foreign = (uuid, log = "earlier") => {
        const one = entry(uuid, { reason: "another campaign", message: "it had the same name" });
        return { ...one, judgment: { ...one.judgment, log } };
    };
    window.pressed = (label) => {
        const found = [...document.querySelectorAll("#problems button")].find((one) => one.textContent === label);
        found.click();
        return told();
    };
}"""


def test_what_is_of_another_campaign_is_stored_in_this_one_on_purpose_alone(page: Page) -> None:
    page.evaluate(FOREIGN)
    page.evaluate("() => is({ refused: [foreign('1'), foreign('2'), entry('3'), entry('4')] })")
    assert page.evaluate("text('problem-list')").startswith(
        "d1 — your judgment here: Relevant. It had the same name. Store in this campaignDiscard"
    )
    assert page.evaluate("text('problem-way')") == (
        "They stay in this browser until you store them in this campaign or discard them. "
        "Save them as a file: Export unsent"
    )
    assert page.evaluate("pressed('Store in this campaign')") == "keep 1"
    assert page.evaluate("pressed('Try all 2 again')") == "keep 3, keep 4"
    assert page.evaluate("pressed('Store all 2 in this campaign')") == "keep 1, keep 2"
    gone = "discard 1, discarded 1, discard 2, discarded 2"
    assert page.evaluate("pressed('Discard all 2 of the other campaign')") == gone


def test_a_page_of_the_other_campaign_is_loaded_again_before_it_judges_in_this_one(page: Page) -> None:
    page.evaluate(FOREIGN)
    page.evaluate("() => is({ refused: [foreign('1'), foreign('2', 'of the page')] })")
    labels = "[...document.querySelectorAll('#problems button')].map((one) => one.textContent)"
    assert page.evaluate(labels) == [
        *("Export unsent", "Store in this campaign", "Discard", "Reload", "Discard"),
        "Discard all 2 of the other campaign",
    ]
    page.evaluate("void (saving.leave = () => calls.push(['leave']))")
    assert page.evaluate("pressed('Reload')") == "leave"


def test_of_a_topic_that_is_not_ones_own_any_more_the_way_out_is_said_once(page: Page) -> None:
    words = (
        "They are kept in this browser. Ask an organiser to let you judge the topic, then choose Try again; "
        "or save them as a file: Export unsent"
    )
    found = """(...reasons) => {
        is({ refused: reasons.map((reason, at) => entry(String(at), { reason })) });
        return text("problem-way");
    }"""
    for reasons, said in (
        (["topic closed", "topic closed"], words),
        (["not yours"], words),
        (["judged by another", "topic closed"], words),
        (["judged by another"], ""),
    ):
        assert (reasons, page.evaluate(f"(reasons) => ({found})(...reasons)", reasons)) == (reasons, said)
    page.evaluate("is({ refused: [entry('1', { reason: 'not yours' })] })")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export unsent").click()
    assert download.value.suggested_filename == "unsent-c-d-Ben-2026-03-01.json"


UUID = "00000000-0000-4000-8000-00000000000{}"


def test_unsent_judgments_go_into_a_file_and_come_from_one(page: Page) -> None:
    entries = [
        {"uuid": UUID.format(at), "after": None if at == 1 else UUID.format(1),
         "judgment": {"uuid": UUID.format(at), "topic_id": "1", "document_id": "d"}} for at in (1, 2)
    ]  # fmt: skip
    page.evaluate("(entries) => void all.push(...entries)", entries)
    page.evaluate("is({ waiting: 2 }), document.querySelector('#save-state').click()")
    with page.expect_download() as download:
        page.locator("#download-unsent").click()
    assert download.value.suggested_filename == "unsent-c-d-Ben-2026-03-01.json"
    content: dict[str, Any] = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert content == {
        "form": "workbench unsent judgments, form 2", "campaign": "c/d", "account": "Ben",
        "made": "2026-03-01T13:00:00.000Z", "entries": entries,
    }  # fmt: skip

    def take(changes: dict[str, Any] | str) -> str:
        page.evaluate("document.querySelector('#import-result').textContent = ''")
        text = changes if isinstance(changes, str) else json.dumps(content | changes)
        file = {"name": "u.json", "mimeType": "application/json", "buffer": text.encode()}
        page.locator("#import-unsent").set_input_files(file)  # type: ignore[arg-type]
        page.wait_for_function("text('import-result') !== ''")
        assert page.locator("#import-unsent").input_value() == ""
        return page.locator("#import-result").inner_text()

    assert take({}) == "1 judgment imported. 1 judgment in the file was already known."
    assert take({"account": "Anna"}).startswith(
        "u.json holds judgments of Anna, but you are signed in as Ben."
    )
    assert take({"campaign": "x"}).startswith("u.json belongs to the campaign x, but this is c/d.")
    other = "u.json was written by another version of the workbench. Nothing was imported."
    assert take({"form": "workbench unsent judgments, form 3", "entries": 1}) == other
    damaged = "u.json is damaged or is not a file of unsent judgments. Nothing was imported."
    first = entries[0]
    judgment: Any = first["judgment"]
    for bad in (
        "{", "null", {"form": 1}, {"form": "x"}, {"entries": {}}, {"entries": [None]},
        {"entries": [first | {"after": "x"}]},
        {"entries": [first | {"uuid": UUID.format(3)}]},
        {"entries": [first | {"judgment": judgment | {"topic_id": 1}}]},
        {"entries": [first | {"judgment": judgment | {"document_id": None}}]},
        {"entries": [{"uuid": "x", "after": None, "judgment": judgment | {"uuid": "x"}}]},
    ):  # fmt: skip
        assert (bad, take(bad)) == (bad, damaged)  # type: ignore[arg-type]
    page.evaluate("void (outbox.take = async () => 2)")
    assert take({}) == "2 judgments imported."
