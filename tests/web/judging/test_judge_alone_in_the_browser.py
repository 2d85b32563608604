"""What the judging page asks of its parts around a document, by itself, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf
from tests.web.judging.judge_parts import does, judging

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return judging(page_of)[0]


AROUND = [["panel.showMine", None, "g"], ["panel.allowPostponing", False], ["Twins.show", None]]


def test_the_page_begins_with_the_next_open_document(page_of: PageOf) -> None:
    _, calls = judging(page_of)
    assert [call for call in calls if call[0] != "Preferences.get"] == [
        ["watchNotices"],
        ["keyListener", "fn"], ["Outbox.ready"], ["countJudgedEarlier", "judge"], ["Undo.arrive"],
        ["OfflineState.ready"], ["panel.fitScreen"], ["moveAmong", "#grades"], ["Saving.show"], *AROUND,
        ["Queue.nextOpen", None], ["Reader.open", "d2"], ["MoreDocuments.begin"], ["Outbox.run"],
    ]  # fmt: skip


def test_the_page_begins_with_what_is_preferred_of_the_opening_of_documents(page_of: PageOf) -> None:
    for opening, is_passage in (("passage", True), ("top", False)):
        page, _ = judging(page_of, before=f"preferred.opening = '{opening}'")
        assert page.evaluate("parts.Hits.opensPassage") is is_passage


def test_an_address_can_ask_for_a_document_and_for_the_tour(page_of: PageOf) -> None:
    _, calls = judging(page_of, address="/?document=d5&tour")
    assert [call for call in calls if call[0] in ("Tour.start", "Reader.open")] == [
        ["Tour.start"],
        ["Reader.open", "d5"],
    ]
    _, calls = judging(page_of, address="/?document=elsewhere")
    assert [call for call in calls if call[0].startswith(("Tour", "Reader"))] == [
        ["Reader.close", "not here"]
    ]


def test_the_parts_are_of_this_campaign_account_and_topic(page_of: PageOf) -> None:
    for norming, of_topic in ((None, "c%2Fd:Ben%20B:t%201"), (3, "c%2Fd:Ben%20B:t%201:norming 3")):
        page, _ = judging(page_of, before=f"data.norming = {norming or 'null'};")
        made = {name: all_ for name, *all_ in page.evaluate("made")}
        assert [made[name] for name in ("Pace", "Queue", "Undo", "Preferences", "Rest", "Keyboard", "Tour")] == [
            ["c%2Fd:Ben%20B"], [["q"], "judge"], ["judge"], ["p", "Ben B", "fn"],
            ["c%2Fd:Ben%20B", "b", "Preferences", "fn"], ["#keyboard", "acts", "Preferences"], ["Keyboard"],
        ]  # fmt: skip
        assert [made[name] for name in ("CannotTell", "Viewer", "Hits", "Folds", "Find", "Remarks", "Twins")] == [
            ["why", "fn"], ["#document", "#stage", "fn", "fn"], ["Viewer", "fn"], [of_topic, "Viewer", "fn"],
            ["Viewer", "Hits"], [of_topic, "Viewer", "Hits", "fn"], ["Queue", "g"],
        ]  # fmt: skip
        assert [made[name][0] for name in ("Later", "Answers", "OfflineState", "InputHandler")] == [
            of_topic, "judge", "judge", "judge",
        ]  # fmt: skip
        assert made["PreferencesDialog"] == ["#preferences", "Preferences"]
        assert [made["Later"][2], made["MoreDocuments"][1], made["Reader"][:3]] == [
            "Queue",
            "Queue",
            ["Viewer", "Queue", "Texts"],
        ]
        assert made["Saving"][0] == "Outbox"


def test_what_the_parts_report_is_handed_on(page: Page) -> None:
    for reported, calls in (
        ("given.Rest[3]()", [["Pace.start"]]),
        ("given.keyListener[0]('x')", [["InputHandler.actionOf", "x"]]),
        ("given.Viewer[3]('/d1')", [["Reader.held", "/d1"]]),
        ("given.Texts[2]()", [["Queue.counts"], ["panel.showReady", 3, 7]]),
        ("parts.Viewer.onsigns[0]()", [["Pace.tick"]]),
        ("given.Terms[1]()", [["Hits.keepPlace"], ["Reader.again"]]),
        ("given.Terms[2]()", [["Viewer.focus"]]),
        ("given.Outbox[1]('j')", [["Answers.post", "j"]]),
        ("given.Outbox[2].onchange()", [["Saving.show"]]),
        ("given.Outbox[2].onstored(1, 2)", [["Answers.stored", 1, 2]]),
        ("given.Outbox[2].onrenewed(1, 2)", [["Answers.renewed", 1, 2]]),
        ("given.Outbox[2].ondiscarded(1)", [["Answers.discarded", 1]]),
        ("given.Saving[2].discarded(1)", [["Answers.discarded", 1]]),
        ("given.Saving[2].look(1)", [["Answers.lookAgain", 1]]),
        ("given.Saving[2].signedIn()", [["Reader.retry"], ["Preferences.send"], ["Later.send"]]),
        ("given.Reader[4].onleave('d2')", [["Folds.leave"], ["Find.leave"], ["Remarks.leave", "d2"]]),
        ("given.Reader[4].onwanted()", AROUND),
        ("given.Reader[4].onsignedout()", [["Saving.signedOut"]]),
        ("given.Reader[4].onfailed()", [["Hits.map.show", []], ["panel.allowJudging", False]]),
        ("document.dispatchEvent(new KeyboardEvent('keydown'))", [["key"]]),
    ):
        assert does(page, reported) == calls, reported
    assert page.evaluate("[given.CannotTell[1]('x'), given.Saving[2].isKept()]") == ["cannot tell", True]
    assert page.evaluate("(told(), given.Texts[1](), told())") == [["Preferences.get", "ahead"]]


def test_a_document_that_came_can_be_judged_unless_it_is_missing_or_the_topic_is_shut(page: Page) -> None:
    came = [["Pace.start"], ["Saving.documentCame"], ["Hits.arrived"], ["Remarks.mark"]]
    for shut, state, may in ((False, "shown", True), (False, "missing", False), (True, "shown", False)):
        page.evaluate(f"void (data.shut = {str(shut).lower()})")
        shown = {"state": state}
        assert does(page, f"given.Reader[4].onshown({{ state: '{state}' }})") == [
            *came, ["Terms.count", shown], ["panel.allowJudging", may],
        ]  # fmt: skip


def test_the_server_s_word_on_my_judgment_counts_unless_a_newer_one_is_here(page: Page) -> None:
    opened = """([item, mine]) => {
        items.d1 = { document_id: "d1", ...item };
        judge.finished = true;
        told();
        given.Reader[4].onopen({ document_id: "d1", mine });
        const calls = told().filter(([name]) => name === "Answers.judgedElsewhere").length;
        return [calls, items.d1.comment ?? "", items.d1.rationales ?? "", judge.finished];
    }"""
    mine = {"seq": 5, "kind": "grade", "comment": "why", "rationales": "r"}
    for item, word, found in (
        ({"seq": 4}, mine, [1, "", "", False]),
        ({}, mine, [1, "", "", False]),
        ({}, {**mine, "seq": 1}, [1, "", "", False]),
        ({}, {**mine, "seq": 0}, [0, "", "", False]),
        ({"seq": 5}, mine, [0, "why", "r", False]),
        ({"seq": 6}, mine, [0, "", "", False]),
        ({"seq": 4, "uuid": "u"}, mine, [0, "", "", False]),
        ({"seq": 5, "uuid": "u"}, mine, [0, "", "", False]),
        ({"seq": 5}, {**mine, "kind": "cleared"}, [0, "", "", False]),
        ({"seq": 5}, None, [0, "", "", False]),
    ):
        assert page.evaluate(opened, [item, word]) == found
    assert does(page, "given.Reader[4].onopen({ document_id: 'd4', mine: null })") == [
        ["Folds.open", "d4"], ["Hits.open", {"document_id": "d4", "mine": None}],
        ["Remarks.show", {"document_id": "d4", "state": "open"}], ["Twins.show", {"document_id": "d4", "mine": None}],
    ]  # fmt: skip


def test_where_no_document_is_open_the_page_waits_or_is_finished(page: Page) -> None:
    instead = [["panel.allowJudging", False], ["Remarks.show", None], ["Hits.map.show", []], *AROUND]
    page.evaluate("void (answers['Queue.nextOpen'] = [], parts.MoreDocuments.areAwaited = true)")
    assert does(page, "judge.next('d1')") == [["Reader.close", "awaited"], *instead]
    page.evaluate("void (parts.MoreDocuments.areAwaited = false)")
    assert does(page, "given.MoreDocuments[2]()") == [
        ["Reader.close", "finished"], *instead, ["Keyboard.labelPage"], ["Viewer.focus"],
    ]  # fmt: skip
    assert page.evaluate("judge.finished") is True
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<p class=finished><a class=button href=/x id=go></a>')"
    )
    assert does(page, "judge.finish()")[-1] == ["Keyboard.labelPage"]
    assert page.evaluate("document.activeElement.id") == "go"
    page.evaluate("void (parts.Reader.wanted = 'd1')")
    assert does(page, "given.MoreDocuments[2]()")[0][0] == "panel.showMine"


def test_one_looks_at_neighbours_and_goes_back_as_far_as_there_are_any(page: Page) -> None:
    page.evaluate("void (show('d1'), answers['Queue.neighbour'] = 'd2')")
    assert does(page, "judge.look(1)") == [["Queue.neighbour", "d1", 1], ["Reader.open", "d2"]]
    assert page.evaluate("parts.Queue.undone") == 0
    page.evaluate("void (answers['Queue.neighbour'] = undefined)")
    assert does(page, "judge.look(1)")[1:] == [["panel.say", "This is the last document"]]
    assert does(page, "judge.look(-1)")[1:] == [["panel.say", "This is the first document"]]
    page.evaluate("void (answers['Undo.back'] = 'd7')")
    assert does(page, "judge.undo()") == [["Undo.back", "d1"], ["Reader.open", "d7"]]
    page.evaluate("void (answers['Undo.back'] = null)")
    assert does(page, "judge.undo()") == [["Undo.back", "d1"]]


def test_a_preference_is_put_into_effect(page: Page) -> None:
    page.evaluate("void (parts.Viewer.frames.set('d1', { frame: { contentDocument: 'inside' } }))")
    for name, value, calls in (
        ("stay", "true", [["panel.say", "Stay after grading: on"]]),
        ("stay", "false", [["panel.say", "Stay after grading: off"]]),
        ("size", "20", [["Preferences.dress", "inside"]]),
        ("face", "'serif'", [["Preferences.dress", "inside"]]),
        ("opening", "'passage'", []),
    ):
        assert does(page, f"(preferred.{name} = {value}, given.Preferences[2]('{name}'))") == calls
    assert page.evaluate("parts.Hits.opensPassage") is True
    page.evaluate("(preferred.opening = 'top', given.Preferences[2]('size'))")
    assert page.evaluate("parts.Hits.opensPassage") is True
    page.evaluate("given.Preferences[2]('opening')")
    assert page.evaluate("parts.Hits.opensPassage") is False


def test_what_stands_around_is_drawn_after_the_document(page: Page) -> None:
    page.evaluate(
        "void (show('d1'), answers['Reader.known'] = (id) => id === 'd1' ? { title: 'One' } : undefined)"
    )
    item = {"document_id": "d1", "state": "open"}
    assert does(page, "judge.showAround()") == [
        ["panel.showMine", item, "g"], ["panel.allowPostponing", True], ["Reader.known", "d1"],
        ["Twins.show", {"title": "One"}],
    ]  # fmt: skip
    page.evaluate("void (judge.showAround(), answers['Pace.timeLeft'] = 99, told())")
    page.clock.run_for(29)
    assert page.evaluate("told()") == []
    page.clock.run_for(1)
    assert page.evaluate("told()") == [
        ["Queue.counts"], ["Pace.timeLeft", 7], ["panel.showProgress", "Queue", 99], ["Queue.counts"],
        ["panel.showReady", 3, 7], ["panel.showLastJudged", "Queue", "g", "fn", "fn"],
    ]  # fmt: skip
    for changed in ("items.d1.state = 'mine'", "items.d1.state = 'open', data.norming = 3"):
        assert does(page, f"({changed}, judge.showAround())")[1] == ["panel.allowPostponing", False]
    assert page.evaluate("['d1', 'd9', 'd3'].map((id) => judge.titleOf(id))") == ["One", "Nine", "d3"]
