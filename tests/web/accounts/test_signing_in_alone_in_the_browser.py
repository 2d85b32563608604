"""The dialog in which one signs in again, by itself, without a server."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DIALOG = """async () => {
    const { SignInAgain } = await import("/static/accounts/signin_again.js");
    window.waiting = 0;
    window.again = 0;
    window.dialog = new SignInAgain({ account: "Ben" }, () => again++, () => waiting);
    window.told = [];
    window.place = dialog.dialog;
    const shown = "h2, p:not([hidden]), label, button";
    window.words = () => [...place.querySelectorAll(shown)].map(({ textContent }) => textContent);
    window.error = () => dialog.error.hidden ? null : dialog.error.textContent;
}"""
CALM = 600
OUT = {"way": "password", "address": "/sign-in", "csrf_token": "t"}


class Server:
    """Answers who is signed in with `session`, and a form with `answer`."""

    def __init__(self, page: Page) -> None:
        self.session: dict[str, Any] | None = OUT
        self.answer: tuple[int, dict[str, Any]] = (200, {})
        self.becomes: dict[str, Any] | None = None
        self.sent: list[str] = []
        self.asked = 0
        page.route("**/session", self._session)
        page.route("**/sign-in", self._sign_in)

    def _session(self, route: Route) -> None:
        self.asked += 1
        if self.session is None:
            route.abort()
        else:
            route.fulfill(json=self.session)

    def _sign_in(self, route: Route) -> None:
        self.sent.append(route.request.post_data or "")
        self.session = self.becomes or self.session
        route.fulfill(status=self.answer[0], json=self.answer[1])


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of(
        "<meta name=csrf-token content=t><meta name=session-url content=/session><input id=field>", DIALOG
    )


def test_who_is_signed_out_is_asked_for_the_password_and_may_put_it_off(page: Page) -> None:
    server = Server(page)
    page.evaluate("dialog.offer()")
    page.clock.run_for(CALM)
    assert page.evaluate("[place.open, words(), document.activeElement.name]") == [
        True,
        [
            "Sign in again",
            "You are signed out.",
            "Name",
            "Password",
            "Show password",
            "Sign in as Ben",
            "Not now",
        ],
        "password",
    ]
    fields = "[...place.querySelectorAll('input[name]')].map(({ name, value, readOnly }) => [name, value, readOnly])"
    assert page.evaluate(fields) == [["name", "Ben", True], ["password", "", False]]
    page.evaluate("window.heard = 0, addEventListener('keydown', () => heard++)")
    page.keyboard.press("x")
    assert page.evaluate("heard") == 0
    page.get_by_text("Not now").click()
    page.wait_for_function("dialog.isPutOff")
    page.keyboard.press("x")
    assert page.evaluate("heard") == 1
    page.evaluate("void (waiting = 1), dialog.offer()")
    assert page.evaluate("place.open") is False
    page.evaluate("dialog.show()")
    kept = "You are signed out. 1 judgment is kept in this browser, and sent when you are signed in again."
    assert page.evaluate("[place.open, words()[1]]") == [True, kept]
    page.evaluate("void (waiting = 2), place.close()")
    page.wait_for_function("dialog.isPutOff")
    page.evaluate("dialog.show()")
    assert page.evaluate("words()[1]") == kept.replace("1 judgment is", "2 judgments are")
    server.session = {"account": "Ben", "csrf_token": "t"}
    page.evaluate("dialog.offer()")
    assert page.evaluate("[place.open, again, dialog.isOut, dialog.isPutOff]") == [False, 1, False, False]
    page.evaluate("dialog.offer()")
    assert page.evaluate("again") == 1
    server.session = OUT
    page.evaluate("dialog.offer()")
    assert page.evaluate("place.open") is True


def test_another_account_stays_in_front_until_it_goes_on(page: Page) -> None:
    server = Server(page)
    server.session = OUT | {"account": "Anna"}
    page.evaluate("dialog.offer()")
    assert page.evaluate("words().slice(0, 2)") == [
        "Anna is signed in here now",
        "This page was opened by Ben.",
    ]
    assert page.evaluate("words().slice(-2)") == ["Sign in as Ben", "Continue as Anna"]
    page.evaluate("place.close()")
    page.wait_for_function("place.open")
    assert page.evaluate("(place.dispatchEvent(new Event('cancel', { cancelable: true })))") is False
    page.evaluate("void (waiting = 1), place.close(), dialog.open({ account: 'Anna', way: 'demo' })")
    kept = " 1 judgment of Ben waits in this browser until Ben signs in."
    assert page.evaluate("words()[1]") == "This page was opened by Ben." + kept
    page.evaluate("void (waiting = 2), dialog.open({ account: 'Anna', way: 'demo' })")
    assert page.evaluate("words()[1]").endswith(
        " 2 judgments of Ben wait in this browser until Ben signs in."
    )
    assert page.evaluate("words().slice(2)") == ["Continue as Ben", "Continue as Anna"]
    page.clock.run_for(CALM)
    assert page.evaluate("document.activeElement.type") == "submit"
    with page.expect_navigation():
        page.get_by_text("Continue as Anna").click()


def test_keys_that_were_to_judge_do_not_reach_the_password(page: Page) -> None:
    Server(page)
    page.evaluate("void (dialog.offer(), document.getElementById('field').focus())")
    page.wait_for_function("place.open")
    page.clock.run_for(CALM - 100)
    page.keyboard.type("012x")
    page.clock.run_for(CALM - 100)
    assert page.evaluate(
        "[document.activeElement === place, place.querySelector('[name=password]').value]"
    ) == [True, ""]
    page.clock.run_for(100)
    page.keyboard.type("1a")
    assert page.get_by_label("Password", exact=True).input_value() == "1a"


def test_a_reader_who_goes_to_the_password_by_key_or_mouse_types_at_once(page: Page) -> None:
    Server(page)
    page.evaluate("dialog.offer()")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("ab")
    assert page.get_by_label("Password", exact=True).input_value() == "ab"
    page.evaluate("dialog.isOut = false, dialog.offer()")
    page.keyboard.type("1")
    page.get_by_label("Password", exact=True).click()
    page.keyboard.type("c")
    assert page.get_by_label("Password", exact=True).input_value() == "c"


def test_a_dialog_tells_what_is_new_and_who_is_merely_out_can_cancel_it(page: Page) -> None:
    server = Server(page)
    page.evaluate("dialog.offer()")
    assert page.evaluate("place.dispatchEvent(new Event('cancel', { cancelable: true }))") is True
    page.evaluate("void (window.kept = place.querySelector('form')), dialog.offer()")
    assert page.evaluate("place.querySelector('form') === kept") is True
    server.session = OUT | {"account": "Anna"}
    page.evaluate("dialog.offer()")
    assert page.evaluate("words()[0]") == "Anna is signed in here now"
    server.session = {"way": "password"}
    page.evaluate("dialog.offer()")
    server.session = None
    page.evaluate("dialog.offer()")
    assert page.evaluate("[words()[0], dialog.asking]") == ["Anna is signed in here now", None]


def submit(page: Page) -> str | None:
    page.evaluate("place.querySelector('form').requestSubmit()")
    page.wait_for_function("!place.querySelector('[type=submit]')?.disabled")
    return page.evaluate("error()")  # type: ignore[no-any-return]


def test_a_password_is_sent_with_a_token_of_now_and_what_is_wrong_is_said(page: Page) -> None:
    server = Server(page)
    page.evaluate("dialog.offer()")
    server.session = OUT | {"csrf_token": "t2"}
    server.answer = 401, {"message": "Wrong."}
    page.locator("[name=password]").fill("p w")
    assert submit(page) == "Wrong."
    assert parse_qs(server.sent[-1]) == {"name": ["Ben"], "csrf_token": ["t2"], "password": ["p w"]}
    assert page.locator("[name=password]").input_value() == ""
    page.locator("[name=password]").fill("p")
    server.answer = 500, {}
    assert submit(page) == "The server does not respond. Try again in a moment."
    page.locator("[name=password]").fill("p")
    server.answer = 200, {}
    assert submit(page) == "Ben is not signed in yet."
    server.session = None
    page.locator("[name=password]").fill("p")
    assert submit(page) == "The server does not respond. Try again in a moment."
    server.session = OUT
    server.becomes = {"account": "Ben", "csrf_token": "t3"}
    assert submit(page) is None
    assert page.evaluate("[place.open, again]") == [False, 1]


def test_a_second_factor_is_asked_for_when_the_password_was_right(page: Page) -> None:
    server = Server(page)
    page.evaluate("dialog.offer()")
    server.answer = 401, {"reason": "code", "message": "Type the code."}
    page.locator("[name=password]").fill("p")
    assert submit(page) == "Type the code."
    assert page.evaluate("[document.activeElement.name, words().slice(-4)]") == [
        "code", ["Code", "Type the code.", "Sign in as Ben", "Not now"],
    ]  # fmt: skip
    page.locator("[name=code]").fill("123")
    assert submit(page) == "Type the code."
    assert parse_qs(server.sent[-1])["code"] == ["123"]
    assert page.evaluate(
        "[place.querySelectorAll('[name=code]').length, place.querySelector('[name=code]').value]"
    ) == [1, ""]
    assert page.locator("[name=password]").input_value() == "p"


def test_where_a_link_signs_in_the_dialog_only_looks_whether_it_did(page: Page) -> None:
    server = Server(page)
    server.session = {"way": "link", "address": None, "csrf_token": "t"}
    page.evaluate("dialog.offer()")
    assert page.evaluate("words()[2]").startswith("This server has no accounts. Open the link")
    assert page.evaluate("words().slice(-2)") == ["I have signed in", "Not now"]
    assert submit(page) == "Ben is not signed in yet."
    server.session = {"account": "Ben", "csrf_token": "t"}
    assert submit(page) is None
    assert (server.sent, page.evaluate("again")) == ([], 1)


def test_coming_back_and_other_tabs_make_the_page_ask_who_is_signed_in(page: Page) -> None:
    server = Server(page)
    page.evaluate("""() => {
        window.comesBack = () => {
            document.hasFocus = () => false;
            dispatchEvent(new Event("blur"));
            document.hasFocus = () => true;
            dispatchEvent(new Event("focus"));
            return dialog.asking !== null;
        };
        window.other = new BroadcastChannel("workbench:signed in");
        other.onmessage = ({ data }) => told.push(data);
    }""")
    assert page.evaluate("(comesBack())") is False
    page.clock.run_for(2_000)
    assert page.evaluate("(comesBack())") is False
    page.clock.run_for(1)
    assert page.evaluate("(comesBack())") is True
    page.wait_for_function("place.open")
    assert server.asked == 1
    server.session = {"account": "Ben", "csrf_token": "t"}
    page.evaluate("other.postMessage('signed in')")
    page.wait_for_function("again === 1 && told.length === 1")
    asked = server.asked
    page.evaluate(
        "other.postMessage('signed in'), new Promise((done) => { dialog.channel.addEventListener('message', done); })"
    )
    assert page.evaluate("dialog.asking") is None
    assert server.asked == asked


def test_who_asks_while_an_answer_is_on_its_way_gets_one_that_is_newer(page: Page) -> None:
    server = Server(page)
    page.evaluate("Promise.all([dialog.offer(), dialog.offer(), dialog.offer()])")
    assert server.asked == 2
    page.evaluate("dialog.offer()")
    assert server.asked == 3
