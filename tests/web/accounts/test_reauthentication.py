"""What could be used against others wants the password once more, and loses nothing that was typed."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeApp, Post, SignIn, TokenOf
from tests.sentences import says
from workbench.people.accounts import Accounts, AccountsUnavailable, open_accounts, security_log
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

WANTED = {
    ("POST", "/c/robust/people/role"),
    ("POST", "/c/robust/people/offer"),
    ("POST", "/c/robust/people/invitation"),
    ("POST", "/c/robust/people/list"),
    ("POST", "/c/robust/people/reset"),
    ("GET", "/c/robust/publish/bundle"),
    ("POST", "/c/robust/settings/webhooks"),
    ("POST", "/account/sessions/end"),
    ("POST", "/account/sessions/end-others"),
    ("POST", "/account/tokens"),
    ("POST", "/account/connect/<provider>"),
    ("POST", "/account/disconnect"),
    ("GET", "/account/second-factor"),
    ("POST", "/account/second-factor"),
    ("POST", "/account/second-factor/recovery"),
    ("POST", "/account/second-factor/remove"),
}


@pytest.fixture
def anna(app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """Anna's client, twenty minutes after she signed in."""
    client, began = client_of(app, "Anna"), datetime.now(UTC)
    monkeypatch.setattr(Accounts, "now", property(lambda _: began + timedelta(minutes=20)))
    return client


def kept(answer: TestResponse) -> dict[str, str]:
    """The fields that the page keeps for the request that goes on."""
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', answer.text)
    return {name: html.unescape(value) for name, value in found if name != "csrf_token"}


@pytest.mark.parametrize(("method", "path"), sorted(WANTED))
def test_the_password_is_wanted_once_more(
    anna: FlaskClient, post: Post, token_of: TokenOf, method: str, path: str
) -> None:
    answer = anna.get(path) if method == "GET" else post(anna, path)
    assert answer.status_code == 403
    assert "Confirm your identity" in answer.text
    headers = {"Accept": "application/json", "X-CSRFToken": token_of(anna)}
    in_json = anna.open(path, method=method, headers=headers)
    assert (in_json.status_code, in_json.get_json()["reason"]) == (403, "confirm")


def test_these_are_all_that_want_the_password(app: Flask) -> None:
    found = {
        (method, rule.rule.replace("<campaign>", "robust"))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) & {"GET", "POST"}
        if getattr(app.view_functions[rule.endpoint], "wants_confirmation", False)
    }
    assert found == WANTED


def test_what_was_typed_is_kept_and_done_once_the_password_is_given(
    anna: FlaskClient, post: Post, instance: Path
) -> None:
    typed = {"name": "Ben", "role": "adjudicator", "team": "", "note": 'a "note" <b>'}
    asked = post(anna, "/c/robust/people/role", **typed)
    assert kept(asked) == typed
    wrong = post(anna, "/c/robust/people/role", **kept(asked), **{"confirm-password": "ben's password"})
    assert says(wrong.text)
    assert kept(wrong) == typed
    assert "ben's password" not in wrong.text.replace("ben&#39;s", "ben's")
    with open_campaign(instance / "robust.db") as campaign:
        assert members.role_of(campaign, "Ben") == "assessor"
    done = post(anna, "/c/robust/people/role", **kept(wrong), **{"confirm-password": "anna's password"})
    assert done.status_code == 303
    with open_campaign(instance / "robust.db") as campaign:
        assert members.role_of(campaign, "Ben") == "adjudicator"
    assert post(anna, "/c/robust/people/role", name="Ben", role="assessor").status_code == 303


def test_a_download_begins_once_the_password_is_given(anna: FlaskClient, post: Post) -> None:
    before = {"Referer": "http://localhost/c/robust/publish"}
    asked = anna.get("/c/robust/publish/bundle?names=pseudonyms", headers=before)
    assert kept(asked) == {"next": "/c/robust/publish/bundle?names=pseudonyms", "back": "/c/robust/publish"}
    done = post(anna, "/account/confirm", **kept(asked), **{"confirm-password": "anna's password"})
    assert 'content="0; url=/c/robust/publish/bundle?names=pseudonyms"' in done.text
    with anna.get("/c/robust/publish/bundle") as begun:
        assert begun.mimetype == "application/zip"


def test_the_page_leads_to_no_other_site(anna: FlaskClient, post: Post) -> None:
    elsewhere = {"next": "https://evil.example/", "back": "//evil.example"}
    done = post(anna, "/account/confirm", **elsewhere, **{"confirm-password": "anna's password"})
    assert "evil" not in done.text
    foreign = anna.get("/account", headers={"Referer": "https://evil.example/"})
    assert "evil" not in foreign.text


def test_a_confirmation_holds_for_fifteen_minutes_in_this_session_alone(
    app: Flask, client_of: SignIn, anna: FlaskClient, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = datetime.now(UTC) + timedelta(minutes=20)
    post(anna, "/account/confirm", **{"confirm-password": "anna's password"})
    monkeypatch.setattr(Accounts, "now", property(lambda _: began + timedelta(minutes=14)))
    assert post(anna, "/account/sessions/end-others").status_code == 303
    monkeypatch.setattr(Accounts, "now", property(lambda _: began + timedelta(minutes=16)))
    assert post(anna, "/account/sessions/end-others").status_code == 403


def test_the_password_is_not_guessed_here_either(anna: FlaskClient, post: Post, instance: Path) -> None:
    answers = [
        post(anna, "/account/sessions/end-others", **{"confirm-password": "wrong"}).status_code
        for _ in range(6)
    ]
    assert answers == [400] * 5 + [429]
    with open_accounts(instance) as accounts:
        assert [act.act for act in security_log.acts(accounts, "Anna")][-5:] == [
            "password change refused"
        ] * 5


def test_without_the_token_of_the_page_no_password_is_looked_at(
    anna: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("workbench.web.accounts.reauthentication.verify", never)
    data = {"confirm-password": "anna's password"}
    assert anna.post("/account/sessions/end-others", data=data).status_code == 400


def test_who_came_without_an_account_is_asked_for_no_password(
    make_app: MakeApp, post: Post, instance: Path
) -> None:
    client = make_app(demo=True).test_client()
    post(client, "/start", name="Dora")
    answer = post(client, "/c/robust/people/role", name="Ben", role="adjudicator")
    assert answer.status_code == 303
    assert post(client, "/account/confirm", next="/account").location == "/account"


def test_refused_requests_are_in_the_security_log_a_bounded_number_of_times(
    app: Flask, client_of: SignIn, instance: Path
) -> None:
    ben, carla = client_of(app, "Ben"), client_of(app, "Carla")
    for _ in range(30):
        assert ben.get("/c/robust/people").status_code == 403
    for campaign in ("robust", "not-there", "x" * 200):
        assert carla.get(f"/c/{campaign}/judge").status_code == 404
    with open_accounts(instance) as accounts:
        found = [(act.name, act.detail) for act in security_log.acts(accounts) if act.act == "access refused"]
    assert found == [("Ben", "GET /c/<campaign>/people in robust")] * 20 + [
        ("Carla", f"GET /c/<campaign>/judge in {campaign}") for campaign in ("robust", "not-there", "x" * 64)
    ]


def test_a_refusal_that_cannot_be_recorded_is_a_refusal_and_said_in_the_log(
    app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AccountsUnavailable("accounts.db: the disk is full")

    monkeypatch.setattr(security_log, "record", fail)
    assert client_of(app, "Ben").get("/c/robust/people").status_code == 403
    assert "a refused access is not recorded: accounts.db: the disk is full" in caplog.messages
