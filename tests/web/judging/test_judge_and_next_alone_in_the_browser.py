"""What the judging page does with a judgment and with a key, by itself, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf
from tests.web.judging.judge_parts import HTML, PARTS, does, judging, stand_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return judging(page_of)[0]


def test_a_judgment_is_kept_and_recorded_before_the_next_document_comes(page: Page) -> None:
    page.evaluate(
        "show('d1'), items.d1 = { document_id: 'd1', state: 'open', seq: 3, uuid: 'u0', kind: 'grade' }"
    )
    judgment = {
        "document_id": "d1", "kind": "grade", "grade": 1, "replaces": 3, "comment": ", note", "active_seconds": 4,
        "input": "key", "same_as": None,
    }  # fmt: skip
    shown = {"document_id": "d1", "title": "One", "state": "shown"}
    assert does(page, "void judge.judge('grade', 1, 'key')") == [
        ["submission", "judge", shown, "grade", 1, 3], ["CannotTell.note", "", "note", False], ["excessOf", ", note"],
        ["panel.ignoredSoFar"], ["Outbox.add", judgment, "u0"], ["Queue.record", "d1", judgment],
        ["Later.judged", "d1"],
        ["MoreDocuments.judged"], ["Remarks.sent"], ["Reader.hold"], ["Reader.open", "d2"], ["Saving.moved", "d1"],
    ]  # fmt: skip
    assert page.evaluate("parts.Saving.isMoving") is True
    page.clock.run_for(29)
    assert page.evaluate("told()") == []
    page.clock.run_for(1)
    page.wait_for_function("calls.length === 4")
    assert page.evaluate("told()") == [
        ["Pace.remember", 4], ["Rest.judged", 4], ["panel.ignoredSoFar"], ["panel.confirm", "One", judgment, "g"],
    ]  # fmt: skip


def after_judging(page: Page, action: str) -> list[Any]:
    """What is asked of the parts by a judgment until it is confirmed, without what is only read."""
    calls = does(page, action)
    page.clock.run_for(30)
    page.wait_for_function("calls.some(([name]) => name === 'Pace.remember')")
    return [*calls, *page.evaluate("told()")]


def test_where_a_judgment_leads_depends_on_what_it_is_and_what_is_preferred(page: Page) -> None:
    for action, changes, opened in (
        ("judge.judge('grade', 1, 'key')", "", ["d2"]),
        ("judge.judge('grade', 1, 'key')", "preferred.stay = true", ["d1"]),
        ("judge.judge('cleared', null, 'key')", "", ["d1"]),
        ("judge.judge('grade', 1, 'key')", "parts.Reader.wanted = 'd5'", []),
    ):
        page.evaluate(f"void (preferred.stay = false, show('d1'), {changes or 'null'})")
        calls = after_judging(page, f"void {action}")
        assert [call[1] for call in calls if call[0] == "Reader.open"] == opened
        rested = [call for call in calls if call[0] == "Rest.judged"]
        assert rested == ([] if "cleared" in action else [["Rest.judged", 4]])


def test_with_a_way_back_to_the_cards_it_is_taken_once_the_judgment_is_kept_or_the_document_postponed(
    page: Page,
) -> None:
    page.evaluate("void (fields.WayBack.isOpen = true)")
    for action, changes, taken in (
        ("judge.judge('grade', 1, 'key')", "", True),
        ("judge.judge('grade', 1, 'key')", "preferred.stay = true", False),
        ("judge.judge('cleared', null, 'key')", "", False),
    ):
        page.evaluate(f"void (preferred.stay = false, show('d1'), {changes or 'null'})")
        calls = [call for call in after_judging(page, f"void {action}") if call[0] != "Queue.item"]
        names = [name for name, *_ in calls]
        assert ("WayBack.take" in names, "Reader.open" in names) == (taken, not taken)
        assert not taken or names.index("Outbox.add") < names.index("Rest.judged") < names.index(
            "WayBack.take"
        )
    page.evaluate("void (preferred.stay = false, show('d1'), answers['Later.toggle'] = true)")
    assert does(page, "judge.putOff()")[-1] == ["WayBack.take", "d1"]


def test_a_reason_stands_in_the_note_and_what_is_no_grade_keeps_its_note(page: Page) -> None:
    comment = """([kind, reason, before]) => {
        show("d1");
        items.d1 = { document_id: "d1", kind: before };
        told();
        void judge.judge(kind, null, "key", null, reason);
        const calls = told();
        const noted = calls.filter(([name]) => name === "CannotTell.note").map(([, ...all]) => all);
        const [, judgment, unsent] = calls.find(([name]) => name === "Outbox.add");
        return [judgment.comment, noted, unsent];
    }"""
    assert page.evaluate(comment, ["can't tell", "Not my language", None]) == [
        "Not my language, note", [["Not my language", "note", False]], None,
    ]  # fmt: skip
    assert page.evaluate(comment, ["can't tell", None, None]) == ["note", [], None]
    assert page.evaluate(comment, ["grade", None, "can't tell"]) == [", note", [["", "note", True]], None]


def test_what_cannot_be_judged_is_said_and_nothing_is_kept(page: Page) -> None:
    judging_it = "judge.judge('grade', 1, 'key')"
    for before, words in (
        ("null", "Ignored: no document yet"),
        ("judge.finished = true", "Topic complete"),
        ("(show('d1'), parts.Saving.isLeaving = true)", "Topic complete"),
        (
            "(parts.Saving.isLeaving = false, show('d1', { state: 'missing' }))",
            "No text: this document cannot be judged",
        ),
        ("(show('d1'), data.shut = true)", "Not stored: the topic is not yours, or closed"),
        ("(data.shut = false, answers.excessOf = 1)", "Not stored: the note is too long"),
    ):
        page.evaluate(f"void ({before})")
        calls = does(page, judging_it)
        assert calls[-1] == ["panel.showIgnored", words]
        assert "Outbox.add" not in [call[0] for call in calls]


def test_a_key_that_was_dropped_meanwhile_is_seen_in_place_of_the_judgment(page: Page) -> None:
    page.evaluate("void (show('d1', { title: '' }), 0)")
    assert after_judging(page, "void judge.judge('grade', 1, 'key')")[-1][:2] == ["panel.confirm", "d1"]
    page.evaluate("void (show('d1'), window.dropped = 0, answers['panel.ignoredSoFar'] = () => dropped++)")
    assert after_judging(page, "void judge.judge('grade', 1, 'key')")[-1] == ["panel.ignoredSoFar"]


def test_who_cannot_tell_is_asked_why_for_the_document_that_was_on_the_screen(page: Page) -> None:
    kinds = """async () => {
        told();
        await judge.cannotTell("click");
        const heard = told().filter(([name]) => ["Outbox.add", "CannotTell.ask", "panel.showIgnored"].includes(name));
        const short = ({ kind, grade, comment, input, same_as }) => [kind, grade, comment, input, same_as];
        return heard.map(([name, one]) => (name === "Outbox.add" ? short(one) : [name, one].slice(0, one ? 2 : 1)));
    }"""
    asked, sent = ["CannotTell.ask"], ["can't tell", None, "Why, note", "click", None]
    assert page.evaluate(kinds) == [["panel.showIgnored", "Ignored: no document yet"]]
    page.evaluate("void (show('d1'), answers['CannotTell.ask'] = 'Why')")
    assert page.evaluate(kinds) == [asked, sent]
    page.evaluate("void (show('d1'), answers['CannotTell.ask'] = () => null)")
    assert page.evaluate(kinds) == [asked]
    page.evaluate("void (show('d1'), answers['CannotTell.ask'] = () => (parts.Reader.shown = {}, 'Why'))")
    assert page.evaluate(kinds) == [asked, ["panel.showIgnored", "Not stored: the document was shown again"]]
    page.evaluate("void show('d1', { state: 'missing' })")
    assert page.evaluate(kinds) == [["panel.showIgnored", "No text: this document cannot be judged"]]
    page.evaluate("void (show('d1'), data.shut = true)")
    assert page.evaluate(kinds) == [["panel.showIgnored", "Not stored: the topic is not yours, or closed"]]


def sent(page: Page, action: str) -> list[Any]:
    """Kind, grade, input and near duplicate of what was kept by this, or what was said."""
    found: list[Any] = page.evaluate(f"""() => {{
        told();
        {action};
        return told().filter(([name]) => name === "Outbox.add" || name === "panel.say")
            .map(([, one]) => one.kind ? [one.kind, one.grade, one.input, one.same_as] : one);
    }}""")
    return found


def test_the_grade_of_a_near_duplicate_is_given_by_a_key_or_a_click(page: Page) -> None:
    page.evaluate("void show('d1')")
    assert sent(page, "judge.sameAsBefore('key')") == []
    page.evaluate("void (answers['Twins.offered'] = { kind: 'grade', grade: 2, document_id: 'd8' })")
    assert sent(page, "judge.sameAsBefore('key')") == [["grade", 2, "same", "d8"]]
    assert sent(page, "judge.sameAsBefore('touch')") == [["grade", 2, "touch", "d8"]]


def test_only_a_judgment_of_mine_is_cleared_or_sent_again_with_its_remarks(page: Page) -> None:
    assert page.evaluate("judge.mine()") is None
    page.evaluate("void show('d1')")
    assert sent(page, "judge.clear('key')") == ["Nothing to clear"]
    assert sent(page, "judge.keepRemarks('key')") == []
    page.evaluate("void (items.d1 = { document_id: 'd1', state: 'mine', kind: 'grade', grade: 2 })")
    assert sent(page, "judge.clear('key')") == [["cleared", None, "key", None]]
    assert sent(page, "judge.keepRemarks('click')") == [["grade", 2, "click", None]]


def test_an_open_document_is_postponed_and_the_next_one_comes(page: Page) -> None:
    after = "Postponed until the end"
    put_off = """() => {
        told();
        judge.putOff();
        const heard = ["panel.say", "Reader.open", "panel.showMine", "Later.toggle"];
        return told().filter(([name]) => heard.includes(name)).map(([, one]) => one);
    }"""
    assert page.evaluate(put_off) == []
    item = {"document_id": "d1", "state": "open"}
    page.evaluate("void (show('d1'), answers['Later.toggle'] = true)")
    assert page.evaluate(put_off) == ["d1", after, "d2"]
    page.evaluate("void (preferred.stay = true)")
    assert page.evaluate(put_off) == ["d1", after, item]
    page.evaluate("void (preferred.stay = false, answers['Queue.nextOpen'] = ['d1'])")
    assert page.evaluate(put_off) == ["d1", "Postponed, but no other document is open", item]
    page.evaluate("void (answers['Later.toggle'] = false, answers['Queue.nextOpen'] = ['d2'])")
    assert page.evaluate(put_off) == ["d1", "No longer postponed", item]
    page.evaluate("void (items.d1.state = 'mine')")
    assert page.evaluate(put_off) == ["Only documents not yet judged can be postponed"]
    page.evaluate("void (data.norming = 3)")
    assert page.evaluate(put_off) == ["Documents cannot be postponed in a norming session"]


def test_a_frame_that_has_its_document_hears_keys_and_is_watched(page: Page) -> None:
    page.evaluate(
        "void (window.inside = document.body.appendChild(document.createElement('iframe')).contentWindow)"
    )
    calls = page.evaluate("(told(), given.Viewer[2](inside), told().map(([name]) => name))")
    assert calls == ["Preferences.dress", "Pace.watch", "Hits.watch", "Folds.watch"]
    assert page.evaluate("(inside.document.dispatchEvent(new KeyboardEvent('keydown')), told())") == [["key"]]


def test_a_click_is_heard_and_a_dialog_that_closes_gives_its_focus_to_the_document(page: Page) -> None:
    page.evaluate("document.body.click()")
    assert page.evaluate("told()")[0][0] == "InputHandler.clicked"
    close = "document.querySelector('#preferences').dispatchEvent(new Event('close'))"
    focus = [["isBusy"], ["Viewer.focus"]]
    assert does(page, close) == focus
    page.evaluate("(document.querySelector('#preferences').show(), document.querySelector('#wish').focus())")
    assert does(page, close) == focus
    page.evaluate("void (answers.isBusy = true)")
    assert does(page, close) == [["isBusy"]]
    assert does(page, "document.querySelector('#other').dispatchEvent(new Event('close'))") == []


def test_a_judgment_is_of_this_page_by_its_topic_document_and_norming_session(page: Page) -> None:
    here = "([norming, one]) => { data.norming = norming; return judge.isHere(one); }"
    for norming, topic, document, of_session, is_here in (
        (None, "t 1", "d1", None, True),
        (None, "t 2", "d1", None, False),
        (None, "t 1", "elsewhere", None, False),
        (3, "t 1", "d1", 3, True),
        (3, "t 1", "d1", None, False),
        (None, "t 1", "d1", 3, False),
    ):
        judgment = {
            "topic_id": topic,
            "document_id": document,
            **({"norming": of_session} if of_session else {}),
        }
        assert page.evaluate(here, [norming, judgment]) is is_here


def test_a_downloaded_page_begins_once_its_copy_is_there(page_of: PageOf) -> None:
    page = page_of(HTML)
    page.route("**/static/**", stand_in)
    page.evaluate(PARTS)
    page.evaluate("""async () => {
        answers["OfflineState.ready"] = new Promise((done) => (window.copied = done));
        fields.OfflineState.downloaded = true;
        await import("/static/judging/judge.js");
        for (let at = 0; at < 20; at++) await null;
    }""")
    assert page.evaluate("told().map(([name]) => name)") == [
        "watchNotices", "keyListener", "Outbox.ready", "countJudgedEarlier", "Undo.arrive", "OfflineState.ready",
    ]  # fmt: skip
    page.evaluate("copied()")
    page.wait_for_function("calls.some(([name]) => name === 'Outbox.run')")
