"""The session ends, or becomes somebody else's, while a page is open: one signs in over it, and goes on."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from tests.fixture_types import MakeApp, Visit
from tests.web.judging.judging_page import loaded_ahead, ready, saved
from tests.web.judging.outboxes import SignIn, become, log
from workbench.people.accounts import open_accounts
from workbench.people.accounts.second_factor import set_second_factor
from workbench.web.access.providers import Provider
from workbench.web.app import ServerRules

UNIVERSITY = Provider("uni", "Example University", "https://login.example.org", "workbench", "a secret", "")

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def app(make_app: MakeApp, request: pytest.FixtureRequest) -> Flask:
    """The application with the options that a test gives as this fixture's parameter."""
    return make_app(**getattr(request, "param", {}))


def opened(visit: Visit) -> Page:
    """Ben's page with the first document on the screen; the next three can be shown whoever is signed in."""
    page = visit("/c/small/judge?topic=1", intercepted=True)
    ready(page, "Document 1")
    loaded_ahead(page)
    return page


def dialog_of(page: Page) -> Locator:
    return page.locator("dialog.sign-in-again")


def signed_out_with_a_judgment(visit: Visit) -> Page:
    """Ben's page, on which his session ended before he judged the first document."""
    page = opened(visit)
    judge_without_a_session(page)
    return page


def judge_without_a_session(page: Page) -> None:
    """The first judgment is refused, and no answer is on its way any more that could replace the browser's cookie."""
    page.context.clear_cookies()
    page.keyboard.press("1")
    expect(dialog_of(page)).to_be_visible()
    expect(page.locator("#save-state")).to_have_text("Signed out, 1 kept here")
    ready(page, "Document 2")
    loaded_ahead(page)  # or refused: what stands around the second document was asked for without a session


@pytest.mark.parametrize("app", [{"operated": ServerRules(providers=[UNIVERSITY])}], indirect=True)
def test_the_dialog_leads_to_the_providers_in_another_tab(visit: Visit, app: Flask, small: Path) -> None:
    page = signed_out_with_a_judgment(visit)
    link = dialog_of(page).get_by_role("link", name="Example University")
    with page.context.expect_page() as opened:
        link.click()
    expect(opened.value.locator("form[action='/sign-in/with/uni']")).to_be_visible()
    opened.value.get_by_label("User name").fill("Ben")
    opened.value.get_by_label("Password", exact=True).fill("ben's password")
    opened.value.keyboard.press("Enter")
    opened.value.wait_for_url("**/")
    page.bring_to_front()
    expect(dialog_of(page)).to_be_hidden()
    saved(page)


def short(path: Path) -> list[tuple[str, str, int | None]]:
    return [(row.assessor, row.document_id, row.grade) for row in log(path)]


def test_a_session_that_ended_is_begun_again_over_the_page(visit: Visit, small: Path) -> None:
    page = signed_out_with_a_judgment(visit)
    dialog = dialog_of(page)
    expect(dialog).to_contain_text("1 judgment")
    expect(dialog.get_by_label("Name")).to_have_value("Ben")
    expect(dialog.get_by_label("Name")).not_to_be_editable()
    dialog.get_by_label("Password", exact=True).fill("not his")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    expect(dialog.get_by_label("Password", exact=True)).to_have_value("")
    dialog.get_by_label("Password", exact=True).fill("ben's password")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    saved(page)
    ready(page, "Document 2")
    page.keyboard.press("0")
    ready(page, "Document 3")
    saved(page)
    assert short(small) == [("Ben", "d1", 1), ("Ben", "d2", 0)]


def test_what_is_judged_after_the_session_ended_by_itself_is_kept_and_sent_after_signing_in(
    visit: Visit, small: Path
) -> None:
    page = opened(visit)
    with open_accounts(small.parent) as accounts:
        accounts.db.execute("UPDATE session SET used_at = '2020-01-01T00:00:00+00:00' WHERE name = 'Ben'")
    page.keyboard.press("1")
    dialog = dialog_of(page)
    expect(dialog).to_contain_text("1 judgment")
    dialog.get_by_label("Password", exact=True).fill("ben's password")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    saved(page)
    assert short(small) == [("Ben", "d1", 1)]


