"""People sign in with a provider of OpenID Connect, which is a process of its own, by the real pages."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyotp
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeApp, Post, SignIn
from tests.sentences import says
from tests.web.accounts.openid_provider import Running, provider
from workbench.people.accounts import Accounts, open_accounts, security_log, set_disabled
from workbench.people.accounts.identities import Identity, has_password, put_identity
from workbench.people.accounts.second_factor import set_second_factor
from workbench.people.members.inviting import Invitation, invite
from workbench.people.members.password_links import make_reset, reset_password
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members
from workbench.web.access import providers
from workbench.web.app import ServerRules

HERE = "http://localhost"
BEGIN = "/sign-in/with/uni"
OTHERS = "/account/sessions/end-others"
DISCOVERY = "/.well-known/openid-configuration"


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with provider(f"{HERE}/sign-in/with/uni", f"{HERE}/sign-in/with/other") as found:
        yield found


@pytest.fixture
def uni(running: Running) -> Running:
    running.lies()
    return running


MakeWith = Callable[..., Flask]


@pytest.fixture
def app_with(make_app: MakeApp, uni: Running) -> MakeWith:
    def make(issuer: str = "") -> Flask:
        offered = [uni.declared(HERE, issuer=issuer), uni.declared(HERE, "other")]
        return make_app(operated=ServerRules(providers=offered))

    return make


@pytest.fixture
def app(app_with: MakeWith) -> Flask:
    return app_with()


@pytest.fixture
def come(uni: Running, post: Post) -> Callable[..., TestResponse]:
    """Begin with a form of ours, sign in at the provider, and come back: what the page there answers."""

    def whole(client: FlaskClient, sub: str, path: str = BEGIN, **fields: str) -> TestResponse:
        return client.get(uni.sign_in(leads_to(post(client, path, **fields)), sub))

    return whole


def leads_to(answer: TestResponse) -> str:
    """The address to which the page between leads."""
    found = re.search(r'content="0; url=([^"]+)"', answer.text)
    assert found, answer.text
    return html.unescape(found[1])


def who(client: FlaskClient) -> str | None:
    account = client.get("/session").get_json().get("account")
    return account if account is None else str(account)


def connect(instance: Path, uni: Running, name: str, sub: str) -> None:
    with open_accounts(instance) as accounts, accounts.write():
        put_identity(accounts, name, Identity(uni.issuer, sub))


def log_of(instance: Path) -> list[tuple[str, str, str]]:
    with open_accounts(instance) as accounts:
        return [(row.act, row.name, row.detail) for row in security_log.acts(accounts)]


@pytest.fixture
def invited(instance: Path) -> str:
    """The token of an invitation to assess."""
    with open_accounts(instance) as accounts, open_campaign(instance / "robust.db") as campaign:
        return invite(campaign.by("Anna"), accounts.by("Anna", "10.0.0.1"), Invitation("assessor"))


def without_password(
    client: FlaskClient, come: Callable[..., TestResponse], invited: str, sub: str = "d-1"
) -> None:
    come(client, sub, invitation=invited, name="Dora")
    assert who(client) == "Dora"


def test_who_is_connected_comes_in_and_goes_where_they_wanted(
    app: Flask, uni: Running, come: Any, instance: Path
) -> None:
    connect(instance, uni, "Ben", "b-17")
    client = app.test_client()
    assert "Example University" in client.get("/sign-in?next=/c/robust/").text
    before = client.get_cookie("workbench_5000")
    answer = come(client, "b-17", next="/c/robust/?x=1")
    assert (answer.status_code, answer.location, who(client)) == (303, "/c/robust/?x=1", "Ben")
    assert client.get_cookie("workbench_5000") != before
    assert ("signed in", "Ben", "Example University") in log_of(instance)
    assert come(app.test_client(), "b-17", next="https://evil.example/").location == "/"


def test_a_stranger_gets_a_sentence_and_nothing_else(app: Flask, come: Any, instance: Path) -> None:
    client = app.test_client()
    answer = come(client, "Anna")  # the name of an account proves nothing
    assert answer.status_code == 403
    assert says(answer.text, "Example University:")
    assert who(client) is None
    act, name, detail = log_of(instance)[-1]
    assert (act, name) == ("provider refused", "")
    assert detail.startswith("Example University: ")


def test_a_disabled_account_is_told_the_same_as_a_stranger(
    app: Flask, uni: Running, come: Any, instance: Path
) -> None:
    connect(instance, uni, "Ben", "b-17")
    stranger = come(app.test_client(), "x").text
    with open_accounts(instance) as accounts:
        set_disabled(accounts, "Ben", disabled=True)
    disabled = come(app.test_client(), "b-17").text
    said = [re.findall(r'role="alert">[^<]+', text) for text in (stranger, disabled)]
    assert said[0] == said[1] != []


def test_an_address_of_mail_leads_to_no_account(app: Flask, uni: Running, come: Any) -> None:
    uni.lies(claims={"email": "Ben", "email_verified": True})
    assert come(app.test_client(), "b-1").status_code == 403


def test_an_invitation_is_accepted_without_any_password(
    app: Flask, come: Any, invited: str, instance: Path, post: Post
) -> None:
    client = app.test_client()
    for fields in ({}, {"name": " "}):
        assert post(client, BEGIN, invitation=invited, **fields).status_code == 403
    assert "prompt=login" in leads_to(post(client, BEGIN, invitation=invited, name="Dora"))
    taken = come(client, "d-1", invitation=invited, name="Ben")
    assert taken.status_code == 403
    assert 'name="name"' in taken.text
    post(client, BEGIN, invitation=invited, name="a pass\u200dword")
    assert not any("pass" in detail for *_, detail in log_of(instance))
    assert come(client, "d-1", invitation=invited, name="Dora").location == "/c/robust/"
    with open_campaign(instance / "robust.db") as campaign, open_accounts(instance) as accounts:
        assert members.role_of(campaign, "Dora") == "assessor"
        assert not has_password(accounts, "Dora")
    for guess in ("", "a good long password"):
        assert post(app.test_client(), "/sign-in", name="Dora", password=guess).status_code == 401
    assert come(app.test_client(), "d-2", invitation=invited, name="Eve").status_code == 410
    again = app.test_client()
    come(again, "d-1")
    assert who(again) == "Dora"


def test_one_connects_and_disconnects_after_confirming_and_keeps_a_way_in(
    app: Flask, come: Any, uni: Running, instance: Path, client_of: SignIn, post: Post, invited: str
) -> None:
    client = client_of(app, "Ben")
    assert "prompt=login" in leads_to(post(client, "/account/connect/uni"))  # the browser may be others' too
    assert come(client, "b-17", "/account/connect/uni").location == "/account?done=connected"
    assert "Disconnect" in client.get("/account").text
    carla = client_of(app, "Carla")
    assert come(carla, "b-17", "/account/connect/uni").status_code == 403
    assert come(client, "b-18", "/account/connect/uni").status_code == 403
    assert post(client, "/account/disconnect", issuer=uni.issuer).location == "/account?done=disconnected"
    dora = app.test_client()
    without_password(dora, come, invited)
    refused = post(dora, "/account/disconnect", issuer=uni.issuer)
    assert refused.status_code == 409
    assert says(refused.text, "only way")
    acts = [act for act, name, _ in log_of(instance) if name in ("Ben", "Dora") and "connected" in act]
    assert acts == ["provider connected", "provider disconnected", "provider connected"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many seconds pass, for sessions alone."""
    now = Accounts.now.fget  # type: ignore[attr-defined]

    def pass_by(seconds: float) -> None:
        from datetime import timedelta

        monkeypatch.setattr(Accounts, "now", property(lambda self: now(self) + timedelta(seconds=seconds)))

    return pass_by


