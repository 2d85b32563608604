"""The server answers to its own names, and to requests of its own pages."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.fixture_types import MakeApp
from workbench.web.requests.allowed_hosts import AllowedHosts, is_loopback

OURS = "localhost localhost:5000 LOCALHOST:5000 localhost. 127.0.0.1:5000 [::1]:5000 127.0.0.1:8080".split()
OTHERS = """
evil.example evil.example:5000 localhost.evil.example localhost.. 127.0.0.1.evil.example:5000 192.168.1.7:5000
localhost:5000:5000 evil.example@localhost localhost/ [::2] [::1 löcalhost
""".split()


def test_a_loopback_server_answers_to_the_loopback_names_and_to_nothing_else() -> None:
    accept = AllowedHosts.for_address("127.0.0.1").accept
    assert list(filter(accept, [*OURS, *OTHERS, "", "localhost evil.example"])) == OURS


def test_names_given_by_the_organiser_are_answered_to() -> None:
    hosts = AllowedHosts.for_address("127.0.0.1", ["Judge.Example.org", "other.example:8443"])
    assert hosts.accept("judge.example.org")
    assert hosts.accept("judge.example.org:8080")
    assert hosts.accept("other.example:8443")
    assert not hosts.accept("other.example:9999")
    assert not hosts.accept("sub.judge.example.org")


def test_a_server_on_the_network_answers_to_addresses_and_its_own_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Judgebox")
    hosts = AllowedHosts.for_address("0.0.0.0")
    for header in ("192.168.1.7:5000", "[fe80::1]:5000", "judgebox:5000", "judgebox.local", "localhost:5000"):
        assert hosts.accept(header)
    for header in ("evil.example:5000", "judgebox.evil.example", "1.2.3", "999.1.1.1"):
        assert not hosts.accept(header)


def test_only_pages_of_this_server_may_change_something() -> None:
    accept = AllowedHosts.for_address("127.0.0.1", ["judge.example"]).accept_origin
    for origin, host in (
        ("http://localhost:5000", "localhost:5000"),
        ("https://judge.example", "judge.example"),
        ("https://judge.example", "judge.example:443"),
        ("http://judge.example", "judge.example:80"),
        ("https://judge.example", "127.0.0.1:5000"),
        ("https://judge.example:8443", "judge.example:8443"),
    ):
        assert accept(origin, host), origin
    others = (
        "http://localhost:9999 http://evil.example http://localhost.evil.example:5000 null file:// http://["
    )
    assert not any(accept(origin, "localhost:5000") for origin in ["", *others.split()])


def test_an_address_is_known_to_be_for_this_machine_alone() -> None:
    ours = ["127.0.0.1", "127.5.5.5", "::1", "[::1]", "LocalHost"]
    assert list(filter(is_loopback, [*ours, "0.0.0.0", "::", "", "192.168.1.7", "judge.example"])) == ours


@pytest.mark.parametrize("header", ["evil.example", "evil.example:5000", "a b", "[", "x" * 300, ""])
def test_another_name_gets_plain_text_and_nothing_else(app: Flask, header: str) -> None:
    for path in ("/", "/sign-in", "/static/workbench.css", "/nowhere"):
        answer = app.test_client().get(path, environ_overrides={"HTTP_HOST": header})
        assert (answer.status_code, answer.mimetype) == (400, "text/plain")
        assert "--allow-host NAME" in answer.text
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_post_of_another_sites_page_is_refused_whatever_its_token(app: Flask) -> None:
    client = app.test_client()
    token = client.get("/session").get_json()["csrf_token"]
    data = {"csrf_token": token, "name": "Anna", "password": "anna's password"}
    for origin in ("http://evil.example", "null", "http://localhost:9999"):
        answer = client.post("/sign-in", data=data, headers={"Origin": origin})
        assert answer.status_code == 403
        for method in ("GET", "HEAD", "OPTIONS"):  # which change nothing
            assert client.open("/sign-in", method=method, headers={"Origin": origin}).status_code == 200
    assert client.post("/sign-in", data=data, headers={"Origin": "http://localhost"}).status_code == 303


@pytest.mark.parametrize(("behind_proxy", "status"), [(True, 400), (False, 200)])
def test_behind_a_proxy_the_forwarded_name_counts(make_app: MakeApp, behind_proxy: bool, status: int) -> None:
    allowed = AllowedHosts.for_address("127.0.0.1", ["judge.example"])
    headers = {"Host": "127.0.0.1:5000", "X-Forwarded-Host": "evil.example"}
    app = make_app(allowed=allowed, behind_proxy=behind_proxy)
    assert app.test_client().get("/sign-in", headers=headers).status_code == status
