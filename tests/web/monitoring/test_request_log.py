"""The log of requests says what happened, and never who typed what."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from tests.fixture_types import SignIn
from workbench.web.access.rules import PUBLIC, allowing
from workbench.web.monitoring import request_log
from workbench.web.monitoring.request_log import RequestLog, opaque, to_standard_error

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECRET_WORDS = ("a-token-from-the-terminal", "anna's password", "hidden-query", "robust", "Anna")


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def logged(app: Flask, lines: list[str]) -> Flask:
    """The application with its log; each time somebody looks at the watch a quarter of a second has gone by."""
    watch = count(20)
    request_log.init_app(app, lines.append, clock=lambda: NOON, timer=lambda: next(watch) / 4)

    @app.get("/streamed")
    @allowing(PUBLIC)
    def streamed() -> Response:
        return Response(iter([b"abc", b"de", b"f"]))

    @app.get("/failing")
    @allowing(PUBLIC)
    def failing() -> Response:
        raise RuntimeError

    return app


def only(lines: list[str]) -> dict[str, Any]:
    (line,) = lines
    assert "\n" not in line
    return dict(json.loads(line))


def test_a_request_is_one_line(logged: Flask, client_of: SignIn, lines: list[str]) -> None:
    client = client_of(logged, "Anna")
    answer = client.get("/c/robust/board?measure=AP&search=hidden-query", buffered=True)
    line = only(lines)
    number = line.pop("request")
    assert line == {
        "time": "2026-03-01T12:00:00.000+00:00", "level": "INFO", "method": "GET",
        "route": "/c/<campaign>/board", "status": 200, "ms": 250.0, "bytes": len(answer.data),
        "account": opaque(logged, "Anna"),
    }  # fmt: skip
    assert len(number) == 8


def test_nothing_that_was_typed_is_in_any_line(
    anna: FlaskClient, logged: Flask, client_of: SignIn, lines: list[str]
) -> None:
    client = client_of(logged, None)
    for path in ("/start/a-token-from-the-terminal", "/c/robust/topics?search=hidden-query", "/hidden-query"):
        client.get(path, buffered=True)
    token = client.get("/session", buffered=True).get_json()["csrf_token"]
    form = {"name": "Anna", "password": "anna's password", "csrf_token": token}
    client.post("/sign-in", data=form, buffered=True)
    headers = {"Referer": "http://localhost/?hidden-query", "User-Agent": "Anna"}
    client.get("/c/robust/board", headers=headers, buffered=True)
    assert len(lines) == 6
    assert [word for word in (*SECRET_WORDS, token) if word in "\n".join(lines)] == []


def test_an_account_is_one_word_in_all_lines_and_another_on_another_server(
    logged: Flask, client_of: SignIn, lines: list[str]
) -> None:
    for who in ("Anna", "Anna", "Ben", None):
        client_of(logged, who).get("/health", buffered=True)
    accounts = [json.loads(line)["account"] for line in lines]
    assert accounts[0] == accounts[1] != accounts[2]
    assert accounts[3] is None
    other = Flask("other")
    other.secret_key = b"x" * 32
    assert opaque(other, "Anna") != accounts[0]


def test_an_address_that_does_not_exist_has_no_route_and_a_foreign_name_is_logged_too(
    logged: Flask, lines: list[str]
) -> None:
    logged.test_client().get("/none", buffered=True)
    logged.test_client().get("/health", headers={"Host": "evil.example"}, buffered=True)
    missing, foreign = map(json.loads, lines)
    assert (missing["route"], missing["status"], missing["account"]) == (None, 404, None)
    assert foreign["status"] == 400


def test_the_number_of_a_failure_is_the_one_that_the_page_shows(logged: Flask, lines: list[str]) -> None:
    answer = logged.test_client().get("/failing", headers={"Accept": "application/json"}, buffered=True)
    line = only(lines)
    assert (line["status"], line["request"]) == (500, answer.get_json()["request"])


def test_an_answer_in_pieces_is_one_line_when_the_last_was_sent(logged: Flask, lines: list[str]) -> None:
    answer = logged.test_client().get("/streamed", buffered=False)
    assert lines == []
    assert answer.data == b"abcdef"
    answer.close()
    assert only(lines)["bytes"] == 6


def layer(app: Callable[..., Any], lines: list[str]) -> RequestLog:
    return RequestLog(app, lines.append, lambda: NOON, lambda: 0.0)


def test_an_application_that_breaks_is_logged_and_its_error_passes(lines: list[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        layer(lambda *_: 1 / 0, lines)({"REQUEST_METHOD": "GET"}, lambda *_: None)
    assert only(lines)["status"] == 500


def test_a_line_break_in_a_method_or_an_answer_closed_twice_makes_no_second_line(lines: list[str]) -> None:
    request = {"REQUEST_METHOD": 'GET"\n{'}
    answer: Any = layer(lambda *_: [b"abc"], lines)(request, lambda *_: None)
    assert list(answer) == [b"abc"]
    answer.close()
    answer.close()
    assert (only(lines)["method"], only(lines)["bytes"]) == ('GET"\n{', 3)


def test_a_standard_error_that_is_closed_disturbs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = (tmp_path / "errors").open("w")
    monkeypatch.setattr(sys, "stderr", file)
    to_standard_error("{}")
    file.close()
    to_standard_error("{}")
    assert (tmp_path / "errors").read_text() == "{}\n"
