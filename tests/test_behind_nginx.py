"""The workbench behind Debian's nginx with TLS, in the words of docs/run/serving.md."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from tests.conftest import ROOT, skip_or_fail
from tests.stories import Program, expect_saved, judge, own_port, pairs, sign_in

pytestmark = pytest.mark.slow

NAME = "judging.example.org"
PORT = 5000
PASSWORD = "the river is deep"
TIMEOUT = 60.0
CONNECTIONS = 100
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"  # where Debian puts it, out of the way of ordinary users
MAIN = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{main}
http {{
    access_log off;
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Test-Address;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/proxied;
    fastcgi_temp_path {folder}/1;
    uwsgi_temp_path {folder}/2;
    scgi_temp_path {folder}/3;
{sites}
}}
"""


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def cookies(self) -> list[str]:
        return self.headers.get_all("Set-Cookie") or []


@dataclass
class Site:
    """nginx on two ports of this machine, the workbench's own port, and what nginx trusts itself by."""

    tls: int
    plain: int
    behind: int
    certificate: Path
    folder: Path
    name: str = NAME

    def connect(self) -> http.client.HTTPConnection:
        """A connection over TLS to the site under its name, wherever that name leads elsewhere."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        raw = socket.create_connection(("127.0.0.1", self.tls), TIMEOUT)
        connection = http.client.HTTPConnection(self.name, self.tls, timeout=TIMEOUT)
        connection.sock = context.wrap_socket(raw, server_hostname=self.name)
        return connection


@dataclass
class Client:
    """A browser's part: it keeps its cookie, and names the page that it comes from."""

    site: Site
    cookie: str = ""
    sent: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: bytes | None = None, port: int = 0, **more: str) -> Answer:
        """Ask nginx over TLS; with `port`, whoever listens there, in plain HTTP."""
        plain = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        connection = plain if port else self.site.connect()
        headers = {"Host": self.site.name, "Cookie": self.cookie} | {
            name.replace("_", "-"): value for name, value in more.items()
        }
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode(errors="replace"))
        connection.close()
        if answer.cookies:
            self.cookie = answer.cookies[-1].partition(";")[0]
        return answer

    def token(self, **more: str) -> str:
        return str(json.loads(self.ask("GET", "/session", **more).text)["csrf_token"])

    def sign_in(self, name: str, password: str = PASSWORD, **more: str) -> Answer:
        form = {"csrf_token": self.token(), "name": name, "password": password}
        kind = "application/x-www-form-urlencoded"
        return self.ask("POST", "/sign-in", urlencode(form).encode(), Content_Type=kind, **more)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    for program in (NGINX, "openssl"):
        if shutil.which(program) is None:
            skip_or_fail(f"{program} is not installed")
    folder = tmp_path_factory.mktemp("behind")
    program = Program(folder)
    make_campaign(program)
    for name, role in (("anna", "organiser"), ("ben", "assessor")):
        program.run("user", "add", name, "--password", PASSWORD)
        program.run("member", "add", "rivers", name, "--role", role)
    options = (
        f"--port 0 --behind-proxy --secure --second-factor optional --allow-host {NAME} --no-open".split()
    )
    with own_port() as tls, own_port() as plain, program.serving("serve", "rivers", *options) as server:
        ready = Site(tls, plain, server.port, certificate(folder), folder)
        nginx = subprocess.Popen([NGINX, "-p", folder, "-c", configured(ready)], stderr=subprocess.DEVNULL)
        try:
            wait_for(tls)
            wait_for(plain)
            yield ready
        finally:
            nginx.terminate()
            nginx.wait(timeout=TIMEOUT)


def make_campaign(program: Program) -> None:
    """One topic with two documents."""
    texts = [{"document_id": name, "title": f"About {name}", "text": "It freezes."} for name in ("n1", "n2")]
    files = {
        "topics.jsonl": json.dumps({"topic_id": "1", "title": "deep rivers"}),
        "documents.jsonl": "\n".join(map(json.dumps, texts)),
        "alpha.run": "1 Q0 n1 1 2 alpha\n1 Q0 n2 2 1 alpha",
    }
    program.run("new", "rivers")
    for name, content in files.items():
        (program.folder / name).write_text(f"{content}\n")
    for kind, name in zip(("topics", "documents", "runs"), files, strict=True):
        program.run("add", kind, "rivers", name)
    program.run("pool", "rivers", "--depth", "10", "--order", "document id")