def test_who_was_only_remembered_by_the_provider_confirms_before_what_could_be_used_against_others(
    app: Flask, come: Any, uni: Running, instance: Path, post: Post
) -> None:
    connect(instance, uni, "Ben", "b-17")
    for signed_in_before, status in ((0, 303), (3600, 403)):
        uni.lies(signed_in_before=signed_in_before)
        client = app.test_client()
        come(client, "b-17")
        assert (who(client), post(client, OTHERS).status_code) == ("Ben", status)


def test_who_has_no_password_confirms_with_the_provider_by_signing_in_there_again(
    app: Flask,
    come: Any,
    uni: Running,
    invited: str,
    post: Post,
    later: Callable[[float], None],
    instance: Path,
) -> None:
    client = app.test_client()
    without_password(client, come, invited)
    later(20 * 60)
    asked = post(client, OTHERS)
    assert asked.status_code == 403
    assert 'type="password"' not in asked.text
    assert "/account/confirm/uni" in asked.text
    address = leads_to(post(client, "/account/confirm/uni", next="/account"))
    assert "prompt=login" in address
    assert "max_age=0" in address
    uni.lies(signed_in_before=3600)
    assert client.get(uni.sign_in(address, "d-1")).status_code == 403
    for at in (None, True, "now", float("nan")):
        uni.lies(claims={"auth_time": at})
        assert come(client, "d-1", "/account/confirm/uni").status_code == 403
    uni.lies()
    assert come(client, "somebody-else", "/account/confirm/uni").status_code == 403
    assert post(client, OTHERS).status_code == 403
    done = come(client, "d-1", "/account/confirm/uni", next="//evil.example", back="/account")
    assert 'url=/"' in done.text
    assert post(client, OTHERS).status_code == 303
    assert ("identity confirmed", "Dora", "Example University") in log_of(instance)


