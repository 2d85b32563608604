"""Two servers over one instance folder: what is in its files holds on both, what is in memory is each one's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import MakeApp, Post
from workbench.people.accounts import open_accounts
from workbench.people.accounts.second_factor import set_second_factor

Apps = tuple[Flask, Flask]

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
BEN = {"name": "Ben", "password": "ben's password"}
ANNA = {"name": "Anna", "password": "anna's password"}


@pytest.fixture
def apps(make_app: MakeApp) -> Apps:
    return make_app(port=5000), make_app(port=5001)


def who(client: FlaskClient) -> object:
    return client.get("/session").get_json().get("account")


def same_cookie(client: FlaskClient, other: Flask) -> FlaskClient:
    """The browser of a client at the other server, whose cookie has another name only."""
    cookie = client.get_cookie(client.application.config["SESSION_COOKIE_NAME"])
    assert cookie is not None
    browser = other.test_client()
    browser.set_cookie(other.config["SESSION_COOKIE_NAME"], cookie.value)
    return browser


def test_a_session_holds_on_both_and_signing_out_on_one_ends_it_on_both(apps: Apps, post: Post) -> None:
    here = apps[0].test_client()
    post(here, "/sign-in", **BEN)
    there = same_cookie(here, apps[1])
    assert (who(here), who(there)) == ("Ben", "Ben")
    post(there, "/sign-out")
    assert (who(here), who(there)) == (None, None)


def test_a_code_that_was_used_at_one_is_not_good_at_the_other(apps: Apps, post: Post, instance: Path) -> None:
    then = datetime.now(UTC) - timedelta(minutes=10)
    with open_accounts(instance) as accounts:
        set_second_factor(accounts.by("Anna", "").at(then), "Anna", SECRET, pyotp.TOTP(SECRET).at(then))
    code, found = pyotp.TOTP(SECRET).now(), []
    for app in apps:
        client = app.test_client()
        post(client, "/sign-in", **ANNA)
        post(client, "/sign-in/code", code=code)
        found.append(who(client))
    assert found == ["Anna", None]


def test_wrong_passwords_are_counted_by_each_server_for_itself(apps: Apps, post: Post) -> None:
    here, there = (app.test_client() for app in apps)
    for _ in range(5):
        assert post(here, "/sign-in", name="Ben", password="a guess").status_code == 401
    assert post(here, "/sign-in", **BEN).status_code == 429
    post(there, "/sign-in", **BEN)
    assert who(there) == "Ben"
