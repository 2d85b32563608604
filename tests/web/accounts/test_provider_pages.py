"""People sign in with a provider of OpenID Connect, which is a process of its own, by the real pages."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pyotp
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeApp, Post, SignIn, TokenOf
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
CONFIRM, CONNECT = "/account/confirm/uni", "/account/connect/uni"
OTHERS = "/account/sessions/end-others"
DISCOVERY = "/.well-known/openid-configuration"


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with provider(f"{HERE}/sign-in/with/uni", f"{HERE}/sign-in/with/other") as found:
        yield found


class Here:
    """A server that offers the provider, twice; `issuer` is another in the place of the first."""

    def __init__(self, make_app: MakeApp, post: Post, uni: Running, instance: Path, issuer: str = "") -> None:
        self.post, self.uni, self.instance = post, uni, instance
        offered = [uni.declared(HERE, issuer=issuer), uni.declared(HERE, "other")]
        self.app = make_app(operated=ServerRules(providers=offered))

    def come(
        self, sub: str, path: str = BEGIN, client: FlaskClient | None = None, **fields: str
    ) -> TestResponse:
        """Begin with a form of ours, sign in at the provider, and come back: what the page there answers."""
        client = client or self.app.test_client()
        return client.get(self.uni.sign_in(leads_to(self.post(client, path, **fields)), sub))

    def connect(self, name: str, sub: str) -> None:
        with open_accounts(self.instance) as accounts, accounts.write():
            put_identity(accounts, name, Identity(self.uni.issuer, sub))

    def log(self) -> list[tuple[str, str, str]]:
        with open_accounts(self.instance) as accounts:
            return [(row.act, row.name, row.detail) for row in security_log.acts(accounts)]


@pytest.fixture
def uni(running: Running) -> Running:
    running.lies()
    return running


@pytest.fixture
def here(make_app: MakeApp, post: Post, uni: Running, instance: Path) -> Here:
    return Here(make_app, post, uni, instance)


@pytest.fixture
def invited(instance: Path) -> str:
    """The token of an invitation to assess."""
    with open_accounts(instance) as accounts, open_campaign(instance / "robust.db") as campaign:
        return invite(campaign.by("Anna"), accounts.by("Anna", "10.0.0.1"), Invitation("assessor"))


@pytest.fixture
def dora(here: Here, invited: str) -> FlaskClient:
    """Who came by an invitation, without a password."""
    client = here.app.test_client()
    here.come("d-1", client=client, invitation=invited, name="Dora")
    assert who(client) == "Dora"
    return client


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let twenty minutes pass, for sessions alone."""
    now = Accounts.now.fget  # type: ignore[attr-defined]
    passed = property(lambda self: now(self) + timedelta(minutes=20))
    return lambda: monkeypatch.setattr(Accounts, "now", passed)


def leads_to(answer: TestResponse) -> str:
    """The address to which the page between leads."""
    found = re.search(r'content="0; url=([^"]+)"', answer.text)
    assert found, answer.text
    return html.unescape(found[1])


def who(client: FlaskClient) -> str | None:
    return cast("str | None", client.get("/session").get_json().get("account"))


def test_who_is_connected_comes_in_and_goes_where_they_wanted(here: Here) -> None:
    here.connect("Ben", "b-17")
    client = here.app.test_client()
    assert "Example University" in client.get("/sign-in?next=/c/robust/").text
    before = client.get_cookie("workbench_5000")
    answer = here.come("b-17", client=client, next="/c/robust/?x=1")
    assert (answer.status_code, answer.location, who(client)) == (303, "/c/robust/?x=1", "Ben")
    assert client.get_cookie("workbench_5000") != before
    assert ("signed in", "Ben", "Example University") in here.log()
    assert here.come("b-17", next="https://evil.example/").location == "/"


def test_a_stranger_and_a_disabled_account_get_the_same_sentence_and_nothing_else(here: Here) -> None:
    here.connect("Ben", "b-17")
    with open_accounts(here.instance) as accounts:
        set_disabled(accounts, "Ben", disabled=True)
    found = []
    for sub in ("Anna", "b-17"):  # the name of an account proves nothing
        client = here.app.test_client()
        answer = here.come(sub, client=client)
        assert (answer.status_code, who(client)) == (403, None)
        found.append((re.findall(r'role="alert">([^<]+)', answer.text), here.log()[-1]))
    assert found[0] == found[1]
    ((words,), (act, name, detail)) = found[0]
    assert says(words, "Example University:")
    assert (act, name, detail.partition(": ")[0]) == ("provider refused", "", "Example University")


