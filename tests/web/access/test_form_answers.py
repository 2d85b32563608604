"""A form that a program sends is answered in JSON: what was done and where it is, or what is wrong in which field."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import Post, SignIn
from tests.sentences import says
from workbench.people.accounts import open_accounts
from workbench.people.accounts.tokens import make_token
from workbench.people.members.programs import scope
from workbench.storage.campaign import open_campaign

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def program(app: Flask, instance: Path) -> FlaskClient:
    """A client with a token of the organiser Anna, which asks for nothing but JSON."""
    with open_accounts(instance) as accounts, open_campaign(instance / "small.db") as campaign:
        token = make_token(accounts, "Anna", scope(campaign, "Anna", "organiser"), "test")
    client = app.test_client()
    client.environ_base |= {"HTTP_AUTHORIZATION": f"Bearer {token}", "HTTP_ACCEPT": "application/json"}
    return client


def test_what_was_done_is_said_with_the_address_that_shows_it(program: FlaskClient) -> None:
    answer = program.post("/c/small/topic/withdraw", data={"topic": "1", "reason": "no  longer"})
    assert answer.status_code == 200
    assert answer.json == {"message": "Topic 1 withdrawn.", "address": "/c/small/topic?topic=1", "text": ""}
    assert "Set-Cookie" not in answer.headers


def test_a_field_that_is_missing_or_takes_no_such_value_is_named(program: FlaskClient) -> None:
    too_long = {"topic": "1", "reason": "x" * 9_999}
    for fields, wrong in (({}, "topic"), ({"topic": "1", "do": "delete"}, "do"), (too_long, "reason")):
        answer = program.post("/c/small/topic/withdraw", data=fields)
        assert answer.status_code == 422
        assert (answer.json["reason"], answer.json["field"]) == ("bad value", wrong)
        assert says(answer.json["message"])


def test_what_a_page_says_is_wrong_is_the_message_and_its_marked_field_the_field(
    program: FlaskClient,
) -> None:
    program.post("/c/small/topic/withdraw", data={"topic": "1"})
    again = program.post("/c/small/topic/withdraw", data={"topic": "1"})
    assert (again.status_code, again.json["reason"]) == (409, "conflict")
    assert says(again.json["message"], "1")
    wrong = program.post("/c/small/settings", data={"relevant-from": "many"})
    assert (wrong.status_code, wrong.json["field"]) == (422, "relevant-from")


def test_what_is_shown_before_it_is_done_is_the_text_of_its_page(program: FlaskClient) -> None:
    shown = program.post("/c/small/delete/topic", data={"ids": "2"})
    assert (shown.status_code, shown.json["address"]) == (200, "/c/small/delete/topic")
    assert says(shown.json["text"], "1")
    assert "<" not in shown.json["text"]


def test_what_asks_for_the_password_stays_closed_to_a_token(program: FlaskClient) -> None:
    answer = program.post("/c/small/people/role", data={"name": "Ben", "role": "organiser"})
    assert (answer.status_code, answer.json["reason"]) == (403, "confirm")


def test_people_get_the_page_and_the_same_sentence_on_it(app: Flask, client_of: SignIn, post: Post) -> None:
    anna = client_of(app, "Anna")
    answer = post(anna, "/c/small/topic/withdraw", topic="1")
    assert answer.status_code == 303
    page = anna.get(answer.location)
    assert says(page.text, "1")
    assert "Topic 1 withdrawn." in page.text
    assert "Topic 1 withdrawn." not in anna.get(answer.location).text
