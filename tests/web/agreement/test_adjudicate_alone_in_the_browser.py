"""The page of a conflict with its keys, by itself, without a server."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf
from tests.web.agreement.server_of_decisions import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RIVER = {"account": "Wilma", "text_hash": "h"}


def document(shown: dict[str, str] = RIVER, head: str = "<title>The river</title>") -> str:
    """What the frame has: a document that says what it is of, and who it is for."""
    return f"""<meta name=shown content='{json.dumps(shown)}'>{head}<p data-field=text>The river froze.</p>
    <div style='height: 3000px'></div>"""


def quote(start: int, text: str) -> str:
    rationale = {"field": "text", "start": start, "end": start + len(text), "text": text}
    return f"<li data-mark=1 data-voice='Assessor A' data-rationale='{json.dumps(rationale)}'></li>"


QUOTES = quote(4, "river") + quote(10, "froze")
PAGE = """<meta name=csrf-token content=t><meta name=session-url content=/session>
<p id=trouble hidden><span id=trouble-words></span> <a id=trouble-way href=/pair></a></p>
<p id=sending hidden><span id=sending-words></span> <button type=button id=sending-way hidden></button></p>
<form method=post action=/decide id=undo><input type=hidden name=csrf_token value=t>
<input type=hidden name=undo value=4><input type=hidden name=uuid value=u2><button>Undo</button></form>
<form method=get id=search></form><dialog><form method=post id=inner></form></dialog>
<div id=stage tabindex=-1><iframe id=frame {frame}></iframe></div>
<details class=topic open><summary>frozen rivers</summary></details>
<section id=blinded-grades>{way}<ul>{quotes}</ul></section>
<form id=decide method=post action=/decide data-account=Wilma data-campaign="a b">
<input type=hidden name=csrf_token value=t><input type=hidden name=uuid value=u1><input type=hidden name=log value=l>
<input type=hidden name=topic value=1>
<input type=hidden name=document value=d1><input type=hidden name=text_hash value=h><input type=hidden name=seconds>
<input type=hidden name=input><button class=grade name=grade value=1 data-key=1 aria-pressed=true>
<b class=grade-name>Relevant</b></button>
<button class=grade name=grade value=0 data-key=0>no</button>
<a data-key=j href="#next">Next</a></form>
<textarea id=note name=comment form=decide data-longest=1200>{note}</textarea>"""

BEGIN = """async () => {
    window.calls = [];
    window.hidden ??= false;
    Object.defineProperty(document, "hidden", { get: () => hidden });
    window.say = (id) => document.getElementById(id);
    say("frame").focus = (options) => void calls.push(["frame", options]);
    for (const id of ["trouble", "sending"]) say(id).scrollIntoView = (options) => void calls.push([id, options]);
    window.told = () => calls.splice(0);
    const words = (...ids) => ids.map((id) => say(id).textContent).join(" ");
    window.trouble = () => (say("trouble").hidden ? "" : words("trouble-words", "trouble-way"));
    window.sending = () => say("sending").hidden ? "" : [say("sending-words").textContent, say("sending").dataset.state,
        say("sending-way").hidden ? "" : say("sending-way").textContent].join("|");
    window.kept = () => Object.entries(localStorage).filter(([name]) => name.includes("note"));
    window.turn = (isHidden) => { hidden = isHidden; document.dispatchEvent(new Event("visibilitychange")); };
    window.prevented = (target, event) => { target.dispatchEvent(event); return event.defaultPrevented; };
    window.marked = () => [...(say("frame").contentWindow.CSS.highlights.get("voice-now") ?? [])].join();
    window.old = true;
    await import("/static/agreement/adjudicate.js");
}"""
KEPT = 'workbench:adjudication-note:a%20b:Wilma:["1","d1"]'
WAY = "<button id=next-reason hidden>Next rationale</button>"


def shown(
    page_of: PageOf,
    inside: str | None = None,
    note: str = "",
    quotes: str = QUOTES,
    way: str = WAY,
    before: str = "",
    **options: Any,
) -> tuple[Page, Server]:
    """The page of a conflict that has just been loaded, with what the frame has (the river, if nothing is said)."""
    frame = f'srcdoc="{html.escape(document() if inside is None else inside)}"' if inside != "" else ""
    page = page_of(PAGE.format(frame=frame, note=note, quotes=quotes, way=way), **options)
    if before:
        page.evaluate(before)
    server = Server(page)
    page.evaluate(BEGIN)
    return page, server


def ready(page_of: PageOf, **options: Any) -> tuple[Page, Server]:
    """The page of a conflict once it can be settled."""
    page, server = shown(page_of, **options)
    page.clock.run_for(250)
    page.evaluate("told()")
    return page, server


def sent(server: Server, page: Page, number: int) -> dict[str, str]:
    """The fields of the last decision, once so many were sent."""
    for _ in range(500):
        if len(server.sent) < number:
            page.wait_for_timeout(10)
    assert len(server.sent) == number
    return dict(field.split("=") for field in server.sent[-1].split("&"))


def test_nothing_is_decided_before_the_document_was_there_for_a_moment(page_of: PageOf) -> None:
    page, server = shown(page_of)
    assert page.evaluate("[told(), trouble(), say('frame').title]") == [
        [["frame", {"preventScroll": True}]], "", "The river",
    ]  # fmt: skip
    page.keyboard.press("1")
    page.clock.run_for(249)
    page.keyboard.press("1")
    assert page.evaluate("say('decide').dataset.ready ?? 'no'") == "no"
    page.clock.run_for(1)
    assert page.evaluate("[say('decide').dataset.ready, sending()]") == ["yes", ""]
    assert server.sent == []
    page.keyboard.press("0")
    assert sent(server, page, 1)["grade"] == "0"


def test_a_document_that_comes_later_is_awaited(page_of: PageOf) -> None:
    page, _ = shown(page_of, inside="")
    page.clock.run_for(1000)
    assert page.evaluate("[trouble(), told(), say('decide').dataset.ready ?? 'no']") == ["", [], "no"]
    page.evaluate("(text) => void (say('frame').srcdoc = text)", document(head=""))
    page.wait_for_function("say('frame').title === 'Document'")
    page.clock.run_for(250)
    assert page.evaluate("[trouble(), say('decide').dataset.ready]") == ["", "yes"]


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("<p>Bad gateway</p>", "The document could not be loaded."),
        (document({"account": "Ben", "text_hash": "h"}), "Another account is signed in here now."),
        (document({"account": "Wilma", "text_hash": "i"}), "The text has changed."),
    ],
)
def test_a_frame_with_anything_else_is_not_decided_on(page_of: PageOf, inside: str, words: str) -> None:
    page, server = shown(page_of, inside=inside)
    page.clock.run_for(1000)
    page.keyboard.press("1")
    assert page.evaluate("[trouble(), told()]") == [f"{words} Reload", [["trouble", {"block": "nearest"}]]]
    assert (page.evaluate("sending()"), server.sent) == ("", [])


def test_a_decision_is_sent_with_its_key_and_the_seconds_in_sight_and_leads_on(page_of: PageOf) -> None:
    page, server = ready(page_of)
    page.clock.run_for(4250)
    page.evaluate("turn(true)")
    page.clock.run_for(60_000)
    page.evaluate("turn(false)")
    page.clock.run_for(2999)
    page.locator("#note").fill("halfway")
    assert page.evaluate("kept()") == [[KEPT, '"halfway"']]
    assert page.evaluate("prevented(window, new Event('beforeunload', { cancelable: true }))") is False
    page.keyboard.press("Escape")
    assert page.evaluate("told()") == [["frame", {"preventScroll": True}]]
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("0")
    assert sent(server, page, 1) == {
        "uuid": "u1", "log": "l", "topic": "1", "document": "d1", "text_hash": "h", "seconds": "7", "input": "key",
        "comment": "halfway", "grade": "0",
    }  # fmt: skip
    pressed = "[...document.querySelectorAll('.grade')].map((one) => one.getAttribute('aria-pressed'))"
    assert page.evaluate(f"[say('decide').elements.input.value, {pressed}]") == ["", [None, "true"]]
    assert page.evaluate("prevented(window, new Event('beforeunload', { cancelable: true }))") is True
    page.clock.run_for(399)
    assert page.evaluate("sending()") == ""
    page.clock.run_for(1)
    assert page.evaluate("[sending(), told()]") == ["Your decision “0” is being sent …|sending|", []]
    page.keyboard.press("1")
    page.keyboard.press("u")
    page.keyboard.press("j")
    assert (len(server.sent), page.url) == (1, "http://localhost/")
    server.answer(200, {"next": "/c/next"})
    page.wait_for_url("**/c/next")
    assert page.evaluate("localStorage.length") == 0


def test_seconds_before_a_page_was_looked_at_do_not_count(page_of: PageOf) -> None:
    page, server = shown(page_of, before="window.hidden = true")
    page.clock.run_for(60_000)
    page.evaluate("turn(false)")
    page.clock.run_for(3000)
    page.keyboard.press("0")
    assert sent(server, page, 1)["seconds"] == "3"


def test_a_click_is_no_key_and_a_key_of_a_link_follows_it(page_of: PageOf) -> None:
    page, server = ready(page_of)
    page.keyboard.press("j")
    assert page.evaluate("[location.hash, say('decide').elements.input.value]") == ["#next", ""]
    page.clock.fast_forward(2_000_000_000)
    page.locator("[data-key='1']").click()
    fields = sent(server, page, 1)
    assert (fields["input"], fields["grade"], fields["seconds"]) == ("", "1", "999999")
    page.clock.run_for(400)
    assert "Relevant" in page.evaluate("sending()")


def test_keys_in_the_document_count_and_lead_to_the_note_and_the_reasons(page_of: PageOf) -> None:
    page, server = ready(page_of)
    press = "new KeyboardEvent('keydown', { key: 'c', bubbles: true })"
    page.evaluate(f"say('frame').contentDocument.body.dispatchEvent({press})")
    assert page.evaluate("document.activeElement.id") == "note"
    page.evaluate("document.activeElement.blur()")
    assert page.evaluate("say('next-reason').hidden") is False
    found = []
    for key in ("N", "n", "n"):
        page.keyboard.press(f"Shift+{key}" if key == "N" else key)
        found.append(page.evaluate("marked()"))
    page.locator("#next-reason").click()
    assert [*found, page.evaluate("marked()")] == ["froze", "river", "froze", "river"]
    page.keyboard.press("7")
    assert page.evaluate("[location.hash, sending()]") == ["", ""]
    page.keyboard.press("u")
    assert sent(server, page, 1) == {"undo": "4", "uuid": "u2"}
    page.clock.run_for(400)
    assert page.evaluate("sending()") == "The undo is being sent …|sending|"
    page.keyboard.press("u")
    page.evaluate("prevented(say('undo'), new SubmitEvent('submit', { bubbles: true, cancelable: true }))")
    assert len(server.sent) == 1
    page.evaluate('void (localStorage[\'workbench:adjudication-note:a%20b:Wilma:["1","d1"]\'] = \'"kept"\')')
    server.answer(200, {"next": "/c/back"})
    page.wait_for_url("**/c/back")
    assert page.evaluate("Object.values(localStorage)") == ['"kept"']


def test_a_document_without_reasons_has_no_way_to_the_next_one(page_of: PageOf) -> None:
    page, _ = ready(page_of, quotes=quote(0, "no such words"))
    assert page.evaluate("say('next-reason').hidden") is True
    page, _ = ready(page_of, quotes=quote(4, "river"))
    assert page.evaluate("say('next-reason').hidden") is False
    page, _ = ready(page_of, quotes="", way="")
    assert page.evaluate("[trouble(), say('decide').dataset.ready]") == ["", "yes"]


def test_other_forms_of_the_page_are_left_alone(page_of: PageOf) -> None:
    page, server = ready(page_of)
    submit = "(id) => prevented(say(id), new SubmitEvent('submit', { bubbles: true, cancelable: true }))"
    assert [page.evaluate(submit, name) for name in ("search", "inner", "decide")] == [False, False, True]
    assert page.evaluate("sending()") == ""
    assert server.sent == []
    page.keyboard.press("1")
    assert sent(server, page, 1)["uuid"] == "u1"


def test_a_note_waits_over_a_reload_and_one_that_is_too_long_is_said(page_of: PageOf) -> None:
    keep = f"localStorage['{KEPT}'] = '\"from before\"'"
    page, _ = ready(page_of, before=keep)
    assert page.evaluate("say('note').value") == "from before"
    page.locator("#note").fill("")
    assert page.evaluate("kept()") == []
    page.evaluate(
        "say('note').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true }))"
    )
    page.evaluate("say('note').dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))")
    assert page.evaluate("told()") == []
    words = "The reason has 1,201 characters; shorten it to 1,200."
    for text, wrong in (("🌊" * 1200, ""), ("🌊" * 1201, words), ("a", "")):
        page.locator("#note").fill(text)
        assert page.evaluate("say('note').validationMessage") == wrong
    page, _ = ready(page_of, before=keep, note="a" * 1201)
    assert page.evaluate("[say('note').value.length, say('note').validationMessage]") == [1201, words]


def test_who_is_writing_when_the_document_comes_keeps_the_focus(page_of: PageOf) -> None:
    page, _ = shown(page_of, before="document.querySelector('#note').focus()")
    assert page.evaluate("[told(), document.activeElement.id]") == [[], "note"]


def test_on_a_phone_the_topic_opens_at_a_touch(page_of: PageOf) -> None:
    for width, is_open in ((860, False), (861, True)):
        page, _ = shown(page_of, viewport={"width": width, "height": 600})
        assert page.evaluate("document.querySelector('details').open") is is_open


def test_a_page_that_one_comes_back_to_is_loaded_again(page_of: PageOf) -> None:
    page, _ = shown(page_of)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))")
    assert page.evaluate("old") is True
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.wait_for_function("!window.old")


def test_tab_into_the_document_is_seen(page_of: PageOf) -> None:
    page, _ = ready(page_of)
    page.evaluate("""() => {
        const view = say("frame").contentWindow;
        view.document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
        view.dispatchEvent(new Event("focus"));
    }""")
    assert page.evaluate("[say('stage').hasAttribute('data-tabbed'), say('frame').tabIndex]") == [True, 0]


def test_where_nothing_is_heard_in_the_document_the_focus_stays_in_the_page(page_of: PageOf) -> None:
    page = page_of(PAGE.format(frame=f'srcdoc="{html.escape(document())}"', note="", quotes="", way=""))
    page.route("**/quiet_frames.js", lambda route: route.fulfill(content_type="text/javascript", body="""
        export const hears = () => false;
        export const enter = () => {};
        export const keepFocus = (place) => void window.calls.push(["keep", place.id]);"""))  # fmt: skip
    page.evaluate(BEGIN)
    assert page.evaluate("[told(), say('frame').tabIndex, document.activeElement.id]") == [
        [["keep", "stage"]], -1, "stage",
    ]  # fmt: skip
    page.keyboard.press("ArrowDown")
    page.wait_for_function("say('frame').contentWindow.scrollY > 0")


def test_without_the_network_a_decision_is_kept_and_can_be_sent_at_once(page_of: PageOf) -> None:
    page, server = ready(page_of)
    server.answers = [None]
    page.clock.run_for(1250)
    page.keyboard.press("1")
    page.wait_for_function("sending()")
    held = "Your decision “Relevant” is kept here and will be sent automatically."
    assert page.evaluate("sending()") == f"The server does not respond. {held}|offline|Send it now"
    page.clock.run_for(400)
    assert page.evaluate("[sending().includes('being sent'), told()]") == [
        False, [["sending", {"block": "nearest"}]],
    ]  # fmt: skip
    page.locator("#sending-way").click()
    fields = sent(server, page, 2)
    assert (fields["uuid"], fields["seconds"]) == ("u1", "2")


def test_who_is_signed_out_is_asked_and_can_ask_again(page_of: PageOf) -> None:
    page, server = ready(page_of)
    state: dict[str, Any] = {"way": "demo", "address": None, "csrf_token": "t"}

    def session(route: Route) -> None:
        route.fulfill(status=200 if "account" in state else 401, json=state)

    page.route("**/session", session)
    server.answers = [(401, {})]
    page.keyboard.press("0")
    page.locator(".sign-in-again").get_by_text("1 judgment is kept in this browser").wait_for()
    assert page.evaluate("sending()") == (
        "You are signed out. Your decision “0” is kept here, and sent when you are signed in again."
        "|signed out|Sign in again"
    )
    page.get_by_role("button", name="Not now").click()
    page.get_by_role("button", name="Sign in again").click()
    page.get_by_role("button", name="Continue as Wilma").wait_for()
    assert len(server.sent) == 1
    state["account"] = "Wilma"
    page.get_by_role("button", name="Continue as Wilma").click()
    assert sent(server, page, 2)["grade"] == "0"


def test_a_page_that_is_older_than_the_server_is_loaded_again_without_a_question(page_of: PageOf) -> None:
    page, server = ready(page_of)
    server.answers = [(409, {"reason": "other version"})]
    page.keyboard.press("0")
    page.wait_for_function("sending()")
    assert page.evaluate("sending()").endswith("will be sent after the reload.|outdated|Reload")
    page.evaluate(
        "addEventListener('beforeunload', (event) => (localStorage.asked = event.defaultPrevented))"
    )
    page.locator("#sending-way").click()
    page.wait_for_function("!window.old")
    assert page.evaluate("localStorage.asked") == "false"
    assert len(server.sent) == 1


def test_a_decision_that_was_refused_is_given_up_and_nothing_more_is_decided_here(page_of: PageOf) -> None:
    page, server = ready(page_of)
    page.keyboard.press("0")
    sent(server, page, 1)
    server.answer(409, {"reason": "replaced", "message": "Ben was faster."})
    page.wait_for_function("trouble()")
    page.clock.run_for(400)
    assert page.evaluate("[trouble(), sending(), document.activeElement.id]") == [
        "Nothing was stored: Ben was faster. Your decision “0” was given up. Show current state", "", "trouble-way",
    ]  # fmt: skip
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("1")
    assert page.evaluate("document.activeElement.id") == "trouble-way"
    assert len(server.sent) == 1


def left(*documents: str) -> str:
    """Puts decisions into the browser that an earlier page has not heard of again."""
    entries = {
        f"workbench:adjudication:a%20b:Wilma:{name}": {
            "url": "http://localhost/decide",
            "fields": {"uuid": name, "topic": "1", "document": name},
            "words": f"Your decision on {name}",
        }
        for name in documents
    }
    return f"for (const [name, one] of Object.entries({json.dumps(entries)})) localStorage[name] = JSON.stringify(one)"


def test_decisions_that_an_earlier_page_has_left_are_sent_and_this_page_stays(page_of: PageOf) -> None:
    page, server = ready(page_of, before=left("d8", "d9"))
    assert sent(server, page, 1)["document"] == "d8"
    server.answer(200, {"next": "/c/next"})
    assert sent(server, page, 2)["document"] == "d9"
    stored = "A decision that was waiting here is now stored.|sending|"
    assert page.evaluate("sending()") == stored
    server.answer(200, {"next": "/c/next"})
    page.wait_for_function("prevented(window, new Event('beforeunload', { cancelable: true })) === false")
    page.clock.run_for(400)
    assert page.evaluate("[sending(), location.pathname]") == [stored, "/"]
    page.keyboard.press("1")
    assert sent(server, page, 3)["document"] == "d1"


def test_a_refused_decision_of_an_earlier_page_leaves_this_one_to_be_decided(page_of: PageOf) -> None:
    page, server = ready(page_of, before=left("d8", "d9"))
    sent(server, page, 1)
    server.answer(409, {"reason": "replaced", "message": "Too late"})
    assert sent(server, page, 2)["document"] == "d9"
    assert page.evaluate("trouble()") == (
        "Nothing was stored of d8: Too late. Your decision on d8 was given up. Show current state"
    )
    server.answer(200, {"next": "/c/next"})
    page.wait_for_function("prevented(window, new Event('beforeunload', { cancelable: true })) === false")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("1")
    assert sent(server, page, 3)["document"] == "d1"
