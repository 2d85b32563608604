"""Signing in with a second factor, setting it up, and who has to."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import MakeApp, Post, SignIn, TokenOf
from tests.sentences import says
from workbench.people.accounts import (
    Accounts,
    AccountsUnavailable,
    open_accounts,
    security_log,
    set_makes_campaigns,
)
from workbench.people.accounts.second_factor import has_second_factor, set_second_factor
from workbench.people.members.password_links import make_reset
from workbench.web.app import ServerRules

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
JSON = {"Accept": "application/json"}
ANNA = {"name": "Anna", "password": "anna's password"}


@pytest.fixture
def recovery(instance: Path) -> list[str]:
    """Anna has a second factor since a while; her recovery codes."""
    then = datetime.now(UTC) - timedelta(minutes=10)
    code = pyotp.TOTP(SECRET).at(then)
    with open_accounts(instance) as accounts:
        return set_second_factor(accounts.by("Anna", "").at(then), "Anna", SECRET, code)


def code() -> str:
    return pyotp.TOTP(SECRET).now()


def who(client: FlaskClient) -> str | None:
    name = client.get("/session").get_json().get("account")
    return None if name is None else str(name)


def acts_of(instance: Path, name: str) -> list[str]:
    with open_accounts(instance) as accounts:
        return [act.act for act in security_log.acts(accounts, name)]


@pytest.mark.usefixtures("recovery")
def test_signing_in_wants_the_code_after_the_password(app: Flask, post: Post, instance: Path) -> None:
    client = app.test_client()
    asked = post(client, "/sign-in", **ANNA, next="/c/robust/runs")
    assert (asked.status_code, asked.location) == (303, "/sign-in/code?next=/c/robust/runs")
    page = client.get(asked.location)
    assert (page.status_code, "<h1>Enter the code</h1>" in page.text) == (200, True)
    assert 'name="next" value="/c/robust/runs"' in page.text
    assert who(client) is None
    assert client.get("/c/robust/runs", headers=JSON).status_code == 401
    wrong = post(client, "/sign-in/code", code="000000", next="/c/robust/runs")
    assert (wrong.status_code, who(client)) == (401, None)
    assert says(wrong.text)
    right = post(client, "/sign-in/code", code=code(), next="/c/robust/runs")
    assert (right.location, who(client)) == ("/c/robust/runs", "Anna")
    assert acts_of(instance, "Anna")[-2:] == ["second factor refused", "signed in"]


def test_a_recovery_code_stands_in_for_a_code(app: Flask, post: Post, recovery: list[str]) -> None:
    client = app.test_client()
    post(client, "/sign-in", **ANNA)
    assert post(client, "/sign-in/code", code=recovery[3]).status_code == 303
    assert "7 recovery codes left" in client.get("/account").text


@pytest.mark.usefixtures("recovery")
def test_a_script_sends_name_password_and_code_together(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    headers = {**JSON, "X-CSRFToken": token_of(client)}
    asked = client.post("/sign-in", data=ANNA, headers=headers)
    assert (asked.status_code, asked.get_json()["reason"]) == (401, "code")
    wrong = client.post("/sign-in", data={**ANNA, "code": "000000"}, headers=headers)
    assert (wrong.status_code, wrong.get_json()["reason"]) == (401, "code")
    right = client.post("/sign-in", data={**ANNA, "code": code()}, headers=headers)
    assert right.get_json()["account"] == "Anna"


def test_wrong_codes_are_counted_and_then_even_the_right_one_waits(
    app: Flask, post: Post, recovery: list[str]
) -> None:
    for _ in range(2):
        client = app.test_client()
        post(client, "/sign-in", **ANNA)
        for _ in range(5):
            assert post(client, "/sign-in/code", code="000000").status_code == 401
    for right in (code(), recovery[0]):
        assert says(post(client, "/sign-in/code", code=right).text)
    assert who(client) is None


@pytest.mark.parametrize("minutes", [6, -6])  # -6: the clock was ahead, and is put back
@pytest.mark.usefixtures("recovery")
def test_a_password_that_was_given_waits_five_minutes_for_its_code(
    app: Flask, post: Post, monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    client, later = app.test_client(), datetime.now(UTC) + timedelta(minutes=minutes)
    post(client, "/sign-in", **ANNA)
    monkeypatch.setattr(Accounts, "now", property(lambda _: later))
    assert client.get("/sign-in/code").location == "/sign-in?next=/"
    late = post(client, "/sign-in/code", code=pyotp.TOTP(SECRET).at(later))
    assert (late.status_code, who(client)) == (401, None)


def test_without_a_password_no_code_is_looked_at(app: Flask, post: Post) -> None:
    client = app.test_client()
    assert post(client, "/sign-in/code", code=code()).status_code == 401
    with client.session_transaction() as session:
        session["password given"] = ["Anna", 0]
    assert post(client, "/sign-in/code", code=code()).status_code == 401


@pytest.mark.usefixtures("recovery")
def test_a_link_for_a_new_password_does_not_replace_the_second_factor(
    app: Flask, post: Post, instance: Path
) -> None:
    with open_accounts(instance) as accounts:
        token = make_reset(accounts, "Anna")
    client = app.test_client()
    answer = post(client, f"/reset/{token}", password="a new and longer one", again="a new and longer one")
    assert (answer.location, who(client)) == ("/sign-in/code?next=/", None)
    post(client, "/sign-in/code", code=code())
    assert who(client) == "Anna"


@pytest.mark.usefixtures("recovery")
def test_confirming_wants_the_code_too(
    app: Flask, client_of: SignIn, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, later = client_of(app, "Anna"), datetime.now(UTC) + timedelta(minutes=20)
    monkeypatch.setattr(Accounts, "now", property(lambda _: later))
    path, password = "/account/sessions/end-others", {"confirm-password": "anna's password"}
    assert 'name="confirm-code"' in post(client, path).text
    assert post(client, path, **password).status_code == 400
    right = {"confirm-code": pyotp.TOTP(SECRET).at(later)}
    assert post(client, path, **password, **right).status_code == 303


def test_it_is_set_up_with_a_picture_and_shows_recovery_codes_once(
    app: Flask, client_of: SignIn, post: Post, instance: Path
) -> None:
    ben = client_of(app, "Ben")
    page = ben.get("/account/second-factor").text
    (secret,) = re.findall(r'name="secret" value="([A-Z2-7]{32})"', page)
    assert "<svg" in page
    wrong = post(ben, "/account/second-factor", secret=secret, code="000000")
    assert wrong.status_code == 400
    assert f'value="{secret}"' in wrong.text
    assert f"<code>{' '.join(re.findall('....', secret))}</code>" in wrong.text
    # 41 modules and 4 at each side, of 5 pixels each, on white
    assert '<svg width="245" height="245"' in wrong.text
    assert '<g transform="scale(5)"><path fill="#fff" d="M0 0h49v49h-49z"/>' in wrong.text
    done = post(ben, "/account/second-factor", secret=secret, code=pyotp.TOTP(secret).now())
    codes = re.findall(r"(?:[a-z2-7]{4}-){5}[a-z2-7]{4}", done.text)
    assert (done.status_code, len(codes)) == (201, 8)
    assert 'href="/"' in done.text
    assert codes[0] not in ben.get("/account").text
    assert secret not in ben.get("/account").text
    fresh = post(ben, "/account/second-factor/recovery")
    assert len(re.findall(r"(?:[a-z2-7]{4}-){5}[a-z2-7]{4}", fresh.text)) == 8
    assert post(ben, "/account/second-factor/remove").location == "/sign-in"
    with ben.session_transaction() as session:
        assert dict(session) == {}
    assert who(ben) is None
    with open_accounts(instance) as accounts:
        assert not has_second_factor(accounts, "Ben")


def test_where_it_is_required_organisers_set_it_up_before_anything_else_and_others_need_not(
    make_app: MakeApp, client_of: SignIn, post: Post, instance: Path
) -> None:
    app = make_app(operated=ServerRules(second_factor=True))
    anna, ben = client_of(app, "Anna"), client_of(app, "Ben")
    assert ben.get("/c/robust/").status_code == 200
    led = anna.get("/c/robust/runs")
    assert led.location == "/account/second-factor?next=/c/robust/runs"
    refused = anna.get("/c/robust/api/board?m=AP", headers=JSON)
    assert (refused.status_code, refused.get_json()["reason"]) == (403, "second factor")
    assert anna.get("/new").location == "/account/second-factor?next=/new"
    page = anna.get(led.location).text
    (secret,) = re.findall(r'name="secret" value="([A-Z2-7]{32})"', page)
    done = post(
        anna, "/account/second-factor", secret=secret, code=pyotp.TOTP(secret).now(), next="/c/robust/runs"
    )
    assert 'href="/c/robust/runs"' in done.text
    assert anna.get("/c/robust/runs").status_code == 200
    assert post(anna, "/account/second-factor/remove").status_code == 409
    carla = client_of(app, "Carla")
    with open_accounts(instance) as accounts:
        set_makes_campaigns(accounts, "Carla", makes=True)
    assert carla.get("/new").status_code == 302


def test_who_came_without_an_account_has_no_second_factor(make_app: MakeApp, post: Post) -> None:
    client = make_app(demo=True, operated=ServerRules(second_factor=True)).test_client()
    post(client, "/start", name="Dora")
    assert client.get("/c/robust/runs").status_code == 200
    assert client.get("/account/second-factor").status_code == 409
    for way in ("", "/recovery", "/remove"):
        assert post(client, f"/account/second-factor{way}").status_code == 409


def test_where_accounts_cannot_be_written_it_is_not_set_up_and_one_may_try_again(
    app: Flask, client_of: SignIn, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> list[str]:
        raise AccountsUnavailable("accounts.db: the disk is full")

    ben = client_of(app, "Ben")
    monkeypatch.setattr("workbench.people.accounts.second_factor.set_second_factor", fail)
    answer = post(ben, "/account/second-factor", secret=SECRET, code=code())
    assert answer.status_code == 503
    assert SECRET not in answer.text


@pytest.mark.parametrize(
    ("secure", "wanted", "required"), [(True, None, True), (False, None, False), (True, False, False)]
)
def test_a_second_factor_is_required_over_tls_unless_the_operator_says_otherwise(
    make_app: MakeApp, secure: bool, wanted: bool | None, required: bool
) -> None:
    app = make_app(secure=secure, operated=ServerRules(second_factor=wanted))
    assert app.config["SECOND_FACTOR_REQUIRED"] is required


@pytest.mark.usefixtures("recovery")
def test_a_code_that_was_used_signs_nobody_in(app: Flask, post: Post) -> None:
    seen = code()
    for client, comes_in in ((app.test_client(), True), (app.test_client(), False)):
        post(client, "/sign-in", **ANNA)
        post(client, "/sign-in/code", code=seen)
        assert (who(client) == "Anna") is comes_in