def documented(kind: str = "nginx") -> str:
    """The configuration that docs/run/serving.md shows: the site, or (`conf`) what nginx's own file gets."""
    found = re.search(
        rf"^```{kind}\n(.*?)^```", (ROOT / "docs" / "run" / "serving.md").read_text(), re.M | re.S
    )
    assert found is not None
    return found[1]


def configured(site: Site, sites: str = "") -> Path:
    """The documented configuration, with the ports and the certificate of this test, as a file."""
    sites = sites or documented()
    for words, ours in {
        "listen 80;": f"listen 127.0.0.1:{site.plain};",
        "listen 80 default_server;": f"listen 127.0.0.1:{site.plain} default_server;",
        "listen [::]:80;": "",
        "listen [::]:80 default_server;": "",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{site.tls} ssl http2;",
        "listen [::]:443 ssl http2;": "",
        "/etc/ssl/judging.example.org.pem": str(site.certificate),
        "/etc/ssl/private/judging.example.org.key": str(site.certificate.with_suffix(".key")),
        **({f"127.0.0.1:{PORT}": f"127.0.0.1:{site.behind}"} if f":{PORT}" in sites else {}),
        "connections 1000;": f"connections {CONNECTIONS};",  # a thousand take a busy machine longer than nginx waits
    }.items():
        assert words in sites
        sites = sites.replace(words, ours)
    path = site.folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    path.write_text(MAIN.format(user=user, folder=site.folder, sites=sites, main=documented("conf")))
    return path


def certificate(folder: Path, name: str = NAME) -> Path:
    """A certificate for a name that vouches for itself; its key lies beside it."""
    path = folder / "site.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
    words += ["-addext", f"subjectAltName=DNS:{name}", "-out", str(path)]
    words += ["-keyout", str(path.with_suffix(".key"))]
    subprocess.run(words, check=True, capture_output=True)
    return path


def wait_for(port: int) -> None:
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), TIMEOUT).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("nginx does not listen")


@pytest.fixture
def client(site: Site) -> Client:
    return Client(site)


def test_plain_http_leads_to_tls(site: Site, client: Client) -> None:
    answer = client.ask("GET", "/c/rivers/?a=b", port=site.plain)
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{NAME}/c/rivers/?a=b")
    with pytest.raises(http.client.RemoteDisconnected):
        client.ask("GET", "/", port=site.plain, Host="evil.example")


def test_a_user_signs_in_over_tls_and_the_cookie_stays_there(client: Client) -> None:
    answer = client.sign_in("anna", Origin=f"https://{NAME}")
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    (cookie,) = answer.cookies
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    page = client.ask("GET", "/c/rivers/dashboard")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "nginx/" not in page.headers["Server"]


def test_what_a_browser_says_of_itself_in_forwarded_headers_does_not_count(client: Client) -> None:
    assert client.ask("GET", "/sign-in", Host="evil.example").status == 400
    assert client.sign_in("anna", Origin="https://evil.example").status == 403
    assert client.ask("GET", "/sign-in", X_Forwarded_Host="evil.example").status == 200
    answers = [
        client.sign_in("nobody", "wrong password", X_Forwarded_For=f"10.0.0.{number}").status
        for number in range(6)
    ]
    assert answers == [401] * 5 + [429]


def test_an_invitation_is_a_link_to_the_name_that_people_know(client: Client) -> None:
    client.sign_in("anna")
    form = {"csrf_token": client.token(), "role": "observer", "days": "7"}
    kind = "application/x-www-form-urlencoded"
    page = client.ask("POST", "/c/rivers/people/invitation", urlencode(form).encode(), Content_Type=kind)
    link = re.search(rf"https://{re.escape(NAME)}(/invitation/[\w-]+)", page.text)
    assert page.status == 201
    assert link is not None
    assert Client(client.site).ask("GET", link[1]).status == 200


