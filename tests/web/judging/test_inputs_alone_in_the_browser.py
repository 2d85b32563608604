"""What keys and buttons do on the judging pages, by themselves, without a server."""

from __future__ import annotations

import pytest

from tests.fixture_types import PageOf
from workbench.web.judging.keys import ACTIONS, legend

pytestmark = [pytest.mark.browser, pytest.mark.slow]

INPUT = """async (kind) => {
    window.calls = [];
    const note = (name) => (...more) => void calls.push([name, ...more.map((one) => one?.name ?? one)]);
    const members = (names) => Object.fromEntries(names.split(" ").map((name) => [name, note(name)]));
    const map = new Map(Object.entries({ 1: "grade 1", n: "next", x: "no action", "/": "find" }));
    window.page = { ...members("judge cannotTell putOff undo clear look sameAsBefore onScreen keepRemarks choose"),
        keyboard: { map }, data: { grades: [{ grade: 0 }, { grade: 1 }], history_url: "#history" },
        reader: { shown: {} }, remarks: members("focus keepSelection"), hits: members("jump toggleWhole"),
        folds: members("toggle"), find: { isOpen: false, ...members("open close") }, tour: members("start"),
        wayBack: { isOpen: false, ...members("leave") },
        preferences: { stay: false, size: 16, set: note("set"), get(name) { return this[name]; } },
        stage: { current: null, cards: [] } };
    const { InputHandler } = await import("/static/judging/input.js");
    const { CardInputHandler } = await import("/static/judging/card_input.js");
    window.input = kind === "cards" ? new CardInputHandler(page) : new InputHandler(page);
    document.addEventListener("click", (event) => input.clicked(event));
    window.told = () => calls.splice(0).map((one) => one.join(" "));
    window.key = (name) => {
        const action = input.actionOf(name);
        action?.();
        return [action !== undefined, told().join()];
    };
    window.does = (action) => {
        input.actions.get(action)("button");
        return told().join();
    };
    window.click = (id, detail = 1) => {
        document.getElementById(id).dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
        return told().join();
    };
    window.said = () => {
        const { textContent } = document.querySelector("#said");
        document.querySelector("#said").textContent = "";
        return textContent;
    };
}"""
BUTTONS = """<p id=said></p><button data-grade=1 id=one><b id=inside>1</b></button>
<button data-action=next id=next></button><button data-action=undo id=undo></button><button id=bare></button>
<p id=text></p>
<ol><li class=card id=card><i id=words></i><a id=link href=#alone></a></li><li class=card id=other></li></ol>
<dialog id=keys></dialog><dialog id=guidelines></dialog><dialog id=preferences></dialog>"""
BOTH = {
    "cannot tell": "cannotTell button", "later": "putOff", "undo": "undo", "clear": "clear button",
    "previous": "look -1", "next": "look 1", "stay": "set stay true", "larger": "set size 17", "smaller": "set size 15",
}  # fmt: skip
OF_ONE = {
    "same as before": "sameAsBefore button", "rationale": "keepSelection", "keep remarks": "keepRemarks button",
    "next hit": "jump 1", "previous hit": "jump -1", "whole": "toggleWhole", "folds": "toggle", "note": "focus",
    "find": "open",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "more"), [("one", OF_ONE), ("cards", {})])
def test_every_action_does_what_it_is_named_after(page_of: PageOf, kind: str, more: dict[str, str]) -> None:
    page = page_of(BUTTONS)
    page.evaluate(INPUT, kind)
    for action, told in {**BOTH, **more}.items():
        assert (action, page.evaluate("(action) => does(action)", action)) == (action, told)
    opened = "[...document.querySelectorAll('dialog[open]')].map(({ id }) => id).join()"
    for dialog in ("guidelines", "preferences", "keys"):
        assert page.evaluate(f"(does('{dialog}'), {opened})") == dialog
    assert page.evaluate(f"[does('tour'), {opened}]") == ["start", ""]
    assert page.evaluate("(does('history'), location.hash)") == "#history"
    assert set(page.evaluate("[...input.actions.keys()]")) == {
        *BOTH, *more, "guidelines", "history", "keys", "preferences", "tour", "whole",
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["one", "cards"])
def test_the_list_of_keys_has_what_its_page_does(page_of: PageOf, kind: str) -> None:
    page = page_of(BUTTONS)
    page.evaluate(INPUT, kind)
    listed = {row["name"] for row in legend([], on_cards=kind == "cards") if not row["unlisted"]}
    names = {action.name for action in ACTIONS}
    assert listed == names & set(page.evaluate("[...input.actions.keys()]"))


