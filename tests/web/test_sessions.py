"""A session is a signed cookie that outlives a night and ends when it should."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from workbench.web import sessions
from workbench.web.access import SIGNED_IN, allow
from workbench.web.hosts import AllowedHosts

MakeApp = Callable[..., Flask]
SignIn = Callable[[Flask, str | None], FlaskClient]
TokenOf = Callable[..., str]

FORM = {"name": "Anna", "password": "anna's password"}


def with_probe(app: Flask) -> Flask:
    @app.route("/probe", methods=["GET", "POST"])
    @allow(SIGNED_IN)
    def probe() -> str:
        return "saved"

    return app


def cookie_after_sign_in(client: FlaskClient, token: str, **options: object) -> SimpleCookie:
    answer = client.post("/sign-in", data={**FORM, "csrf_token": token}, **options)  # type: ignore[arg-type]
    assert answer.status_code == 303
    return SimpleCookie(answer.headers["Set-Cookie"])


def test_the_cookie_is_named_by_port_and_kept_from_scripts(make_app: MakeApp, token_of: TokenOf) -> None:
    client = make_app(port=5017).test_client()
    cookie = cookie_after_sign_in(client, token_of(client))["workbench_5017"]
    assert cookie["httponly"] is True
    assert (cookie["samesite"], cookie["secure"], cookie["path"]) == ("Lax", "", "/")


def test_the_cookie_stays_for_thirty_days(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    cookie = cookie_after_sign_in(client, token_of(client))["workbench_5000"]
    expires = datetime.strptime(cookie["expires"], "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
    assert timedelta(days=29) < expires - datetime.now(UTC) <= timedelta(days=30)


def test_over_tls_the_cookie_is_secure_without_being_told(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    cookie = cookie_after_sign_in(client, token_of(client, "https://localhost"), base_url="https://localhost")
    assert cookie["workbench_5000"]["secure"] is True


def test_behind_a_proxy_that_ends_tls_the_cookie_is_secure(make_app: MakeApp) -> None:
    app = make_app(behind_proxy=True, allowed=AllowedHosts.for_address("127.0.0.1", ["judge.example"]))
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "judge.example", "Host": "127.0.0.1:5000"}
    answer = app.test_client().get("/sign-in", headers=headers)
    assert "; Secure" in answer.headers["Set-Cookie"]


def test_secure_can_be_asked_for(make_app: MakeApp) -> None:
    assert "; Secure" in make_app(secure=True).test_client().get("/sign-in").headers["Set-Cookie"]


@pytest.mark.parametrize("base_url", ["http://localhost:5000", "https://localhost"])
def test_a_page_left_open_overnight_still_saves(
    app: Flask, client_of: SignIn, token_of: TokenOf, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_probe(app)
    client = app.test_client()
    token = token_of(client, base_url)
    client.post("/sign-in", data={**FORM, "csrf_token": token}, base_url=base_url)
    token = token_of(client, base_url)
    later = datetime.now(UTC).timestamp() + 3 * 24 * 3600
    monkeypatch.setattr("time.time", lambda: later)
    headers = {"X-CSRFToken": token, "Origin": base_url, "Accept": "application/json"}
    assert client.post("/probe", headers=headers, base_url=base_url).text == "saved"


def test_a_session_ends_after_thirty_days_without_a_visit(
    app: Flask, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_probe(app)
    client = app.test_client()
    cookie_after_sign_in(client, token_of(client))
    later = datetime.now(UTC).timestamp() + 31 * 24 * 3600
    monkeypatch.setattr("time.time", lambda: later)
    assert client.get("/probe", headers={"Accept": "application/json"}).status_code == 401


def test_a_visit_moves_the_end_on_once_a_day_and_not_more_often(
    app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_probe(app)
    client = client_of(app, "Anna")
    assert "Set-Cookie" in client.get("/probe").headers
    assert "Set-Cookie" not in client.get("/probe").headers

    class Tomorrow(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(days=1)

    monkeypatch.setattr(sessions, "datetime", Tomorrow)
    assert "Set-Cookie" in client.get("/probe").headers


def test_signing_in_keeps_nothing_of_the_session_before(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    with client.session_transaction() as session:
        session["planted"] = "by somebody else"
    before = token_of(client)
    cookie_after_sign_in(client, before)
    with client.session_transaction() as session:
        assert "planted" not in session
        assert set(session) == {"_permanent", "name", "mark", "day"}
    assert client.post("/sign-out", data={"csrf_token": before}).status_code == 400


def test_a_cookie_signed_by_another_server_is_nothing(
    make_app: MakeApp, client_of: SignIn, instance: Path
) -> None:
    there = make_app()
    anna = client_of(there, "Anna")
    cookie = anna.get_cookie("workbench_5000")
    assert cookie is not None
    (instance / "secret_key").unlink()
    here = with_probe(make_app())
    client = here.test_client()
    client.set_cookie("workbench_5000", cookie.value)
    assert client.get("/probe", headers={"Accept": "application/json"}).status_code == 401
