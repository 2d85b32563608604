"""Errors answer in the asker's language, and never show the program's inside."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest
from flask import Flask, Response, abort, request
from flask.testing import FlaskClient

from tests.fixture_types import SignIn
from tests.sentences import says
from workbench.core.errors import (
    CampaignError,
    CampaignReadOnly,
    InputError,
    JudgmentRefused,
    NotThere,
    Problem,
)
from workbench.web.access.rules import ORGANISERS, PUBLIC, allowing

JSON = {"Accept": "application/json"}


@pytest.fixture
def failing(app: Flask) -> FlaskClient:
    """A client of an app whose view `/fail/<what>` fails in the way it is asked to."""
    busy = sqlite3.OperationalError("database is locked")
    busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
    errors: dict[str, Exception] = {
        "busy": busy,
        "bug": ZeroDivisionError("the inside"),
        "campaign": CampaignError("/srv/secret/robust.db: cannot be read"),
        "read-only": CampaignReadOnly("/srv/secret/robust.db: this user can read this campaign"),
        "missing": NotThere("301: there is no such topic"),
        "input": InputError([Problem("a.run", 2, "not a number: 'x'")]),
        "conflict": JudgmentRefused("replaced elsewhere", "this was judged again elsewhere"),
        "grade": JudgmentRefused("bad grade", "7 is no grade of this campaign"),
    }

    @app.get("/fail/<what>")
    @allowing(PUBLIC)
    def fail(what: str) -> str:
        if what.isdigit():
            abort(int(what))
        raise errors[what]

    @app.get("/c/<campaign>/fail/<what>")
    @allowing(ORGANISERS)
    def fail_in_campaign(campaign: str, what: str) -> str:
        raise errors[what]

    @app.post("/take")
    @allowing(PUBLIC)
    def take() -> str:
        return str(len(request.get_data()))

    @app.get("/fail-with/<token>")
    @allowing(PUBLIC)
    def fail_with(token: str) -> str:
        raise ZeroDivisionError

    return app.test_client()


def test_an_error_begins_no_session_and_leaves_the_one_there_is(
    failing: FlaskClient, app: Flask, client_of: SignIn
) -> None:
    page = failing.get("/favicon.ico", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers.get("Set-Cookie")) == (404, None)
    assert 'name="csrf-token"' not in page.text
    assert 'name="csrf-token"' in client_of(app, "Ben").get("/nothing", headers={"Accept": "text/html"}).text


STATUSES = {400: "bad request", 401: "signed out", 403: "not allowed", 404: "not found"} | {
    405: "wrong method",
    409: "conflict",
    413: "too large",
    415: "wrong type",
    429: "too many attempts",
    500: "failure",
    503: "unavailable",
}


@pytest.mark.parametrize("status", STATUSES)
def test_people_get_a_page_and_scripts_a_word(failing: FlaskClient, status: int) -> None:
    for accept in ("text/html,application/xhtml+xml,*/*;q=0.8", "*/*", ""):
        page = failing.get(f"/fail/{status}", headers={"Accept": accept})
        assert (page.status_code, page.mimetype) == (status, "text/html")
        assert "<h1>" in page.text
    answer = failing.get(f"/fail/{status}", headers=JSON)
    assert (answer.status_code, answer.get_json()["reason"]) == (status, STATUSES[status])
    assert answer.get_json()["message"]


def test_an_address_for_scripts_answers_in_json_anyway(failing: FlaskClient) -> None:
    assert failing.get("/c/robust/api/nothing").mimetype == "application/json"


def test_a_failure_is_logged_under_the_number_that_the_page_shows(
    failing: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        body = failing.get("/fail/bug", headers=JSON).get_json()
    assert body["reason"] == "failure"
    assert f"request {body['request']} failed: GET /fail/bug" in caplog.text
    assert "ZeroDivisionError: the inside" in caplog.text


def test_a_token_in_the_address_of_a_failure_is_not_logged(
    failing: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    assert failing.get("/fail-with/open-sesame").status_code == 500
    assert "failed: GET /fail-with/<token>" in caplog.text
    assert "open-sesame" not in caplog.text


@pytest.mark.parametrize("what", ["bug", "campaign"])
def test_a_failure_shows_nothing_of_the_inside(failing: FlaskClient, what: str) -> None:
    for headers in (JSON, {"Accept": "text/html"}):
        answer = failing.get(f"/fail/{what}", headers=headers)
        assert answer.status_code == 500
        assert not any(word in answer.text for word in ("Traceback", "inside", "ZeroDivision", "/srv/"))


@pytest.mark.parametrize(
    ("what", "status", "reason", "message"),
    [
        ("missing", 404, "not found", "301: there is no such topic"),
        ("input", 400, "bad request", "a.run:2: not a number: 'x'"),
        ("conflict", 409, "replaced elsewhere", "this was judged again elsewhere"),
        ("grade", 422, "bad grade", "7 is no grade of this campaign"),
    ],
)
def test_errors_that_speak_to_people_keep_their_words(
    failing: FlaskClient, what: str, status: int, reason: str, message: str
) -> None:
    answer = failing.get(f"/fail/{what}", headers=JSON)
    assert answer.status_code == status
    assert answer.get_json() == {"reason": reason, "message": message}


def test_what_a_read_only_file_cannot_store_is_said_to_be_unsaved_without_a_path(
    failing: FlaskClient,
) -> None:
    answer = failing.get("/fail/read-only", headers=JSON)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert says(answer.get_json()["message"])


def test_a_page_of_an_earlier_session_is_told_to_reload(failing: FlaskClient) -> None:
    answer = failing.post("/take")
    assert answer.status_code == 400
    assert says(answer.text)


def test_what_is_too_large_is_refused(failing: FlaskClient) -> None:
    token = failing.get("/session").get_json()["csrf_token"]
    headers = {**JSON, "X-CSRFToken": token, "Content-Type": "application/json"}
    assert failing.post("/take", data=b"x" * 1_000_000, headers=headers).text == "1000000"
    answer = failing.post("/take", data=b"x" * 1_000_001, headers=headers)
    assert (answer.status_code, answer.get_json()["reason"]) == (413, "too large")


def test_an_answer_that_a_view_aborts_with_is_left_alone(app: Flask) -> None:
    @app.get("/own")
    @allowing(PUBLIC)
    def own() -> str:
        abort(Response("mine", status=418))

    answer = app.test_client().get("/own")
    assert (answer.status_code, answer.text) == (418, "mine")


def test_a_file_that_is_busy_is_named_in_the_log_alone_and_asked_for_again(
    failing: FlaskClient, app: Flask, client_of: SignIn, instance: Path, caplog: pytest.LogCaptureFixture
) -> None:
    said = "another process has been writing for too long; try again later"
    for client, address, name in (
        (failing, "/fail/busy", "the campaign"),
        (client_of(app, "Anna"), "/c/robust/fail/busy", str(instance / "robust.db")),
    ):
        answer = client.get(address, headers=JSON)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert str(instance) not in answer.text
        assert caplog.messages[-1] == f"request {answer.get_json()['request']} failed: {name}: {said}"


def test_the_wrong_method_is_named_with_the_right_ones(failing: FlaskClient) -> None:
    answer = failing.get("/take", headers=JSON)
    assert (answer.status_code, answer.get_json()["reason"]) == (405, "wrong method")
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
