"""One's own account: the password, signing out everywhere, and what was done with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import MakeApp, Post, SignIn
from workbench.people.accounts import check_password, open_accounts, security_log, set_makes_campaigns


def token_in(client: FlaskClient) -> str:
    return str(client.get("/session").get_json()["csrf_token"])


def who(client: FlaskClient) -> str | None:
    name = client.get("/session").get_json().get("account")
    return None if name is None else str(name)


def test_a_new_password_needs_the_old_one_and_ends_the_other_sessions(
    app: Flask, client_of: SignIn, post: Post, instance: Path
) -> None:
    here, elsewhere = client_of(app, "Ben"), client_of(app, "Ben")
    new = {"new": "a new long one", "again": "a new long one"}
    assert post(here, "/account/password", now="wrong", **new).status_code == 400
    different = post(here, "/account/password", now="ben's password", new="a new long one", again="another")
    assert "do not match" in different.text
    assert (
        post(here, "/account/password", now="ben's password", new="short", again="short").status_code == 400
    )
    assert post(here, "/account/password", now="ben's password", **new).status_code == 303
    assert (who(here), who(elsewhere)) == ("Ben", None)
    with open_accounts(instance) as accounts:
        assert check_password(accounts, "Ben", "a new long one") is not None
        found = [act.act for act in security_log.acts(accounts, "Ben")]
    assert found[-2:] == ["password change refused", "password changed"]


def test_the_old_password_is_not_guessed_at_leisure(
    app: Flask, client_of: SignIn, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.web.access.passwords.check_password", lambda *_: None)
    ben = client_of(app, "Ben")
    answers = [post(ben, "/account/password", now="wrong").status_code for _ in range(6)]
    assert answers == [400] * 5 + [429]


def test_signing_out_everywhere_ends_every_session(app: Flask, client_of: SignIn, post: Post) -> None:
    here, elsewhere, anna = client_of(app, "Ben"), client_of(app, "Ben"), client_of(app, "Anna")
    answer = post(here, "/account/sign-out-everywhere")
    assert (answer.status_code, answer.location) == (303, "/sign-in")
    assert (who(here), who(elsewhere), who(anna)) == (None, None, "Anna")
    assert who(client_of(app, "Ben")) == "Ben"


def test_sessions_are_listed_and_ended_one_by_one(app: Flask, client_of: SignIn, post: Post) -> None:
    here, phone, anna = client_of(app, "Ben"), app.test_client(), client_of(app, "Anna")
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1"
    phone.post(
        "/sign-in",
        data={"name": "Ben", "password": "ben's password", "csrf_token": token_in(phone)},
        headers={"User-Agent": agent},
    )
    text = here.get("/account").text
    assert "Safari on an iPhone" in text
    assert text.count("this session") == 1
    (number,) = re.findall(r'name="session" value="(\d+)"', text)
    assert post(anna, "/account/sessions/end", session=number).location == "/account?done=gone"
    assert who(phone) == "Ben"
    assert post(here, "/account/sessions/end", session=number).location == "/account?done=session"
    assert "Session signed out." in here.get("/account?done=session").text
    assert (who(here), who(phone)) == ("Ben", None)
    assert post(here, "/account/sessions/end", session="x").location == "/account?done=gone"
    another = client_of(app, "Ben")
    assert post(here, "/account/sessions/end-others").location == "/account?done=others"
    assert (who(here), who(another)) == ("Ben", None)


def test_who_came_without_an_account_has_no_password(make_app: MakeApp, post: Post) -> None:
    client = make_app(demo=True).test_client()
    post(client, "/start", name="Dora")
    text = client.get("/account").text
    assert "without an account" in text
    assert [part for part in ("second factor", "Sessions", "activity", "Your data") if part in text] == []
    assert post(client, "/account/password", now="x", new="y", again="y").status_code == 409
    for way in ("sign-out-everywhere", "sessions/end", "sessions/end-others"):
        assert post(client, f"/account/{way}").status_code == 409


def test_an_account_that_may_makes_the_first_campaign_of_a_server(
    app: Flask, client_of: SignIn, post: Post, instance: Path
) -> None:
    (instance / "robust.db").unlink()
    carla = client_of(app, "Carla")
    assert carla.get("/new").status_code == 403
    assert "workbench user allow Carla" in carla.get("/").text
    with open_accounts(instance) as accounts:
        set_makes_campaigns(accounts, "Carla", makes=True)
    assert "Create a campaign" in carla.get("/").text
    assert carla.get("/new").status_code == 200
    scale = {"grade-number": ["0", "1"], "grade-name": ["No", "Yes"], "grade-guideline": ["", ""]}
    form = {"csrf_token": token_in(carla), "title": "Lakes", "relevant-from": "1", **scale}
    answer = carla.post("/new", data=form)
    assert (answer.status_code, answer.location) == (303, "/c/lakes/add/topics")
    assert carla.get("/c/lakes/people").status_code == 200
    with open_accounts(instance) as accounts:
        newest = security_log.acts(accounts)[-1]
    assert newest[2:] == ("role given", "Carla", "Carla", "127.0.0.1", "organiser in lakes")


def test_the_twenty_newest_acts_are_shown_the_last_one_first(
    app: Flask, client_of: SignIn, instance: Path
) -> None:
    with open_accounts(instance) as accounts:
        for number in range(1, 26):
            by = ("Ben", f"192.0.2.{number}")
            security_log.record(accounts.by(*by), security_log.PASSWORD_REFUSED, "Ben")
    shown = re.findall(r"192\.0\.2\.(\d+)", client_of(app, "Ben").get("/account").text)
    assert shown == [str(number) for number in range(25, 5, -1)]


def test_the_account_page_shows_roles_and_what_happened(app: Flask, client_of: SignIn, post: Post) -> None:
    guest = app.test_client()
    post(guest, "/sign-in", name="Paul", password="paul's password")
    text = guest.get("/account").text
    assert "participant of team <bdi>Alpha</bdi>" in text
    assert "signed in" in text
    assert "127.0.0.1" in text