@pytest.mark.browser
def test_an_assessor_judges_over_tls(site: Site, browser: Browser) -> None:
    context = browser.new_context(
        ignore_https_errors=True
    )  # the certificate is for NAME, which leads elsewhere
    page = context.new_page()
    sign_in(page, f"https://localhost:{site.tls}/", "ben", PASSWORD)
    (cookie,) = context.cookies()
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax")
    page.goto(f"https://localhost:{site.tls}/c/rivers/judge?topic=1")
    assert judge(page, "1").document_id == "n1"
    assert judge(page, "0").document_id == "n2"
    expect_saved(page)
    context.close()
    assert pairs(Program(site.folder).judgments("rivers")) == [("n1", 1), ("n2", 0)]


def multipart(content: bytes) -> bytes:
    start = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.jsonl"\r\n\r\n'
    return start + content + b"\r\n--x--\r\n"


def test_files_of_an_organiser_go_through(client: Client) -> None:
    client.sign_in("anna")
    text = "It freezes. " * 1_000
    lines = [json.dumps({"document_id": f"d{number}", "text": text}).encode() for number in range(500)]
    answer = client.ask(
        "POST",
        "/c/rivers/add/documents",
        multipart(b"\n".join(lines)),
        Accept="application/json",
        Content_Type="multipart/form-data; boundary=x",
        X_CSRFToken=client.token(),
    )
    end = time.monotonic() + 60
    while json.loads(answer.text).get("state") in ("waiting", "running"):
        assert time.monotonic() < end, answer.text
        answer = client.ask("GET", json.loads(answer.text)["address"])
    assert '"added": true' in answer.text.replace('":true', '": true'), answer.text


@contextmanager
def announcing(site: Site, path: str, size: int, cookie: str = "") -> Iterator[http.client.HTTPConnection]:
    """A request of which so far only the head is sent; it says how large the body will be."""
    with closing(site.connect()) as connection:
        connection.putrequest("POST", path, skip_host=True)
        head = {"Host": NAME, "Accept": "application/json", "Cookie": cookie, "Content-Length": str(size)}
        for name, value in head.items():
            connection.putheader(name, value)
        connection.endheaders()
        yield connection


@pytest.mark.parametrize(("who", "status"), [("ben", 403), (None, 401)])
def test_files_of_others_are_refused_before_they_are_received(
    site: Site, client: Client, who: str | None, status: int
) -> None:
    if who is not None:
        client.sign_in(who)
    with announcing(site, "/c/rivers/add/documents", 100_000_000, client.cookie) as connection:
        assert connection.getresponse().status == status


@pytest.mark.parametrize(("path", "size"), [("/sign-in", 3 << 20), ("/c/rivers/add/documents", 211 << 20)])
def test_what_is_too_large_stops_at_nginx(site: Site, path: str, size: int) -> None:
    with announcing(site, path, size) as connection:
        answer = connection.getresponse()
        assert (answer.status, "nginx" in answer.read().decode()) == (413, True)


