"""What is sent to receivers: signed, to public addresses alone, and kept with what became of each try."""

from __future__ import annotations

import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from datetime import timedelta
from http.server import ThreadingHTTPServer
from ipaddress import ip_network
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.receivers import Handler, receiver, statuses
from tests.sentences import refused, says
from workbench.core.errors import CampaignError
from workbench.jobs.processes import Limits, Work, Workers
from workbench.people.accounts import Accounts, open_accounts
from workbench.people.accounts.webhooks import PAUSES, due, messages
from workbench.release.webhooks import events, sending
from workbench.release.webhooks.sending import Networks, host_of, may_reach, post, secret_of, send, signature
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import mark

HERE = [ip_network("127.0.0.0/8")]
PRIVATE = """
    127.0.0.1 127.9.9.9 0.0.0.0 0.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 100.100.100.200 169.254.169.254
    168.63.129.16 192.0.0.192 192.88.99.1 198.18.0.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b::a00:1
    2002:7f00:1:: 2001:0:1::1 2001:db8::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1
    ff0e::1""".split()


def direct(work: Work) -> Any:
    return work.do(lambda *step: None)


@pytest.fixture
def accounts(small: Campaign) -> Any:
    with open_accounts(small.path.parent) as opened:
        yield opened


def tried(campaign: Campaign, accounts: Accounts, url: str, networks: Networks = HERE) -> Callable[[], Any]:
    """A webhook with a test message; each call of what is given sends what is due then."""
    made = events.add_webhook(campaign.by("olga"), accounts, url, ["run.submitted"])
    events.try_webhook(campaign, accounts, made.row)

    def again(after: float = 5) -> Any:
        (message,) = due(then := accounts.at(accounts.now + timedelta(seconds=after)))
        return send(then, message, networks, direct)

    return again


def test_the_signature_is_that_of_the_specification() -> None:
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"test": 2432232314}'
    signed = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("place", PRIVATE)
def test_an_address_that_is_not_public_is_reached_only_where_the_operator_allows_it(place: str) -> None:
    assert not may_reach(place, [], encrypted=True)
    assert not may_reach(place, [ip_network("1.0.0.0/8")], encrypted=False)


def test_public_addresses_are_reached_over_tls_and_networks_of_the_operator_without() -> None:
    for place in ("9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9"):
        assert may_reach(place, [], encrypted=True)
        assert not may_reach(place, HERE, encrypted=False)
    for place in ("127.0.0.1", "::ffff:127.0.0.1"):
        assert may_reach(place, HERE, encrypted=False)
    everything = [ip_network("0.0.0.0/0"), ip_network("::/0")]
    assert not any(
        may_reach(place, everything, encrypted=True) for place in ("224.0.0.1", "ff02::1", "0.0.0.0", "::")
    )


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "017700000001",
        "127.1",
        "localhost",
        "[::1]",
        "[::ffff:7f00:1]",
        "0",
    ],
)
def test_this_machine_is_refused_under_each_of_its_names(host: str) -> None:
    with receiver() as (url, came):
        port = url.partition("/hook")[0].rpartition(":")[2]
        for scheme in ("http", "https"):
            with pytest.raises(CampaignError):
                post(f"{scheme}://{host}:{port}/hook", {}, "{}", [])
    assert came == []


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[object]:
    """Have names resolve to other addresses each time; gives what was asked for."""
    asked: list[object] = []
    usual = socket.getaddrinfo

    def resolve(host: str, port: Any, *more: Any, **options: Any) -> Any:
        if not host.endswith(".example"):
            return usual(host, port, *more, **options)
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port)) for place in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_of_a_name_with_several_addresses_all_have_to_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["9.9.9.9", "10.0.0.1"])
    with refused(CampaignError, "hook.example", "10.0.0.1"):
        post("https://hook.example/", {}, "{}", HERE)


