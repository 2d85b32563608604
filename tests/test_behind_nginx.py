"""The workbench behind Debian's nginx with TLS, in the words of docs/serving.md."""

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
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from .conftest import ROOT, skip_or_fail
from .stories import Program, expect_saved, judge, own_port, pairs, sign_in

pytestmark = pytest.mark.slow

NAME = "judging.example.org"
PASSWORD = "the river is deep"
TIMEOUT = 60.0
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"  # where Debian puts it, out of the way of ordinary users
MAIN = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
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

    def connect(self) -> http.client.HTTPConnection:
        """A connection over TLS to the site under its name, wherever that name leads elsewhere."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        raw = socket.create_connection(("127.0.0.1", self.tls), TIMEOUT)
        connection = http.client.HTTPConnection(NAME, self.tls, timeout=TIMEOUT)
        connection.sock = context.wrap_socket(raw, server_hostname=NAME)
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
        headers = {"Host": NAME, "Cookie": self.cookie} | {
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
    options = ["--port", "0", "--behind-proxy", "--secure", "--allow-host", NAME, "--no-open"]
    with (
        own_port() as tls,
        own_port() as plain,
        program.serving("serve", "rivers", *options) as server,
    ):
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


def documented() -> str:
    """The configuration that docs/serving.md shows."""
    found = re.search(r"^```nginx\n(.*?)^```", (ROOT / "docs" / "serving.md").read_text(), re.M | re.S)
    assert found is not None
    return found[1]


def configured(site: Site) -> Path:
    """The documented configuration, with the ports and the certificate of this test, as a file."""
    sites = documented()
    for words, ours in {
        "listen 80;": f"listen 127.0.0.1:{site.plain};",
        "listen [::]:80;": "",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{site.tls} ssl http2;",
        "listen [::]:443 ssl http2;": "",
        "/etc/ssl/judging.example.org.pem": str(site.certificate),
        "/etc/ssl/private/judging.example.org.key": str(site.certificate.with_suffix(".key")),
        "127.0.0.1:5000": f"127.0.0.1:{site.behind}",
    }.items():
        assert words in sites
        sites = sites.replace(words, ours)
    path = site.folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    path.write_text(MAIN.format(user=user, folder=site.folder, sites=sites))
    return path


def certificate(folder: Path) -> Path:
    """A certificate for NAME that vouches for itself; its key lies beside it."""
    path = folder / "site.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    words += ["-addext", f"subjectAltName=DNS:{NAME}", "-out", str(path)]
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


def test_somebody_signs_in_over_tls_and_the_cookie_stays_there(client: Client) -> None:
    answer = client.sign_in("anna", Origin=f"https://{NAME}")
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    (cookie,) = answer.cookies
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    page = client.ask("GET", "/c/rivers/desk")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "nginx/" not in page.headers["Server"]


def test_a_form_of_another_sites_page_is_refused(client: Client) -> None:
    assert client.sign_in("anna", Origin="https://evil.example").status == 403


def test_another_name_is_refused_even_if_nginx_lets_it_through(client: Client) -> None:
    assert client.ask("GET", "/sign-in", Host="evil.example").status == 400


def test_what_a_browser_says_of_itself_in_forwarded_headers_does_not_count(client: Client) -> None:
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
def test_somebody_judges_over_tls(site: Site, browser: Browser) -> None:
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
    assert answer.status == 200, answer.text
    assert json.loads(answer.text)["reports"][0]["added"] is True


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
