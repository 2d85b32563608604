"""A session is a signed cookie that outlives a night and ends when it should."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import MakeApp, SignIn, TokenOf
from workbench.people.accounts import Accounts
from workbench.web.access import sessions
from workbench.web.access.rules import SIGNED_IN, allowing
from workbench.web.requests.allowed_hosts import AllowedHosts

FORM = {"name": "Anna", "password": "anna's password"}


def with_probe(app: Flask) -> Flask:
    @app.route("/probe", methods=["GET", "POST"])
    @allowing(SIGNED_IN)
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


def test_browsers_keep_the_cookie_as_long_as_the_session_may_last(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    cookie = cookie_after_sign_in(client, token_of(client))["workbench_5000"]
    expires = datetime.strptime(cookie["expires"], "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
    assert timedelta(hours=11) < expires - datetime.now(UTC) <= timedelta(hours=12)


def test_behind_a_proxy_that_ends_tls_the_cookie_is_secure(make_app: MakeApp) -> None:
    app = make_app(behind_proxy=True, allowed=AllowedHosts.for_address("127.0.0.1", ["judge.example"]))
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "judge.example", "Host": "127.0.0.1:5000"}
    answer = app.test_client().get("/sign-in", headers=headers)
    assert "; Secure" in answer.headers["Set-Cookie"]


def test_where_tls_is_asked_for_the_cookie_is_this_very_hosts(make_app: MakeApp, token_of: TokenOf) -> None:
    client = make_app(secure=True, port=5017).test_client()
    token = token_of(client, "https://localhost")
    cookie = cookie_after_sign_in(client, token, base_url="https://localhost")["__Host-workbench_5017"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")
    plain = make_app(port=5017).test_client()
    assert list(cookie_after_sign_in(plain, token_of(plain))) == ["workbench_5017"]


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Let sessions and signatures have this time."""
    monkeypatch.setattr(Accounts, "now", property(lambda _: moment))
    monkeypatch.setattr("time.time", moment.timestamp)


