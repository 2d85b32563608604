"""A program with a token: in one campaign, in one role, as long as the person may do that, and nowhere else."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask

from tests.fixture_types import Post, SignIn
from tests.sentences import says
from workbench.cli import main
from workbench.people.accounts import open_accounts
from workbench.people.accounts.tokens import Scope, make_token, tokens
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.log.log import events, mark
from workbench.storage.campaign.people import members
from workbench.web.access import rules

Ask = dict[str, str]


def token_of(instance: Path, name: str, role: str, campaign: str = "robust") -> Ask:
    """The headers of a program with a new token."""
    with open_accounts(instance) as accounts, open_campaign(instance / f"{campaign}.db") as held:
        secret = make_token(accounts, name, Scope(campaign, mark(held), role), "test")
    return {"Authorization": f"Bearer {secret}"}


def test_a_program_reads_and_changes_without_cookie_and_form_token(app: Flask, instance: Path) -> None:
    program, anna = app.test_client(), token_of(instance, "Anna", "organiser")
    board = program.get("/c/robust/api/board", headers=anna)
    assert (board.status_code, board.mimetype, "Set-Cookie" in board.headers) == (
        200,
        "application/json",
        False,
    )
    files = {"files": (BytesIO(b"1\trivers\n"), "topics.tsv")}
    added = program.post("/c/robust/add/topics", data=files, headers=anna)
    assert added.status_code == 200, added.text
    with open_campaign(instance / "robust.db") as campaign:
        assert [(event.actor, event.through) for event in events(campaign, "topics")] == [("Anna", "token")]


def test_each_row_of_the_log_says_by_what_it_was_written(
    app: Flask, client_of: SignIn, post: Post, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(client_of(app, "Anna"), "/c/robust/people/scores", open="yes")
    open_again = {"open": "no"}
    app.test_client().post(
        "/c/robust/people/scores", data=open_again, headers=token_of(instance, "Anna", "organiser")
    )
    monkeypatch.chdir(instance.parent)
    CliRunner().invoke(main, ["set", "robust", "title", "Rivers"], catch_exceptions=False)
    with open_campaign(instance / "robust.db") as campaign:
        assert [event.through for event in events(campaign, "settings")] == ["page", "token", "command"]
        assert {event.through for event in events(campaign, "member")} == {None}


@pytest.mark.parametrize("secret", ["wbt_", "wbt_unknown", "wbt_é"])
def test_a_token_that_does_not_hold_is_refused_even_beside_a_good_cookie(
    app: Flask, client_of: SignIn, secret: str
) -> None:
    headers = {"Authorization": f"Bearer {secret}"}
    for client in (app.test_client(), client_of(app, "Anna")):
        for place in ("/c/robust/api/board", "/session", "/"):
            answer = client.get(place, headers=headers | {"Accept": "application/json"})
            assert (answer.status_code, answer.get_json()["reason"]) == (401, "token")
            assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_token_that_a_proxy_adds_for_a_person_is_no_matter(app: Flask, client_of: SignIn) -> None:
    headers = {"Authorization": "Bearer eyJhbGciOiJSUzI1NiJ9.e30.x"}
    assert client_of(app, "Anna").get("/c/robust/api/board", headers=headers).status_code == 200
    assert app.test_client().get("/c/robust/api/board", headers=headers).status_code == 401


def test_a_token_is_good_for_its_campaign_its_role_and_nothing_else(app: Flask, instance: Path) -> None:
    with create_campaign(instance / "other.db") as other, other.write():
        members.put(other.by("Anna"), "Anna", "organiser")
    program = app.test_client()
    observer, organiser = (token_of(instance, "Anna", role) for role in ("observer", "organiser"))
    assert program.get("/c/robust/api/board", headers=observer).status_code == 200
    assert program.get("/c/robust/api/steps", headers=observer).status_code == 403
    assert program.get("/c/robust/api/steps", headers=organiser).status_code == 200
    assert program.get("/c/other/api/steps", headers=organiser).status_code == 404
    for place in ("/account", "/new", "/account/stored-data"):
        refusal = program.get(place, headers=organiser)
        assert (refusal.status_code, "robust" in refusal.get_json()["message"]) == (403, True)
    assert program.post("/account/tokens", headers=organiser).status_code == 403


def test_a_token_ends_with_the_role_of_its_owner(app: Flask, instance: Path) -> None:
    program, wilma = app.test_client(), token_of(instance, "Wilma", "adjudicator")
    never = token_of(instance, "Ben", "organiser")  # a row that nobody could have made by the page
    place = "/c/robust/api/preferences"
    assert program.get(place, headers=wilma).status_code == 200
    assert program.get("/c/robust/api/steps", headers=never).status_code == 404
    with open_campaign(instance / "robust.db") as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Wilma", "assessor")
    assert program.get(place, headers=wilma).status_code == 404


def test_what_needs_the_password_is_not_open_to_a_token(app: Flask, instance: Path) -> None:
    program, anna = app.test_client(), token_of(instance, "Anna", "organiser")
    answer = program.post("/c/robust/people/offer", data={"name": "Carla", "role": "assessor"}, headers=anna)
    assert (answer.status_code, answer.get_json()["reason"]) == (403, "confirm")
    assert says(answer.get_json()["message"])


def test_many_requests_with_one_token_wait_and_those_of_another_do_not(
    app: Flask, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = app.extensions["workbench_token_requests"]
    monkeypatch.setattr(counted, "_attempts", 3)
    program = app.test_client()
    one, two = token_of(instance, "Anna", "observer"), token_of(instance, "Anna", "observer")
    answers = [program.get("/c/robust/api/board", headers=one) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 0 < int(answers[3].headers["Retry-After"]) <= 61
    assert str(rules.MOST_REQUESTS) in answers[3].get_json()["message"]
    assert program.get("/c/robust/api/board", headers=two).status_code == 200


def test_a_token_is_made_on_the_page_shown_once_and_revoked_there(
    app: Flask, client_of: SignIn, post: Post, instance: Path
) -> None:
    ben = client_of(app, "Ben")
    fields = {"purpose": "my judgments", "scope": "robust assessor", "days": "30"}
    made = post(ben, "/account/tokens", **fields)
    assert made.status_code == 201
    (secret,) = re.findall(r"wbt_[\w-]{43}", made.text)
    program = app.test_client()
    headers = {"Authorization": f"Bearer {secret}"}
    assert program.get("/c/robust/api/preferences", headers=headers).status_code == 200
    page = ben.get("/account").text
    assert (secret in page, "my judgments" in page) == (False, True)
    for scope in ("robust organiser", "other assessor", "robust"):
        assert post(ben, "/account/tokens", **fields | {"scope": scope}).status_code == 400
    assert post(ben, "/account/tokens", **fields | {"days": "x"}).status_code == 400
    with open_accounts(instance) as accounts:
        (token,) = tokens(accounts, "Ben")
    stranger = client_of(app, "Carla")
    post(stranger, "/account/tokens/revoke", token=str(token.token))
    assert program.get("/c/robust/api/preferences", headers=headers).status_code == 200
    assert post(ben, "/account/tokens/revoke", token=str(token.token)).location == "/account?done=token"
    assert program.get("/c/robust/api/preferences", headers=headers).status_code == 401


def test_organisers_see_and_revoke_the_tokens_of_their_campaign_alone(
    app: Flask, client_of: SignIn, post: Post, instance: Path
) -> None:
    ben, program = token_of(instance, "Ben", "assessor"), app.test_client()
    program.get("/c/robust/api/preferences", headers=ben, environ_base={"REMOTE_ADDR": "192.0.2.99"})
    anna = client_of(app, "Anna")
    page = anna.get("/c/robust/people").text
    assert (' for test of Ben"' in page, "192.0.2.99" in page) == (True, False)
    with create_campaign(instance / "other.db") as other, other.write():
        members.put(other.by("Carla"), "Carla", "organiser")
    post(client_of(app, "Carla"), "/c/other/people/tokens/revoke", token="1")
    assert program.get("/c/robust/api/preferences", headers=ben).status_code == 200
    assert post(anna, "/c/robust/people/tokens/revoke", token="1").status_code == 303
    assert program.get("/c/robust/api/preferences", headers=ben).status_code == 401
