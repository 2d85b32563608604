"""The server starts only where it is safe to, and ends cleanly."""

from __future__ import annotations

import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from tests.sentences import refused, says
from workbench.core.errors import NotACampaign
from workbench.people.accounts import add_account, list_accounts, open_accounts, set_disabled
from workbench.release.backups.rotation import Schedule
from workbench.storage.campaign import create_campaign
from workbench.web.app import ServerRules
from workbench.web.requests.allowed_hosts import AllowedHosts
from workbench.web.requests.headers import HEADERS
from workbench.web.requests.uploads import UploadLimits
from workbench.web.server import serving
from workbench.web.server.limits import for_values
from workbench.web.server.serving import Address, CannotServe, has_desktop, listen, serve

SERVER = """
import sys
from pathlib import Path
from workbench.web.server.serving import Address, serve
serve(Path(sys.argv[1]), address=Address(port=0), open_browser=False, demo="demo" in sys.argv,
      say=lambda line: print(line, flush=True))
"""


def quiet(_: str) -> None:
    """Nobody reads what is said."""


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Serving stops before the first request; the list gets the address a browser would have opened."""
    opened: list[str | None] = []

    def instead(app, sockets, beside, *, n_connections, open_at) -> None:
        opened.append(open_at)
        app.extensions["workbench_connections"].close()

    monkeypatch.setattr(serving, "_run", instead)
    return opened


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    return tmp_path / "empty-instance"


@pytest.mark.parametrize(
    "address", [*map(Address, ("0.0.0.0", "::", "192.0.2.7", "judge.example")), Address(behind_proxy=True)]
)
def test_others_are_not_let_in_without_accounts(empty: Path, address: Address) -> None:
    empty.mkdir()
    with pytest.raises(CannotServe, match="account"):
        serve(empty, address=address, say=quiet)


@pytest.mark.parametrize(
    "address",
    [
        Address("0.0.0.0", 0),
        Address("::", 0),
        Address("judge.example", 0),
        Address("0.0.0.0", 0, secure=True),
        Address("0.0.0.0", 0, behind_proxy=True),
    ],
)
def test_passwords_are_not_taken_over_a_network_without_tls_unless_it_is_asked_for(
    instance: Path, nothing_runs: list[str | None], address: Address
) -> None:
    with pytest.raises(CannotServe) as refused:
        serve(instance, address=address, say=quiet)
    for way_out in ("--behind-proxy --secure", "docs/run/serving.md#behind-tls", "--insecure"):
        assert way_out in str(refused.value)
    assert nothing_runs == []


def test_a_server_without_tls_says_that_passwords_can_be_read(
    instance: Path, nothing_runs: list[str | None]
) -> None:
    said: list[str] = []
    serve(instance, address=Address("0.0.0.0", 0, insecure=True), say=said.append, open_browser=False)
    assert says(said[0])
    serve(instance, address=Address("0.0.0.0", 0, secure=True, behind_proxy=True), say=said.append)
    assert says(said[3])
    alone: list[str] = []
    serve(instance, address=Address(port=0), say=alone.append, open_browser=False)
    assert "Warning" not in "\n".join(alone)


def test_shut_accounts_are_no_accounts(instance: Path) -> None:
    with open_accounts(instance) as accounts:
        for account in list_accounts(accounts):
            set_disabled(accounts, account.name, disabled=True)
    with refused(CannotServe):
        serve(instance, address=Address("0.0.0.0"), say=quiet)


@pytest.mark.parametrize("address", [Address("0.0.0.0"), Address(behind_proxy=True)])
def test_the_demo_is_for_this_machine_alone(instance: Path, address: Address) -> None:
    with refused(CannotServe):
        serve(instance, address=address, demo=True, say=quiet)


def test_a_port_in_use_is_named_with_the_way_out(instance: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CannotServe, match=rf"port {port} is in use.*--port {port + 1}"):
            serve(instance, address=Address(port=port), say=quiet)


@pytest.mark.parametrize(
    ("host", "port", "message"),
    [
        ("no-such-host.invalid", 0, "has no such address"),
        ("127.0.0.1", 70000, "not a port"),
        ("192.0.2.7", 0, "cannot listen there"),
    ],
)
def test_an_address_that_is_not_ours_is_refused(host: str, port: int, message: str) -> None:
    with pytest.raises(CannotServe, match=message):
        listen(host, port)


def test_localhost_is_one_port_on_all_its_addresses() -> None:
    sockets = listen("localhost", 0)
    assert len({sock.getsockname()[1] for sock in sockets}) == 1
    for sock in sockets:
        sock.close()


def test_without_accounts_a_link_is_said_and_opened(
    empty: Path, nothing_runs: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty.mkdir()
    monkeypatch.setenv("DISPLAY", ":0")
    said: list[str] = []
    serve(empty, address=Address(port=0), say=said.append)
    (link,) = re.findall(r"http://127\.0\.0\.1:\d+/start/\S{43}", "\n".join(said))
    assert nothing_runs == [link]
    serve(empty, address=Address(port=0), say=said.append, open_browser=False)
    assert nothing_runs == [link, None]
    assert link not in said[-1]


def test_a_browser_opens_only_where_there_is_a_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_desktop()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_desktop()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    for platform in ("darwin", "win32"):
        monkeypatch.setattr(sys, "platform", platform)
        assert has_desktop()


def test_a_campaign_named_must_be_good_and_any_other_is_left_out(
    instance: Path, nothing_runs: list[str | None]
) -> None:
    (instance / "broken.db").write_text("")
    said: list[str] = []
    serve(instance, address=Address(port=0), say=said.append)
    assert "Warning: not served" in said[0]
    assert "broken.db" in said[0]
    with pytest.raises(NotACampaign, match=r"broken\.db"):
        serve(instance, [instance / "broken.db"], address=Address(port=0), say=quiet)
    with refused(CannotServe):
        serve(instance, [instance / "missing.db"], address=Address(port=0), say=quiet)


def test_a_network_file_system_is_warned_about(
    instance: Path, nothing_runs: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "network_file_system", lambda _: "nfs4")
    said: list[str] = []
    serve(instance, address=Address(port=0), say=said.append)
    assert "network file system (nfs4)" in said[0]


@pytest.mark.parametrize("place", ["instance", "instance/robust.db/backups"])
def test_backups_do_not_go_where_they_would_be_served_or_cannot_be_written(
    instance: Path, nothing_runs: list[str | None], place: str
) -> None:
    with pytest.raises(CannotServe, match=r"choose another .*--backups"):
        serve(instance, address=Address(port=0), backups=Schedule(instance.parent / place), say=quiet)
    assert nothing_runs == []


def test_the_folder_of_backups_is_made_and_said(instance: Path, nothing_runs: list[str | None]) -> None:
    said: list[str] = []
    folder = instance.parent / "kept"
    serve(instance, address=Address(port=0), backups=Schedule(folder, keep=3), say=said.append)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    kept = (
        "the newest 3 of each campaign and of the accounts are kept, then one a day (14) and one a week (8)."
    )
    assert f"Backups every 1 h in {folder}; {kept}" in said


@pytest.fixture
def server(request: pytest.FixtureRequest, empty: Path):
    """A real server in a process of its own, over one campaign; the pair of process and first lines."""
    empty.mkdir()
    create_campaign(empty / "robust.db").close()
    command = [sys.executable, "-c", SERVER, str(empty), *getattr(request, "param", [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = []
        while not lines or "Ctrl-C" not in lines[-1]:
            lines.append(process.stdout.readline())
            assert lines[-1], process.stderr.read() if process.stderr else ""
        yield process, "".join(lines)
        process.kill()


def fetch(address: str, host: str | None = None) -> tuple[int, str]:
    request = urllib.request.Request(address, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.parametrize("stop", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_real_server_answers_and_leaves_each_campaign_as_one_file(
    server, empty: Path, stop: signal.Signals
) -> None:
    process, said = server
    (link,) = re.findall(r"http://\S+/start/\S+", said)
    base = link.split("start/")[0]
    assert fetch(link)[0] == 200
    assert says(fetch(base)[1])
    assert fetch(base, host="evil.example")[0] == 400
    process.send_signal(stop)
    assert process.wait(60) == 0
    assert process.stderr.read() == ""
    assert sorted(path.name for path in empty.iterdir()) == [
        "accounts.db",
        "monitor_token",
        "robust.db",
        "secret_key",
    ]


def test_what_the_server_refuses_before_the_application_carries_the_headers_too(server) -> None:
    port = int(re.findall(r"http://127\.0\.0\.1:(\d+)/start/", server[1])[0])
    heads = {
        b"400": b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: some\r\n\r\n",
        b"413": b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
        b"431": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + 300_000 * b"x" + b"\r\n\r\n",
        b"501": b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: odd\r\n\r\n",
    }
    for status, head in heads.items():
        with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
            line.sendall(head)
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += line.recv(65536)
        assert answer.split(b" ", 2)[1] == status
        for name, value in HEADERS.items():
            assert answer.count(f"\r\n{name}: {value}\r\n".encode()) == 1, (status, name)


def test_an_account_made_in_the_terminal_beside_a_real_server_signs_in(server, empty: Path) -> None:
    base = re.findall(r"http://\S+/start/\S+", server[1])[0].split("start/")[0]
    assert says(fetch(f"{base}sign-in")[1])
    with open_accounts(empty) as accounts:
        add_account(accounts, "Anna", "the river is deep and cold")
    assert 'name="password"' in fetch(f"{base}sign-in")[1]


@pytest.mark.parametrize("server", [["demo"]], indirect=True)
def test_the_demo_starts_with_nothing_to_copy(server) -> None:
    _, said = server
    assert "/start/" not in said
    (base,) = set(re.findall(r"http://\S+", said))
    assert said.splitlines()[-1].endswith(base)
    status, page = fetch(base)
    assert status == 200
    assert 'action="/start"' in page


def test_everything_that_serving_is_asked_for_reaches_the_application(
    instance: Path, nothing_runs: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, object] = {}
    create = serving.create_app

    def noted(instance: Path, campaigns: object, **options: object) -> object:
        asked.update(instance=instance, campaigns=campaigns, **options)
        return create(instance, campaigns, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(serving, "create_app", noted)
    monkeypatch.setattr(serving.request_log, "init_app", lambda app: asked.update(logged=app.instance_path))
    monkeypatch.setattr(
        serving, "in_the_background", lambda app, backups: nullcontext(asked.update(backed_up=backups))
    )
    monkeypatch.setattr(serving, "bound_values", lambda most: asked.update(bound=most))
    limits, backups = UploadLimits(request=9), Schedule(instance.parent / "kept")
    campaigns, hosts = [instance / "robust.db"], ("judge.example",)
    serve(
        instance,
        campaigns,
        address=Address(port=0, allow_hosts=hosts, secure=True, behind_proxy=True),
        upload_limits=limits,
        backups=backups,
        log_requests=True,
        operated=ServerRules(3, 5),
        cache_size=7_000_000,
        say=quiet,
    )
    assert isinstance(asked.pop("port"), int)
    assert asked.pop("queues") is not None
    assert asked == {
        "instance": instance,
        "campaigns": campaigns,
        "sign_in_token": None,
        "demo": False,
        "allowed": AllowedHosts.for_address("127.0.0.1", hosts),
        "secure": True,
        "behind_proxy": True,
        "upload_limits": limits,
        "backups": backups,
        "operated": (3, 5, None, (), ()),
        "logged": str(instance),
        "backed_up": backups,
        "bound": 7_000_000,
    }
    serve(instance, address=Address(port=0), demo=True, say=quiet)
    assert (asked["operated"], asked["demo"], asked["sign_in_token"]) == (ServerRules(), True, None)
    assert asked["bound"] == for_values()


class Socket:
    """In the place of a socket that is bound."""

    def __init__(self, place: tuple[object, ...]) -> None:
        self.place, self.is_open = place, True

    def getsockname(self) -> tuple[object, ...]:
        return (self.place[0], self.place[1] or 4711)

    def close(self) -> None:
        self.is_open = False


def addresses(*places: tuple[object, ...]) -> Callable[..., list[tuple[object, ...]]]:
    """In the place of `getaddrinfo`: these addresses, the first of them twice."""
    return lambda *_, **__: [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", place) for place in (places[0], *places)
    ]


def test_any_free_port_is_the_same_on_every_address_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", addresses(("127.0.0.1", 0), ("::1", 0, 0, 7)))
    monkeypatch.setattr(serving, "_bind", lambda *given: Socket(given[-1]))
    assert [sock.place for sock in listen("localhost", 0)] == [("127.0.0.1", 0), ("::1", 4711, 0, 7)]  # type: ignore[attr-defined]


def test_where_one_address_cannot_be_had_none_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    bound: list[Socket] = []

    def bind(*given: tuple[object, ...]) -> Socket:
        if bound:
            raise PermissionError(13, "Permission denied")
        bound.append(Socket(given[-1]))
        return bound[0]

    monkeypatch.setattr(socket, "getaddrinfo", addresses(("127.0.0.1", 80), ("::1", 80, 0, 0)))
    monkeypatch.setattr(serving, "_bind", bind)
    words = "^port 80 is not for ordinary users; choose one above 1023: --port 5000$"
    with pytest.raises(CannotServe, match=words):
        listen("localhost", 80)
    assert not bound[0].is_open


@pytest.mark.parametrize("has_ended", [True, False])
def test_a_server_closes_its_files_once_all_requests_have_ended(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, has_ended: bool
) -> None:
    told: dict[str, Any] = {}
    done: list[str] = []
    server = SimpleNamespace(task_dispatcher=SimpleNamespace(queue=["a", "b", "c"]))

    @contextmanager
    def beside() -> Iterator[None]:
        done.append("threads begin")
        yield
        done.append("threads end")

    def until_stopped(_: object) -> bool:
        done.append("serves")
        return has_ended

    monkeypatch.setattr("waitress.server.create_server", lambda _, **given: told.update(given) or server)
    monkeypatch.setattr("workbench.web.server.request_size.limit_bodies", lambda *_: done.append("limited"))
    monkeypatch.setattr("workbench.web.server.stopping.run_until_stopped", until_stopped)
    monkeypatch.setattr(serving.gc, "set_threshold", lambda *_: None)
    for name in ("jobs", "made_files", "connections"):
        close = partial(done.append, f"{name} closed")
        monkeypatch.setattr(app.extensions[f"workbench_{name}"], "close", close)
    opened = threading.Event()
    monkeypatch.setattr(serving.webbrowser, "open", lambda _: opened.set())
    serving._run(app, [], beside(), n_connections=100, open_at="http://x/")
    assert opened.wait(60)
    assert (told["connection_limit"], told["clear_untrusted_proxy_headers"]) == (100, True)
    assert app.extensions["workbench_metrics"].state.queue() == 3
    assert done == [
        *("limited", "threads begin", "serves", "threads end", "jobs closed", "made_files closed"),
        *(["connections closed"] if has_ended else []),
    ]
    assert caplog.messages == ([] if has_ended else ["stopped before every request had ended"])
    told["_dispatcher"].shutdown()