def test_an_address_of_mail_leads_to_no_account(here: Here) -> None:
    here.uni.lies(claims={"email": "Ben", "email_verified": True})
    assert here.come("b-1").status_code == 403


def test_an_invitation_is_accepted_without_any_password(here: Here, invited: str) -> None:
    client = here.app.test_client()
    for fields in ({}, {"name": " "}):
        assert here.post(client, BEGIN, invitation=invited, **fields).status_code == 403
    assert "prompt=login" in leads_to(here.post(client, BEGIN, invitation=invited, name="Dora"))
    taken = here.come("d-1", client=client, invitation=invited, name="Ben")
    assert taken.status_code == 403
    assert 'name="name"' in taken.text
    here.post(client, BEGIN, invitation=invited, name="a pass\u200dword")
    assert not any("pass" in detail for *_, detail in here.log())
    assert here.come("d-1", client=client, invitation=invited, name="Dora").location == "/c/robust/"
    with open_campaign(here.instance / "robust.db") as campaign, open_accounts(here.instance) as accounts:
        assert members.role_of(campaign, "Dora") == "assessor"
        assert not has_password(accounts, "Dora")
    for guess in ("", "a good long password"):
        assert here.post(here.app.test_client(), "/sign-in", name="Dora", password=guess).status_code == 401
    assert here.come("d-2", invitation=invited, name="Eve").status_code == 410
    again = here.app.test_client()
    here.come("d-1", client=again)
    assert who(again) == "Dora"


def test_one_connects_and_disconnects_after_confirming_and_keeps_a_way_in(
    here: Here, client_of: SignIn, dora: FlaskClient
) -> None:
    ben, carla = client_of(here.app, "Ben"), client_of(here.app, "Carla")
    assert "prompt=login" in leads_to(here.post(ben, CONNECT))  # the browser may be others' too
    assert here.come("b-17", CONNECT, ben).location == "/account?done=connected"
    assert "Disconnect" in ben.get("/account").text
    assert here.come("b-17", CONNECT, carla).status_code == 403
    assert here.come("b-18", CONNECT, ben).status_code == 403
    issuer = here.uni.issuer
    assert here.post(ben, "/account/disconnect", issuer=issuer).location == "/account?done=disconnected"
    refused = here.post(dora, "/account/disconnect", issuer=issuer)
    assert refused.status_code == 409
    assert says(refused.text, "only way")
    acts = [(act, name) for act, name, _ in here.log() if "connected" in act]
    assert acts == [
        ("provider connected", "Dora"),
        ("provider connected", "Ben"),
        ("provider disconnected", "Ben"),
    ]


def test_who_was_only_remembered_by_the_provider_confirms_before_what_could_be_used_against_others(
    here: Here,
) -> None:
    here.connect("Ben", "b-17")
    for signed_in_before, status in ((0, 303), (3600, 403)):
        here.uni.lies(signed_in_before=signed_in_before)
        client = here.app.test_client()
        here.come("b-17", client=client)
        assert (who(client), here.post(client, OTHERS).status_code) == ("Ben", status)


def test_who_has_no_password_confirms_with_the_provider_by_signing_in_there_again(
    here: Here, dora: FlaskClient, later: Callable[[], None]
) -> None:
    later()
    asked = here.post(dora, OTHERS)
    assert asked.status_code == 403
    assert 'type="password"' not in asked.text
    assert CONFIRM in asked.text
    assert {"prompt=login", "max_age=0"} <= set(leads_to(here.post(dora, CONFIRM)).split("&"))
    stale = [{"signed_in_before": 3600}, *({"claims": {"auth_time": at}} for at in (None, True, "now"))]
    for lie, sub in (*((each, "d-1") for each in stale), ({}, "somebody-else")):
        here.uni.lies(**lie)
        assert here.come(sub, CONFIRM, dora).status_code == 403
    assert here.post(dora, OTHERS).status_code == 403
    done = here.come("d-1", CONFIRM, dora, next="//evil.example", back="/account")
    assert 'url=/"' in done.text
    assert here.post(dora, OTHERS).status_code == 303
    assert ("identity confirmed", "Dora", "Example University") in here.log()