def test_a_second_factor_is_wanted_after_a_provider_as_after_a_password(
    app: Flask, come: Any, uni: Running, instance: Path, post: Post, later: Callable[[float], None]
) -> None:
    connect(instance, uni, "Ben", "b-17")
    secret = pyotp.random_base32()
    with open_accounts(instance) as accounts:
        codes = set_second_factor(accounts, "Ben", secret, pyotp.TOTP(secret).now())
    client = app.test_client()
    assert come(client, "b-17", next="/account").location == "/sign-in/code?next=/account"
    assert who(client) is None
    post(client, "/sign-in/code", code=codes[0], next="/account")
    assert who(client) == "Ben"
    later(20 * 60)
    assert post(client, "/account/confirm/uni").status_code == 400
    assert come(client, "b-17", "/account/confirm/uni", **{"confirm-code": codes[1]}).status_code == 200


def test_a_new_password_by_the_link_of_another_person_disconnects_providers(
    app: Flask, come: Any, uni: Running, instance: Path
) -> None:
    connect(instance, uni, "Ben", "an intruder's")
    with open_accounts(instance) as accounts:
        reset_password(accounts.by(""), make_reset(accounts, "Ben"), "a new good password")
    assert come(app.test_client(), "an intruder's").status_code == 403


CLAIMED = '{"access_token": "x", "token_type": "Bearer", "userinfo": {"sub": "b-17"}}'
LIES: dict[str, dict[str, Any]] = {
    "no signature": {"header": {"alg": "none"}},
    "a signature with the public key as a secret": {"header": {"alg": "HS256"}},
    "the key of another issuer": {"key": "stranger"},
    "a key that is not published": {"key": "stranger", "header": {"kid": "stranger"}},
    "another nonce": {"claims": {"nonce": "another"}},
    "no nonce": {"claims": {"nonce": None}},
    "another issuer": {"claims": {"iss": "https://evil.example"}},
    "another audience": {"claims": {"aud": ["another"]}},
    "no audience": {"claims": {"aud": None}},
    "another authorized party": {"claims": {"azp": "another"}},
    "expired": {"claims": {"exp": int(time.time()) - 300}},
    "without an end": {"claims": {"exp": None}},
    "issued in an hour": {"claims": {"iat": int(time.time()) + 3600, "nbf": int(time.time()) + 3600}},
    "no subject": {"claims": {"sub": None}},
    "a subject that is a list": {"claims": {"sub": ["b-17"]}},
    "a long subject": {"claims": {"sub": "b" * 300}},
    "the answer of another provider": {"brings": "iss=https://evil.example"},
    "an answer that should name the provider": {
        "discovery": {"authorization_response_iss_parameter_supported": True}
    },
    "discovery of another issuer": {"discovery": {"issuer": "https://evil.example"}},
    "endpoints without TLS": {"discovery": {"token_endpoint": "http://evil.example/token"}},
    "no object": {"says": "/token", "body": "[]"},
    "no JSON": {"says": "/token", "body": "<html>"},
    "deep JSON": {"says": "/token", "body": "[" * 150_000},
    "claims in the place of a proof": {"says": "/token", "body": CLAIMED},
    "a proof that is none": {"says": "/token", "body": CLAIMED.replace("{", '{"id_token": "", ', 1)},
    "the token's address leads elsewhere": {"leads": "/token"},
    "no proof": {"says": "/token", "body": '{"access_token": "x", "token_type": "Bearer"}'},
    "an error that is no text": {"says": "/token", "body": '{"error": {"a": 1}}'},
    "keys that are none": {"says": "/keys", "body": '{"keys": [1, {"kty": "RSA"}]}'},
    "a huge token": {"huge": "/token"},
    "huge keys": {"huge": "/keys"},
}


