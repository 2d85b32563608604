"""Coming in by password, by the terminal's link, or by the demo's button; and going out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.security import generate_password_hash
from werkzeug.test import TestResponse

from tests.fixture_types import MakeApp, Post, SignIn, TokenOf
from tests.sentences import says
from workbench.people.accounts import AccountsUnavailable, add_account, open_accounts, security_log
from workbench.people.accounts.guesses import Throttle
from workbench.web.accounts.sign_in import local_path

JSON = {"Accept": "application/json"}
ANNA = {"name": "Anna", "password": "anna's password"}


@pytest.fixture
def sign_in(token_of: TokenOf) -> Post:
    def post(client: FlaskClient, path: str = "/sign-in", **fields: str) -> TestResponse:
        return client.post(path, data={**fields, "csrf_token": token_of(client)})

    return post


def who(client: FlaskClient) -> str | None:
    body = client.get("/session").get_json()
    return body.get("account")


def test_the_right_password_leads_to_where_one_wanted_to_go(app: Flask, sign_in: Post) -> None:
    client = app.test_client()
    answer = sign_in(client, **ANNA, next="/c/robust/?x=1")
    assert (answer.status_code, answer.location) == (303, "/c/robust/?x=1")
    assert who(client) == "Anna"


def test_unknown_name_wrong_password_and_shut_account_get_one_and_the_same_page(
    app: Flask, sign_in: Post
) -> None:
    pages = []
    for name, password in (("Anna", "wrong"), ("Nobody", "wrong"), ("", ""), ("Ben", ANNA["password"])):
        answer = sign_in(app.test_client(), name=name, password=password)
        assert answer.status_code == 401
        assert says(answer.text)
        pages.append(answer.text.replace(f'value="{name}"', 'value=""').replace(" autofocus", ""))
    sentences = {page.split('<form class="form"')[0].split("<main")[1] for page in pages}
    assert len(sentences) == 1


def test_the_password_typed_is_never_sent_back(app: Flask, sign_in: Post) -> None:
    answer = sign_in(app.test_client(), name="<b>x</b>", password="a secret typo")
    assert "a secret typo" not in answer.text
    assert "<b>x</b>" not in answer.text


def test_after_five_wrong_passwords_even_the_right_one_has_to_wait(app: Flask, sign_in: Post) -> None:
    for spelling in ("Anna", "anna", " ANNA", "Ａnna", "Anna"):
        assert sign_in(app.test_client(), name=spelling, password="wrong").status_code == 401
    answer = sign_in(app.test_client(), **ANNA)
    assert answer.status_code == 429
    assert f" {answer.headers['Retry-After']} " in answer.text
    assert 0 < int(answer.headers["Retry-After"]) <= 301
    assert sign_in(app.test_client(), name="Ben", password="ben's password").status_code == 303


def test_who_has_a_short_or_common_password_of_before_comes_in_and_is_asked_for_a_new_one(
    app: Flask, sign_in: Post, instance: Path
) -> None:
    with open_accounts(instance) as accounts:
        for name, password in (("Anna", "old one"), ("Ben", "qwerty123456")):
            stored = generate_password_hash(password, method="scrypt:2048:8:1")
            accounts.db.execute("UPDATE account SET password_hash = ? WHERE name = ?", [stored, name])
    for name, password in (("Anna", "old one"), ("Ben", "qwerty123456")):
        client = app.test_client()
        answer = sign_in(client, name=name, password=password, next="/c/robust/")
        assert answer.location == "/account?renew=/c/robust/"
        page = client.get(answer.location).text
        assert says(page)
        assert 'href="/c/robust/">continue for now' in page
        assert client.get("/c/robust/", follow_redirects=True).status_code == 200
    assert 'href="/">continue' in client.get("/account?renew=https://evil.example").text
    assert sign_in(app.test_client(), name="Carla", password="carla's password").location == "/"


def test_a_script_signs_in_without_leaving_its_page(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    signed_out = client.get("/session")
    assert (signed_out.status_code, signed_out.get_json()["reason"]) == (401, "signed out")
    token = signed_out.get_json()["csrf_token"]
    wrong = client.post("/sign-in", data={"name": "Anna"}, headers={**JSON, "X-CSRFToken": token})
    assert (wrong.status_code, wrong.get_json()["reason"]) == (401, "wrong")
    right = client.post("/sign-in", data=ANNA, headers={**JSON, "X-CSRFToken": token})
    assert right.get_json()["account"] == "Anna"
    fresh = right.get_json()["csrf_token"]
    assert client.post("/sign-out", headers={"X-CSRFToken": fresh}).status_code == 302
    assert who(client) is None


def test_a_refused_token_is_replaced_by_asking_who_is_signed_in(app: Flask, client_of: SignIn) -> None:
    client = client_of(app, "Anna")
    refused = client.post("/sign-out", headers={**JSON, "X-CSRFToken": "of yesterday"})
    assert (refused.status_code, refused.get_json()["reason"]) == (400, "csrf")
    state = client.get("/session").get_json()
    assert state["account"] == "Anna"
    assert client.post("/sign-out", headers={"X-CSRFToken": state["csrf_token"]}).status_code == 302


HOSTILE = [
    *("http://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example"),
    *("/\n/evil.example", " //evil.example", "javascript:alert(1)", "evil.example", "", None),
]


def test_nobody_is_sent_to_another_site(app: Flask, client_of: SignIn) -> None:
    with app.test_request_context("/"):
        assert [local_path(target) for target in HOSTILE] == ["/"] * len(HOSTILE)
        for ours in ("/", "/c/robust/judge?topic=301&x=%2F%2F", "/c/%E6%97%A5/"):
            assert local_path(ours) == ours
    answer = client_of(app, "Anna").get("/sign-in?next=//evil.example/")
    assert (answer.status_code, answer.location) == (302, "/")


# The link in the terminal

DORA = {"name": "  Dora  Z. ", "password": "a long password", "again": "a long password"}


@pytest.fixture
def linked(make_app: MakeApp, instance: Path) -> Flask:
    """A server that was started without accounts."""
    (instance / "accounts.db").unlink()
    open_accounts(instance).close()
    return make_app(sign_in_token="the-token")


def test_opening_the_link_changes_nothing(linked: Flask) -> None:
    for _ in range(3):
        answer = linked.test_client().get("/start/the-token")
        assert answer.status_code == 200
        assert 'action="/start/the-token"' in answer.text


def test_the_link_makes_the_first_account_once(linked: Flask, sign_in: Post) -> None:
    client = linked.test_client()
    answer = sign_in(client, "/start/the-token", **DORA)
    assert (answer.status_code, answer.location) == (303, "/")
    assert who(client) == "Dora Z."
    second = linked.test_client()
    assert second.get("/start/the-token").status_code == 410
    again = sign_in(second, "/start/the-token", **DORA | {"name": "Eve"})
    assert again.status_code == 410
    assert "has expired" in again.text
    assert who(second) is None
    assert sign_in(second, name="Dora Z.", password="a long password").status_code == 303
    assert who(second) == "Dora Z."
    assert [second.get(path).status_code for path in ("/c/robust/runs", "/c/missing/runs", "/new")] == [
        200,
        404,
        200,
    ]


@pytest.mark.parametrize("token", ["the-token2", "THE-TOKEN", "tökén"])
def test_a_guessed_token_is_worth_nothing(linked: Flask, sign_in: Post, token: str) -> None:
    client = linked.test_client()
    assert client.get(f"/start/{token}").status_code == 410
    assert sign_in(client, f"/start/{token}", **DORA).status_code == 410
    assert linked.test_client().get("/start/the-token").status_code == 200


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": ""}, "A name is needed"),
        ({"password": "short", "again": "short"}, "at least 12 characters"),
        ({"again": "another password"}, "do not match"),
    ],
)
def test_what_will_not_do_does_not_use_up_the_link(
    linked: Flask, sign_in: Post, wrong: dict[str, str], message: str
) -> None:
    client = linked.test_client()
    answer = sign_in(client, "/start/the-token", **DORA | wrong)
    assert answer.status_code == 400
    assert message in answer.text
    assert sign_in(client, "/start/the-token", **DORA).status_code == 303


def test_the_link_makes_one_account_even_for_many_at_the_same_moment(linked: Flask, sign_in: Post) -> None:
    def come(number: int) -> int:
        return sign_in(
            linked.test_client(), "/start/the-token", **DORA | {"name": f"Dora {number}"}
        ).status_code

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(come, range(4))) == [303, 410, 410, 410]


def test_who_comes_by_the_link_is_in_the_security_log(linked: Flask, sign_in: Post, instance: Path) -> None:
    sign_in(linked.test_client(), "/start/the-token", **DORA)
    with open_accounts(instance) as accounts:
        found = security_log.acts(accounts)
    assert {(act.name, act.address) for act in found} == {("Dora Z.", "127.0.0.1")}
    assert [act.act for act in found] == [
        security_log.ACCOUNT_MADE,
        security_log.MAY_MAKE,
        security_log.ROLE_GIVEN,
        security_log.SIGNED_IN,
    ]


@pytest.mark.parametrize("name", ["Anna", "Nobody"])
def test_without_the_link_nobody_learns_who_has_an_account(app: Flask, sign_in: Post, name: str) -> None:
    assert sign_in(app.test_client(), "/start/guessed", **DORA | {"name": name}).status_code == 410


def test_a_visitor_without_the_link_is_told_where_it_is(linked: Flask) -> None:
    answer = linked.test_client().get("/", follow_redirects=True)
    assert says(answer.text)


def test_an_account_that_is_made_while_the_server_runs_signs_in_and_ends_the_link(
    linked: Flask, sign_in: Post, instance: Path
) -> None:
    client = linked.test_client()
    assert client.get("/session").get_json()["way"] == "link"
    with open_accounts(instance) as accounts:
        add_account(accounts, "Zoë", "a long enough one")
    assert client.get("/session").get_json()["way"] == "password"
    assert 'name="password"' in client.get("/", follow_redirects=True).text
    assert client.get("/start/the-token").status_code == 410
    sign_in(client, name="Zoë", password="a long enough one")
    assert who(client) == "Zoë"


# The demo


@pytest.fixture
def demo(make_app: MakeApp) -> Flask:
    return make_app(demo=True)


def test_the_demo_is_one_button_that_lets_in_by_any_free_name_and_leads_on(
    demo: Flask, sign_in: Post, instance: Path
) -> None:
    for address in ("/", "/sign-in?next=/c/robust/runs"):
        page = demo.test_client().get(address).text
        assert (page.partition("<main")[2].count("<button"), 'action="/start"' in page) == (1, True)
    assert 'name="next" value="/c/robust/runs"' in page
    with open_accounts(instance) as accounts:
        add_account(accounts, "Eve", "a long enough one")
    for name, known, status in (
        ("", "guest", 303),
        ("Zoë", "Zoë", 303),
        ("x" * 65, None, 400),
        ("eve", None, 400),
    ):
        client = demo.test_client()
        answer = sign_in(client, "/start", name=name, next="/c/robust/runs")
        assert (answer.status_code, who(client)) == (status, known)
    assert answer.location is None
    client = demo.test_client()
    assert sign_in(client, "/start", name="", next="/c/robust/runs").location == "/c/robust/runs"
    assert client.get("/c/robust/runs").status_code == 200
    assert sign_in(client, "/sign-out").status_code == 302
    assert client.get("/session").get_json()["way"] == "demo"


def test_the_start_button_exists_in_the_demo_alone(app: Flask, linked: Flask, sign_in: Post) -> None:
    for other in (app, linked):
        client = other.test_client()
        assert sign_in(client, "/start", name="Eve").status_code == 404
        assert who(client) is None


def test_a_session_of_the_demo_opens_nothing_but_a_demo(make_app: MakeApp, sign_in: Post) -> None:
    client = make_app(demo=True).test_client()
    sign_in(client, "/start", name="Mallory")
    cookie = client.get_cookie("workbench_5000")
    assert cookie is not None
    for options, let_in in (({}, False), ({"demo": True}, True)):
        again = make_app(port=5001, **options).test_client()
        again.set_cookie("workbench_5001", cookie.value)
        assert (who(again) == "Mallory") is let_in
        assert (again.get("/c/robust/runs").status_code == 200) is let_in


def test_a_local_session_ends_when_a_person_gets_an_account_of_its_name(
    demo: Flask, sign_in: Post, instance: Path
) -> None:
    client = demo.test_client()
    sign_in(client, "/start", name="zoë")
    with open_accounts(instance) as accounts:
        add_account(accounts, "Zoë", "a long enough one")
    assert who(client) is None


@pytest.mark.parametrize("name", ["x" * 900_000, "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 9_000])
def test_a_name_of_a_megabyte_is_not_kept_to_count_attempts_by(app: Flask, sign_in: Post, name: str) -> None:
    answer = sign_in(app.test_client(), "/sign-in", name=name, password="wrong")
    assert answer.status_code == 401
    ((kept, _),) = app.extensions["workbench_guesses"]._pairs._failures
    assert len(kept) == 32


def test_comings_and_goings_are_recorded_without_what_was_typed(
    app: Flask, sign_in: Post, token_of: TokenOf, instance: Path
) -> None:
    client = app.test_client()
    sign_in(client, name="anna", password="a typo")
    sign_in(client, name="my secret password", password="")
    sign_in(client, **ANNA)
    client.post("/sign-out", data={"csrf_token": token_of(client)})
    with open_accounts(instance) as accounts:
        found = security_log.acts(accounts)[-4:]
    assert [(act.act, act.name, act.actor, act.address, act.detail) for act in found] == [
        ("sign-in refused", "Anna", "", "127.0.0.1", ""),
        ("sign-in refused", "", "", "127.0.0.1", "unknown name"),
        ("signed in", "Anna", "Anna", "127.0.0.1", ""),
        ("signed out", "Anna", "Anna", "127.0.0.1", ""),
    ]


def test_refusals_are_recorded_up_to_a_number_and_attempts_that_have_to_wait_too(
    app: Flask, sign_in: Post, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.extensions["workbench_recorded"] = Throttle(7)
    monkeypatch.setattr("workbench.web.access.passwords.check_password", lambda *_: None)
    for _ in range(9):
        sign_in(app.test_client(), name="Ben", password="wrong")
    with open_accounts(instance) as accounts:
        found = [act.act for act in security_log.acts(accounts, "Ben")]
    assert found[-7:] == ["sign-in refused"] * 5 + ["sign-in throttled"] * 2


def test_where_nothing_can_be_recorded_nobody_comes_in_and_everybody_goes(
    app: Flask, sign_in: Post, client_of: SignIn, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AccountsUnavailable("/srv/secret/accounts.db: cannot be written at the moment (disk is full)")

    stranger, ben = app.test_client(), client_of(app, "Ben")
    token = token_of(ben)
    monkeypatch.setattr("workbench.people.accounts.security_log.record", fail)
    answer = sign_in(stranger, **ANNA)
    assert (answer.status_code, "secret" in answer.text) == (503, False)
    assert who(stranger) is None
    assert ben.post("/sign-out", data={"csrf_token": token}).status_code == 302
    assert who(ben) is None


def test_a_name_that_cannot_be_looked_up_is_answered_without_a_path_of_the_server(
    make_app: MakeApp, sign_in: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AccountsUnavailable("/srv/secret/accounts.db: cannot be read at the moment (disk is full)")

    monkeypatch.setattr("workbench.web.access.sessions.find_account", fail)
    answer = sign_in(make_app(demo=True).test_client(), "/start", name="Dora")
    assert (answer.status_code, "secret" in answer.text) == (503, False)