def test_who_has_a_second_factor_is_asked_for_its_code_over_the_page(visit: Visit, small: Path) -> None:
    then, secret = datetime.now(UTC) - timedelta(minutes=10), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    page = signed_out_with_a_judgment(visit)
    with open_accounts(small.parent) as accounts:
        set_second_factor(accounts.by("Ben", "").at(then), "Ben", secret, pyotp.TOTP(secret).at(then))
    dialog = dialog_of(page)
    dialog.get_by_label("Password", exact=True).fill("ben's password")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("code")
    dialog.get_by_label("Code").fill("000000")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("wrong")
    dialog.get_by_label("Code").fill(pyotp.TOTP(secret).now())
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    saved(page)
    assert short(small) == [("Ben", "d1", 1)]


def test_signing_in_can_be_postponed_and_asked_for(visit: Visit, small: Path) -> None:
    page = signed_out_with_a_judgment(visit)
    dialog_of(page).get_by_role("button", name="Not now").click()
    page.keyboard.press("1")
    expect(page.locator("#save-state")).to_have_text("Signed out, 2 kept here")
    expect(dialog_of(page)).to_be_hidden()
    page.get_by_role("button", name="Sign in again").click()
    dialog_of(page).get_by_label("Password", exact=True).fill("ben's password")
    dialog_of(page).get_by_role("button", name="Sign in as Ben").click()
    saved(page)
    assert short(small) == [("Ben", "d1", 1), ("Ben", "d2", 1)]


def test_signing_in_in_one_tab_sends_at_once_what_waits_in_the_other(visit: Visit, small: Path) -> None:
    waiting = signed_out_with_a_judgment(visit)
    other = waiting.context.new_page()
    other.goto(waiting.url.partition("/c/")[0] + "/sign-in")
    other.get_by_label("Name").fill("Ben")
    other.get_by_role("textbox", name="Password").fill("ben's password")
    other.get_by_role("button", name="Sign in").click()
    other.goto(waiting.url)
    saved(waiting)
    expect(dialog_of(waiting)).to_be_hidden()
    assert short(small) == [("Ben", "d1", 1)]


def test_while_another_account_is_signed_in_no_one_judges_on_this_page(
    visit: Visit, small: Path, app: Flask, client_of: SignIn
) -> None:
    page = opened(visit)
    become(page, app, client_of, "Carla")
    page.keyboard.press("1")
    dialog = dialog_of(page)
    expect(dialog.get_by_role("heading")).to_contain_text("Carla")
    expect(dialog).to_contain_text("1 judgment of Ben")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    page.keyboard.press("0")
    expect(page.locator("#save-state")).to_have_text("Signed out, 1 kept here")
    assert log(small) == []
    dialog.get_by_label("Password", exact=True).fill("ben's password")
    dialog.get_by_role("button", name="Sign in as Ben").click()
    saved(page)
    assert short(small) == [("Ben", "d1", 1)]


def test_the_other_person_may_go_on_under_their_own_name(
    visit: Visit, small: Path, app: Flask, client_of: SignIn
) -> None:
    page = opened(visit)
    become(page, app, client_of, "Carla")
    page.keyboard.press("1")
    expect(dialog_of(page)).to_be_visible()
    ready(page, "Document 2")
    expect(page).to_have_url(re.compile("document=d2$"))
    page.once("dialog", lambda asked: asked.accept())  # leaving with a judgment that waits
    dialog_of(page).get_by_role("button", name="Continue as Carla").click()
    expect(page.locator("#others")).to_contain_text("Ben’s 1 wait")
    ready(page, "Document 2")
    page.keyboard.press("0")
    saved(page)
    assert short(small) == [("Carla", "d2", 0)]


@pytest.mark.parametrize("app", [{"sign_in_token": "x" * 32}], indirect=True)
def test_where_all_accounts_are_gone_the_page_says_where_to_find_the_terminals_link(
    visit: Visit, small: Path, client_of: SignIn, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.web.accounts.sign_in.has_accounts", lambda _: False)
    page = signed_out_with_a_judgment(visit)
    dialog = dialog_of(page)
    expect(dialog).to_contain_text("terminal")
    dialog.get_by_role("button", name="I have signed in").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Ben")
    become(page, app, client_of, "Ben")
    dialog.get_by_role("button", name="I have signed in").click()
    saved(page)
    assert short(small) == [("Ben", "d1", 1)]
