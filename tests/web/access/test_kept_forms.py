"""A form that is sent after the session ended is not lost."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.fixture_types import Post
from workbench.people.accounts import open_accounts
from workbench.people.accounts.second_factor import set_second_factor
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

TYPED = {"name": "Ben", "role": "adjudicator", "team": "", "note": 'a "note" <b>\nof two lines'}
PATH = "/c/robust/people/role"
ANNA = {"name": "Anna", "password": "anna's password"}
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def hidden(answer: TestResponse) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', answer.text)
    return {name: html.unescape(value) for name, value in found if name != "csrf_token"}


def role_of_ben(instance: Path) -> str | None:
    with open_campaign(instance / "robust.db") as campaign:
        return members.role_of(campaign, "Ben")


def test_what_was_typed_is_kept_over_signing_in_and_sent_by_one_more_press(
    app: Flask, post: Post, instance: Path
) -> None:
    client = app.test_client()
    asked = post(client, PATH, **TYPED)
    assert (asked.status_code, hidden(asked)["next"]) == (401, PATH)
    wrong = post(client, "/sign-in", **{**hidden(asked), **ANNA, "password": "wrong"})
    signed_in = post(client, "/sign-in", **{**hidden(wrong), **ANNA})
    assert f'action="{PATH}"' in signed_in.text
    assert hidden(signed_in) == TYPED
    assert role_of_ben(instance) == "assessor"
    assert post(client, PATH, **hidden(signed_in)).status_code == 303
    assert role_of_ben(instance) == "adjudicator"


def test_it_is_kept_over_a_second_factor_too(app: Flask, post: Post, instance: Path) -> None:
    then = datetime.now(UTC) - timedelta(minutes=10)
    with open_accounts(instance) as accounts:
        set_second_factor(accounts.by("Anna", "").at(then), "Anna", SECRET, pyotp.TOTP(SECRET).at(then))
    client = app.test_client()
    asked = post(client, PATH, **TYPED)
    half = post(client, "/sign-in", **{**hidden(asked), **ANNA})
    wrong = post(client, "/sign-in/code", **hidden(half), code="000000")
    done = post(client, "/sign-in/code", **hidden(wrong), code=pyotp.TOTP(SECRET).now())
    assert f'action="{PATH}"' in done.text
    assert hidden(done) == TYPED


def test_a_form_with_a_password_and_one_of_another_site_are_not_kept(app: Flask, post: Post) -> None:
    client = app.test_client()
    password = {"now": "anna's password", "new": "a new long one", "again": "a new long one"}
    answer = post(client, "/account/password", **password)
    assert (answer.status_code, answer.location) == (302, "/sign-in")
    foreign = client.post(PATH, data=TYPED, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    assert "Ben" not in foreign.text


@pytest.mark.parametrize("body", ["a&" * 5_000, "note=" + "x" * 300_000])
def test_a_form_that_nobody_typed_is_not_kept_and_makes_no_long_page(app: Flask, body: str) -> None:
    form = "application/x-www-form-urlencoded"
    asked = app.test_client().post(PATH, data=body, content_type=form)
    assert (asked.status_code, asked.location) == (302, "/sign-in")


def test_a_page_of_signing_in_passes_on_no_more_fields_than_a_form_has(app: Flask, post: Post) -> None:
    many = {f"kept.{number}": "" for number in range(5_000)}
    wrong = post(app.test_client(), "/sign-in", **many, **{**ANNA, "password": "wrong"})
    assert (wrong.status_code, hidden(wrong)) == (401, {"next": "/"})