def test_without_a_document_nothing_is_done_within_it_and_it_is_said_why(page_of: PageOf) -> None:
    page = page_of(BUTTONS)
    page.evaluate(INPUT, "one")
    page.evaluate("void (page.reader.shown = null)")
    within = ["note", "rationale", "next hit", "previous hit", "whole", "folds", "find"]
    assert page.evaluate("(within) => within.map(does)", within) == ["onScreen"] * 7


@pytest.mark.parametrize("kind", ["one", "cards"])
def test_a_key_means_a_grade_an_action_or_nothing(page_of: PageOf, kind: str) -> None:
    page = page_of(BUTTONS)
    page.evaluate(INPUT, kind)
    assert page.evaluate("[key('1'), key('n'), key('x'), key('q')]") == [
        [True, "judge grade 1 key"], [True, "look 1"], [False, ""], [False, ""],
    ]  # fmt: skip
    assert page.evaluate("[key('7'), said(), key('77'), said()]") == [
        [True, ""], "7 is not a grade of this campaign", [False, ""], "",
    ]  # fmt: skip
    assert page.evaluate("[click('inside'), click('next'), click('undo'), click('bare'), click('text')]") == [
        "judge grade 1 button", "look 1", "undo", "", "",
    ]  # fmt: skip


def test_escape_closes_the_box_for_finding_while_it_is_open_and_else_leads_back_to_the_cards(
    page_of: PageOf,
) -> None:
    page = page_of(BUTTONS)
    page.evaluate(INPUT, "one")
    assert page.evaluate("key('Escape')") == [False, ""]
    page.evaluate("void (page.find.isOpen = true)")
    assert page.evaluate("[key('Escape'), key('n')]") == [[True, "close"], [True, "look 1"]]
    page.evaluate("void (page.wayBack.isOpen = true)")
    assert page.evaluate("key('Escape')") == [True, "close"]
    page.evaluate("void (page.find.isOpen = false)")
    assert page.evaluate("key('Escape')") == [True, "leave"]


@pytest.mark.parametrize("kind", ["one", "cards"])
def test_the_second_click_of_a_double_click_counts_only_for_what_is_done_again(
    page_of: PageOf, kind: str
) -> None:
    page = page_of(BUTTONS)
    page.evaluate(INPUT, kind)
    assert page.evaluate("[click('one', 2), said()]") == ["", "Second click ignored"]
    assert page.evaluate("[click('undo', 2), said()]") == ["", "Second click ignored"]
    assert page.evaluate("[click('bare', 2), said()]") == ["", ""]
    for action in ("next", "previous", "larger", "smaller", *(["next hit"] if kind == "one" else [])):
        page.evaluate(f"document.querySelector('#next').dataset.action = '{action}'")
        assert page.evaluate("[click('next', 2) !== '', said()]") == [True, ""]


def test_a_click_on_a_card_chooses_it_and_one_on_its_link_does_not(page_of: PageOf) -> None:
    page = page_of(BUTTONS)
    page.evaluate(INPUT, "cards")
    page.evaluate("page.stage.cards.push({ name: 'first', place: document.querySelector('#card') })")
    assert page.evaluate("[click('words'), click('link'), click('other')]") == ["choose first", "", ""]
    assert page.evaluate("(does('whole'), location.hash)") == "#alone"
    page.evaluate("void (page.stage.current = { alone: '#of-this-card' })")
    assert page.evaluate("(does('whole'), location.hash)") == "#of-this-card"