def test_a_second_factor_is_wanted_after_a_provider_as_after_a_password(
    here: Here, later: Callable[[], None]
) -> None:
    here.connect("Ben", "b-17")
    secret = pyotp.random_base32()
    with open_accounts(here.instance) as accounts:
        codes = set_second_factor(accounts, "Ben", secret, pyotp.TOTP(secret).now())
    client = here.app.test_client()
    assert here.come("b-17", client=client, next="/account").location == "/sign-in/code?next=/account"
    assert who(client) is None
    here.post(client, "/sign-in/code", code=codes[0], next="/account")
    assert who(client) == "Ben"
    later()
    assert here.post(client, CONFIRM).status_code == 400
    assert here.come("b-17", CONFIRM, client, **{"confirm-code": codes[1]}).status_code == 200


def test_a_new_password_by_the_link_of_another_person_disconnects_providers(here: Here) -> None:
    here.connect("Ben", "an intruder's")
    with open_accounts(here.instance) as accounts:
        reset_password(accounts.by(""), make_reset(accounts, "Ben"), "a new good password")
    assert here.come("an intruder's").status_code == 403


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
def test_nobody_comes_in_by_a_lie(here: Here, lie: str) -> None:
    here.connect("Ben", "b-17")
    client, rows = here.app.test_client(), len(here.log())
    here.uni.lies(**LIES[lie])
    begun = here.post(client, BEGIN)
    answer = client.get(here.uni.sign_in(leads_to(begun), "b-17")) if begun.status_code == 200 else begun
    assert answer.status_code == 403
    assert 'id="password"' in answer.text  # the way beside it stays open
    assert who(client) is None
    assert [act for act, *_ in here.log()[rows:]] == ["provider refused"]


def test_a_flow_is_good_once_and_only_in_the_browser_and_for_the_provider_where_it_began(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.connect("Ben", "b-17")
    client, other, late = (here.app.test_client() for _ in range(3))
    path = here.uni.sign_in(leads_to(here.post(client, BEGIN)), "b-17")
    assert late.get(path).status_code == 403  # no flow began there
    here.post(other, BEGIN)
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
    path = here.uni.sign_in(leads_to(here.post(late, BEGIN)), "b-17")
    clock = time.time
    monkeypatch.setattr(providers.time, "time", lambda: clock() + 700)
    assert late.get(path).status_code == 403


def test_no_other_site_begins_anything(here: Here, client_of: SignIn) -> None:
    for path in (BEGIN, CONNECT, CONFIRM, "/account/disconnect"):
        client = client_of(here.app, "Ben")
        assert client.post(path).status_code == 400
        assert client.get(path).status_code in (403, 405)
    assert client_of(here.app, None).post("/sign-in/with/nothing").status_code in (400, 404)


def test_people_are_sent_back_to_the_declared_address_whatever_the_request_calls_this_server(
    here: Here, token_of: TokenOf
) -> None:
    for base_url in ("http://localhost:8080", "http://127.0.0.1"):
        client = here.app.test_client()
        token = token_of(client, base_url)
        answer = client.post(BEGIN, data={"csrf_token": token}, base_url=base_url)
        assert "redirect_uri=http%3A%2F%2Flocalhost%2Fsign-in%2Fwith%2Funi" in leads_to(answer)


def test_keys_are_kept_and_asked_for_again_when_the_provider_has_new_ones(here: Here) -> None:
    here.connect("Ben", "b-17")
    assert [here.come("b-17").status_code for _ in range(2)] == [303, 303]
    asked = here.uni.lies(key="next", header={"kid": "next"}, published=["next"])
    assert (asked.count("/keys"), asked.count(DISCOVERY)) == (1, 1)
    assert here.come("b-17").status_code == 303


@pytest.mark.parametrize("issuer", ["", "http://127.0.0.1:9"], ids=["slow", "gone"])
def test_a_provider_that_does_not_answer_is_not_waited_for_and_passwords_go_on(
    make_app: MakeApp, post: Post, uni: Running, instance: Path, issuer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(providers, "SECONDS", 0.5)
    uni.lies(slow=DISCOVERY, seconds=4)
    here = Here(make_app, post, uni, instance, issuer)
    client, began = here.app.test_client(), time.monotonic()
    answer = post(client, BEGIN, next="/c/robust/")
    assert time.monotonic() - began < 3
    assert answer.status_code == 403
    assert says(answer.text, "Example University:")
    assert 'value="/c/robust/"' in answer.text
    assert post(client, "/sign-in", name="Ben", password="ben's password").status_code == 303
    assert "provider refused" in [act for act, *_ in here.log()]