@pytest.mark.parametrize("base_url", ["http://localhost:5000", "https://localhost"])
def test_a_page_that_is_open_all_day_still_saves(
    app: Flask, token_of: TokenOf, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_probe(app)
    client, began = app.test_client(), datetime.now(UTC)
    client.post("/sign-in", data={**FORM, "csrf_token": token_of(client, base_url)}, base_url=base_url)
    headers = {"X-CSRFToken": token_of(client, base_url), "Origin": base_url, "Accept": "application/json"}
    for minutes in range(0, 12 * 60 - 1, 25):
        at(monkeypatch, began + timedelta(minutes=minutes))
        assert client.post("/probe", headers=headers, base_url=base_url).text == "saved"
    at(monkeypatch, began + timedelta(hours=12, seconds=1))
    assert client.post("/probe", headers=headers, base_url=base_url).status_code == 401


def test_a_session_without_a_request_ends_after_half_an_hour_also_under_a_page_that_asks_by_itself(
    app: Flask, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_probe(app)
    client, began = app.test_client(), datetime.now(UTC)
    cookie_after_sign_in(client, token_of(client))
    by_itself = {"Accept": "application/json", "X-Background": "yes"}
    for minutes in (10, 20, 29):
        at(monkeypatch, began + timedelta(minutes=minutes))
        assert client.get("/probe", headers=by_itself).status_code == 200
    at(monkeypatch, began + timedelta(minutes=31))
    assert client.get("/probe", headers=by_itself).status_code == 401


def test_a_local_session_goes_on_from_day_to_day_and_ends_after_thirty_without_a_visit(
    make_app: MakeApp, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_probe(make_app(demo=True))
    client, began = app.test_client(), datetime.now(UTC)
    client.post("/start", data={"name": "Dora", "csrf_token": token_of(client)})
    at(monkeypatch, began + timedelta(days=29))
    assert "Set-Cookie" in client.get("/probe").headers
    assert "Set-Cookie" not in client.get("/probe").headers
    at(monkeypatch, began + timedelta(days=58))
    assert client.get("/probe").status_code == 200
    at(monkeypatch, began + timedelta(days=89))
    assert client.get("/probe", headers={"Accept": "application/json"}).status_code == 401


@pytest.mark.parametrize("options", [{}, {"demo": True}])
def test_a_copied_cookie_is_worth_nothing_after_signing_out(
    make_app: MakeApp, token_of: TokenOf, options: dict[str, bool]
) -> None:
    app = with_probe(make_app(**options))
    client, thief = app.test_client(), app.test_client()
    way = "/start" if options else "/sign-in"
    client.post(way, data={**FORM, "name": "Dora" if options else "Anna", "csrf_token": token_of(client)})
    cookie = client.get_cookie("workbench_5000")
    assert cookie is not None
    thief.set_cookie("workbench_5000", cookie.value)
    assert thief.get("/probe").text == "saved"
    assert client.post("/sign-out", data={"csrf_token": token_of(client)}).status_code == 302
    assert thief.get("/probe", headers={"Accept": "application/json"}).status_code == 401


def test_signing_in_keeps_nothing_of_the_session_before_and_ends_it(app: Flask, token_of: TokenOf) -> None:
    client, thief = app.test_client(), with_probe(app).test_client()
    with client.session_transaction() as session:
        session["planted"] = "by somebody else"
    before = token_of(client)
    cookie_after_sign_in(client, before)
    with client.session_transaction() as session:
        assert set(session) == {"_permanent", "token"}
    assert client.post("/sign-out", data={"csrf_token": before}).status_code == 400
    first = client.get_cookie("workbench_5000")
    assert first is not None
    thief.set_cookie("workbench_5000", first.value)
    cookie_after_sign_in(client, token_of(client))
    assert thief.get("/probe", headers={"Accept": "application/json"}).status_code == 401


def test_a_cookie_signed_by_another_server_is_nothing(
    make_app: MakeApp, client_of: SignIn, instance: Path, token_of: TokenOf
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
    assert cookie_after_sign_in(client, token_of(client))["workbench_5000"]["path"] == "/"


@pytest.mark.parametrize(
    ("local", "name", "account", "is_held"),
    [
        ("", "Ben", None, False),
        ("", "Ben", SimpleNamespace(name="Ben", disabled=True, makes_campaigns=False), False),
        ("", "Ben", SimpleNamespace(name="Ben", disabled=False, makes_campaigns=True, language=""), True),
        ("demo", "guest", None, True),
        ("demo", "ANNA", None, False),  # there is an account Anna
    ],
)
def test_a_session_is_held_by_an_account_that_is_open_or_by_who_came_in_as_this_server_offers(
    make_app: MakeApp, local: str, name: str, account: Any, is_held: bool
) -> None:
    found: Any = SimpleNamespace(name=name, local=local)
    with make_app(demo=True).test_request_context():
        holder = sessions._holder(found, account)
    assert (holder is not None) is is_held
    if holder is not None:
        assert (holder.name, holder.local, holder.makes_campaigns) == (name, bool(local), not local)


BROWSERS = """
Firefox on Linux · Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0
Chrome on Linux · Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131 Safari/537.36
Edge on Windows · Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131 Safari/537.36 Edg/131
Safari on a Mac · Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.1 Safari/605.1.15
Chrome on Android · Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131 Mobile Safari/537.36
An unknown program · curl/8.5.0
A program on Linux · python-requests/2.32 (Linux)
"""


def test_a_browser_is_named_as_its_owner_knows_it() -> None:
    for words, user_agent in (line.split(" · ") for line in BROWSERS.strip().splitlines()):
        assert sessions.browser_words(user_agent) == words
    assert [sessions.browser_words(text) for text in ("", "<script>" * 1000)] == ["An unknown program"] * 2


def test_over_tls_the_cookie_is_secure_without_being_told(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    cookie = cookie_after_sign_in(client, token_of(client, "https://localhost"), base_url="https://localhost")
    assert cookie["workbench_5000"]["secure"] is True