@pytest.mark.parametrize("lie", LIES)
def test_nobody_comes_in_by_a_lie(
    app_with: MakeWith, come: Any, uni: Running, instance: Path, post: Post, lie: str
) -> None:
    connect(instance, uni, "Ben", "b-17")
    client, rows = app_with().test_client(), len(log_of(instance))
    uni.lies(**LIES[lie])
    begun = post(client, BEGIN)
    answer = client.get(uni.sign_in(leads_to(begun), "b-17")) if begun.status_code == 200 else begun
    assert answer.status_code == 403
    assert 'id="password"' in answer.text  # the way beside it stays open
    assert who(client) is None
    assert [act for act, *_ in log_of(instance)[rows:]] == ["provider refused"]


def test_a_flow_is_good_once_and_only_in_the_browser_and_for_the_provider_where_it_began(
    app: Flask, uni: Running, instance: Path, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(instance, uni, "Ben", "b-17")
    client, other = app.test_client(), app.test_client()
    path = uni.sign_in(leads_to(post(client, BEGIN)), "b-17")
    assert app.test_client().get(path).status_code == 403  # no flow began there
    post(other, BEGIN)
    assert other.get(path).status_code == 403  # another flow began there
    assert client.get(path.replace("/uni", "/other")).status_code == 403
    assert client.get(path.partition("&state=")[0]).status_code == 403
    with client.session_transaction() as kept:
        copied = dict(kept)
    assert client.get(path).status_code == 303
    assert client.get(path).status_code == 403  # replayed
    with other.session_transaction() as kept:
        kept.clear()
        kept.update(copied)
    assert other.get(path).status_code == 403  # with a copy of the cookie too: the code is used up
    late = app.test_client()
    path = uni.sign_in(leads_to(post(late, BEGIN)), "b-17")
    clock = time.time
    monkeypatch.setattr(providers.time, "time", lambda: clock() + 700)
    assert late.get(path).status_code == 403


def test_no_other_site_begins_anything(app: Flask, client_of: SignIn) -> None:
    for path in (BEGIN, "/account/connect/uni", "/account/confirm/uni", "/account/disconnect"):
        client = client_of(app, "Ben")
        assert client.post(path).status_code == 400
        assert client.get(path).status_code in (403, 405)
    assert client_of(app, None).post("/sign-in/with/nothing").status_code in (400, 404)


def test_people_are_sent_back_to_the_declared_address_whatever_the_request_calls_this_server(
    app: Flask, token_of: Any
) -> None:
    for base_url in ("http://localhost:8080", "http://127.0.0.1"):
        client = app.test_client()
        token = token_of(client, base_url)
        answer = client.post(BEGIN, data={"csrf_token": token}, base_url=base_url)
        assert "redirect_uri=http%3A%2F%2Flocalhost%2Fsign-in%2Fwith%2Funi" in leads_to(answer)


def test_keys_are_kept_and_asked_for_again_when_the_provider_has_new_ones(
    app_with: MakeWith, come: Any, uni: Running, instance: Path
) -> None:
    connect(instance, uni, "Ben", "b-17")
    app = app_with()
    assert come(app.test_client(), "b-17").status_code == 303
    assert come(app.test_client(), "b-17").status_code == 303
    asked = uni.lies(key="next", header={"kid": "next"}, published=["next"])
    assert (asked.count("/keys"), asked.count(DISCOVERY)) == (1, 1)
    assert come(app.test_client(), "b-17").status_code == 303


@pytest.mark.parametrize("what", ["slow", "gone"])
def test_a_provider_that_does_not_answer_is_not_waited_for_and_passwords_go_on(
    app_with: MakeWith, uni: Running, post: Post, instance: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(providers, "SECONDS", 0.5)
    uni.lies(slow=DISCOVERY, seconds=4)
    app = app_with("http://127.0.0.1:9" if what == "gone" else "")
    client, began = app.test_client(), time.monotonic()
    answer = post(client, BEGIN, next="/c/robust/")
    assert time.monotonic() - began < 3
    assert answer.status_code == 403
    assert says(answer.text, "Example University:")
    assert 'value="/c/robust/"' in answer.text
    assert post(client, "/sign-in", name="Ben", password="ben's password").status_code == 303
    assert "provider refused" in [act for act, *_ in log_of(instance)]