def test_what_a_name_resolves_to_later_plays_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolving(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
    with receiver() as (url, came):
        assert post(url.replace("127.0.0.1", "hook.example"), {}, "{}", HERE) == 204
    assert asked == ["hook.example"]
    assert came[0].headers["host"].startswith("hook.example:")


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate of hook.example, which this machine trusts."""
    path = tmp_path / "both.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=hook.example -addext subjectAltName=DNS:hook.example"
    subprocess.run(
        ["openssl", *words.split(), "-keyout", path, "-out", tmp_path / "cert.pem"],
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text() + (tmp_path / "cert.pem").read_text())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    return path


def test_over_tls_the_certificate_has_to_be_that_of_the_name(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, ["127.0.0.1"])
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    handler = type("Own", (Handler,), {"answer": statuses(200), "came": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        assert post(f"https://hook.example:{server.server_port}/", {}, "{}", HERE) == 200
        assert post(f"HTTPS://hook.example:{server.server_port}/", {}, "{}", HERE) == 200
        with refused(CampaignError, "other.example"):
            post(f"https://other.example:{server.server_port}/", {}, "{}", HERE)
        server.shutdown()


def test_a_failure_is_tried_again_under_the_same_id_and_signed_again(
    small: Campaign, accounts: Accounts
) -> None:
    with receiver(statuses(500, 200)) as (url, came):
        again = tried(small, accounts, url)
        assert again()["status"] == 500
        (message,) = messages(accounts, mark(small), 9)
        assert (message.state, message.attempts[0]["status"]) == ("waiting", 500)
        assert again(60)["status"] == 200
    first, second = came
    assert (first.id, first.body) == (second.id, second.body)
    assert first.headers["webhook-timestamp"] != second.headers["webhook-timestamp"]
    (webhook,) = events.active(small, accounts)
    for each in came:
        signed = signature(
            secret_of(accounts, webhook), each.id, int(each.headers["webhook-timestamp"]), each.body
        )
        assert each.headers["webhook-signature"] == signed
    (message,) = messages(accounts, mark(small), 9)
    assert (message.state, [each["status"] for each in message.attempts]) == ("delivered", [500, 200])
    assert message.attempts[1]["milliseconds"] < 60_000


def test_after_a_day_of_failures_a_message_is_given_up(small: Campaign, accounts: Accounts) -> None:
    with receiver(statuses(503)) as (url, came):
        again, passed = tried(small, accounts, url), 5.0
        again()
        for pause in PAUSES:
            passed += pause + 1
            again(passed)
        assert len(came) == len(PAUSES) + 1
    assert list(PAUSES) == sorted(PAUSES)
    assert 20 * 3600 < sum(PAUSES) < 30 * 3600
    (message,) = messages(accounts, mark(small), 9)
    assert (message.state, len(message.attempts)) == ("given up", 8)
    assert due(accounts.at(accounts.now + timedelta(days=9))) == []


def test_redirects_are_not_followed(small: Campaign, accounts: Accounts) -> None:
    with (
        receiver() as (other, elsewhere),
        receiver(lambda handler, _: handler.say(307, Location=other)) as (url, _),
    ):
        attempt = tried(small, accounts, url)()
    assert (attempt["status"], elsewhere) == (307, [])
    assert says(attempt["error"])


def test_an_answer_that_lies_about_its_length_is_not_waited_for(small: Campaign, accounts: Accounts) -> None:
    with receiver(lambda handler, _: handler.say(200, length=10**12)) as (url, _):
        assert tried(small, accounts, url)()["error"] == ""


def test_a_receiver_that_hangs_is_left(
    small: Campaign, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "TIMEOUT", 0.2)
    with receiver(lambda handler, _: time.sleep(1)) as (url, _):
        attempt = tried(small, accounts, url)()
    assert attempt["status"] == 0
    assert says(attempt["error"])


def test_a_receiver_that_sends_one_byte_after_the_other_ends_with_its_process() -> None:
    def drip(handler: Handler, _: int) -> None:
        while True:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nx: x"[:1])
            time.sleep(0.1)

    workers = Workers()
    with receiver(drip) as (url, _), refused(Exception, "2 seconds"):
        workers.run(Work(post, (url, {}, "{}", HERE)), Limits(seconds=2))
    workers.close()


def test_a_message_that_one_server_sends_is_sent_by_no_other(small: Campaign, accounts: Accounts) -> None:
    with receiver() as (url, came):
        tried(small, accounts, url)
        (message,) = due(then := accounts.at(accounts.now + timedelta(seconds=5)))
        others: list[str] = []

        def meanwhile(work: Work) -> Any:
            others.append(send(then, message, HERE, direct)["error"])
            return direct(work)

        assert send(then, message, HERE, meanwhile)["status"] == 204
    assert (len(came), len(others)) == (1, 1)
    assert says(others[0])
    (kept,) = messages(accounts, mark(small), 9)
    assert (kept.state, len(kept.attempts)) == ("delivered", 1)


def test_what_answers_with_something_else_than_http_is_not_quoted(
    small: Campaign, accounts: Accounts
) -> None:
    with receiver(lambda handler, _: handler.wfile.write(b"SSH-2.0-inside\r\n\r\n")) as (url, _):
        attempt = tried(small, accounts, url)()
    assert says(attempt["error"].partition(": ")[2])
    assert "inside" not in attempt["error"]


def test_where_nobody_listens_the_error_says_so(small: Campaign, accounts: Accounts) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        attempt = tried(small, accounts, f"http://127.0.0.1:{silent.getsockname()[1]}/")()
    assert attempt["status"] == 0
    assert "127.0.0.1" in attempt["error"]


@pytest.mark.parametrize(
    "rest", [":99999/", "/#x", "/ b", "/\r\nHost: b", "/é", "\\b/", "@b.example/", "/" + "x" * 500]
)
def test_what_is_no_address_of_a_receiver_is_refused(rest: str) -> None:
    assert host_of("https://a.example/x?y=z") == "a.example"
    for url in (f"https://a.example{rest}", "ftp://a.example/", "a.example", "https:///", "javascript:1"):
        with pytest.raises(CampaignError):
            host_of(url)