def test_without_being_told_of_a_proxy_nobody_is_believed(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.run("new", "rivers")
    program.run("user", "add", "anna", "--password", PASSWORD)
    with program.serving("serve", "rivers", "--port", "0", "--no-open") as server:
        direct = Client(Site(0, 0, server.port, tmp_path, tmp_path))
        claims = {"Host": "localhost", "X_Forwarded_Host": "evil.example", "X_Forwarded_Proto": "https"}
        answer = direct.ask("GET", "/sign-in", port=server.port, **claims)
        assert answer.status == 200
        assert not any("Secure" in cookie for cookie in answer.cookies)


HEAD = f"GET /sign-in HTTP/1.1\r\nHost: {NAME}\r\n"
HALVES = {
    "heads": HEAD,
    "bodies": f"POST /sign-in HTTP/1.1\r\nHost: {NAME}\r\nX-Test-Address: 192.0.2.9\r\n"
    "Content-Length: 1000\r\n\r\nname=",
    "idle": f"{HEAD}\r\n",
    "fresh": "",
}


def secured(site: Site) -> socket.socket:
    context = ssl.create_default_context(cafile=str(site.certificate))
    raw = socket.create_connection(("127.0.0.1", site.tls), TIMEOUT)
    return context.wrap_socket(raw, server_hostname=NAME)


@pytest.mark.parametrize("kind", HALVES)
def test_520_slow_clients_keep_nobody_out(site: Site, client: Client, kind: str) -> None:
    with ExitStack() as stack:
        for _ in range(520):
            stack.enter_context(secured(site)).sendall(HALVES[kind].encode())
        assert client.sign_in("anna").status == 303
        assert client.ask("GET", "/c/rivers/dashboard").status == 200


def test_nginx_ends_a_request_that_does_not_come_to_its_end(site: Site) -> None:
    with secured(site) as half:
        half.sendall(HALVES["heads"].encode())
        while half.recv(1000):  # in ten seconds, and in a minute at most, or this fails
            pass


def test_one_network_has_so_many_connections_and_the_others_theirs(site: Site, client: Client) -> None:
    half = HALVES["bodies"].replace("192.0.2.9", "2001:db8:1:2::{}")
    with ExitStack() as stack:
        for number in range(CONNECTIONS):
            stack.enter_context(secured(site)).sendall(half.format(f"{number:x}").encode())
        same = "2001:db8:1:2:3:4:5:6"
        assert eventually(lambda: client.ask("GET", "/sign-in", X_Test_Address=same).status == 503)
        assert client.ask("GET", "/sign-in", X_Test_Address="2001:db8:1:3::1").status == 200
        assert client.ask("GET", "/sign-in").status == 200


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        if holds():
            return True
    return False


def asked_at_once(site: Site, number: int, *request: str, **more: str) -> list[int]:
    """The statuses of so many requests over 40 connections that stay open, as fast as they are answered."""

    def ask(_: int) -> list[int]:
        with closing(site.connect()) as line:
            found = []
            for _ in range(number // 40):
                line.request(
                    *request, headers={"Host": NAME} | {k.replace("_", "-"): v for k, v in more.items()}
                )
                with line.getresponse() as answer:
                    answer.read()
                    found.append(answer.status)
            return found

    with ThreadPoolExecutor(40) as threads:
        return [status for statuses in threads.map(ask, range(40)) for status in statuses]


def test_two_hundred_people_behind_one_address_who_open_a_page_at_once_are_not_limited(site: Site) -> None:
    """A page of ten files, from one network within seconds; at their usual pace they ask for 110 in a second."""
    assert set(
        asked_at_once(site, 2_000, "GET", "/static/judging/judging.css", X_Test_Address="192.0.2.1")
    ) == {200}


def test_a_class_signs_in_at_once_and_a_flood_of_passwords_stops_at_nginx(site: Site, client: Client) -> None:
    pupils = [Client(site) for _ in range(40)]
    with ThreadPoolExecutor(len(pupils)) as threads:
        answers = list(
            threads.map(lambda pupil: pupil.sign_in("ben", X_Test_Address="192.0.2.2").status, pupils)
        )
    assert answers == [303] * len(pupils)
    began = time.monotonic()
    flood = asked_at_once(site, 600, "POST", "/sign-in", X_Test_Address="192.0.2.3")
    let_in = len(flood) - flood.count(503)
    assert 200 <= let_in <= 202 + 10 * (time.monotonic() - began)
    assert client.sign_in("anna", X_Test_Address="192.0.2.4").status == 303


@pytest.mark.parametrize(
    ("address", "neighbour", "stranger"),
    [
        ("192.0.2.5", "192.0.2.5", "192.0.2.6"),
        ("2001:db8:a:b::1", "2001:db8:a:b:c:d:e:f", "2001:db8:a:c::1"),
        ("2001:db8::1", "2001:db8::1:2:3:4", "2001:db8:0:1::1"),
    ],
)
def test_nginx_counts_ipv6_by_networks(site: Site, address: str, neighbour: str, stranger: str) -> None:
    asked_at_once(site, 400, "POST", "/reset/x", X_Test_Address=address)
    last = asked_at_once(site, 40, "POST", "/reset/x", X_Test_Address=neighbour)
    assert 503 in last
    assert 503 not in asked_at_once(site, 40, "POST", "/reset/x", X_Test_Address=stranger)
