"""A server with one campaign and six people, behind Flask's client.

Anna is organiser of the campaign `robust`, Ben its assessor, Wilma its adjudicator, Olga its observer and Paul its
participant, of team Alpha; Carla has an account and no role.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from playwright.sync_api import Browser, Page, Route
from waitress.server import create_server  # type: ignore[import-untyped]
from werkzeug.test import TestResponse

from tests.brief_words import WORDS_STAY
from tests.fixture_types import MakeApp, MakeCampaign, PageOf, Post, SignIn, TokenOf, Visit
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.records import Document, Grade, Topic
from workbench.people.accounts import add_account, begin_session, open_accounts
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.web.app import create_app
from workbench.web.requests import campaign_jobs
from workbench.web.requests.long_work import Queues

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PASSWORDS = {name: f"{name.lower()}'s password" for name in ("Anna", "Ben", "Carla", "Wilma", "Olga", "Paul")}
ROLES = {
    "Anna": "organiser",
    "Ben": "assessor",
    "Wilma": "adjudicator",
    "Olga": "observer",
    "Paul": "participant",
}


OWN_TIMERS = """() => {
    const given = new Set();
    for (const name of ["setTimeout", "setInterval"]) {
        const begin = window[name];
        window[name] = (...one) => {
            const timer = begin(...one);
            given.add(timer);
            return timer;
        };
    }
    for (const name of ["clearTimeout", "clearInterval"]) {
        const end = window[name];
        window[name] = (timer) => {
            if (timer && !given.has(timer)) throw new Error(`${name}(${timer}) ends what no script of the page began`);
            end(timer);
        };
    }
}"""
"""Makes it an error of the page to end a timer that it did not begin: it may be another script's."""


class _Compiled(BytecodeCache):
    """Templates that another app of this process has compiled already."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


COMPILED = _Compiled()


@pytest.fixture(scope="session")
def prepared_instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("instance")
    with open_accounts(folder) as accounts:
        for name, password in PASSWORDS.items():
            add_account(accounts.at(NOW), name, password)
    with create_campaign(folder / "robust.db") as campaign, campaign.write():
        for name, role in ROLES.items():
            team = "Alpha" if role == "participant" else ""
            members.put(campaign.by("Anna", NOW), name, role, team=team)
    return folder


@pytest.fixture
def instance(prepared_instance: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared_instance, tmp_path / "instance"))


@pytest.fixture
def make_app(instance: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> MakeApp:
    """`create_app` over the instance, closed at the end; failures become answers, as on a real server.

    A request waits for its job, however busy the machine is; `app_of_jobs` is the server that does not wait.
    """
    monkeypatch.setattr(campaign_jobs, "SOON", 60.0)

    def make(**options: object) -> Flask:
        app = create_app(instance, **options)  # type: ignore[arg-type]
        app.jinja_env.bytecode_cache = COMPILED
        request.addfinalizer(app.extensions["workbench_connections"].close)
        return app

    return make


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    return make_app()


@pytest.fixture
def client_of(instance: Path) -> SignIn:
    """A client of an app with somebody's session, or with nobody's."""

    def sign_in(app: Flask, name: str | None) -> FlaskClient:
        client = app.test_client()
        if name is not None:
            with open_accounts(instance) as accounts:
                token = begin_session(accounts, name)
            with client.session_transaction() as session:
                session.permanent = True
                session.update(token=token)
        return client

    return sign_in


@pytest.fixture
def anna(app: Flask, client_of: SignIn) -> FlaskClient:
    """The organiser of each campaign that a test makes."""
    return client_of(app, "Anna")


@pytest.fixture
def ben(app: Flask, client_of: SignIn) -> FlaskClient:
    """An assessor of each."""
    return client_of(app, "Ben")


@pytest.fixture
def token_of() -> TokenOf:
    """The CSRF token of a client's session, as its next page would carry it."""

    def ask(client: FlaskClient, base_url: str | None = None) -> str:
        return str(client.get("/session", base_url=base_url).get_json()["csrf_token"])

    return ask


@pytest.fixture(scope="module")
def made_campaigns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for what the tests of a file make with `make_campaign`."""
    folder = tmp_path_factory.mktemp("made")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def make_campaign(instance: Path, made_campaigns: Path) -> MakeCampaign:
    """A campaign to be judged: Anna its organiser, Ben and Carla its assessors; every pair that a run has is pooled.

    `runs` gives each run's ranking per topic; the documents are shown in the order of their ids, or as `viewing` says.
    What the tests of a file make alike is made once and copied.
    """

    def make(name: str, *content: Any, **scale: Any) -> Path:
        made = made_campaigns / sha256(repr((name, content, scale)).encode()).hexdigest() / f"{name}.db"
        if not made.exists():
            made.parent.mkdir()
            _make_campaign(made, made.parent, *content, **scale)
        return Path(shutil.copy(made, instance))

    return make


def _make_campaign(
    path: Path,
    folder: Path,
    topic_list: Sequence[Topic],
    document_list: Sequence[Document],
    runs: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    grades: Sequence[Grade] = settings.BINARY,
    relevant_from: int = 1,
    viewing: str = "document id",
    now: datetime = NOW,
) -> None:
    """Make the campaign that `make_campaign` describes; its run files are written into a folder."""
    files = [_write_run(folder / f"{tag}.run", tag, rankings) for tag, rankings in runs.items()]
    with create_campaign(path) as campaign:
        with campaign.write():
            changes = {"title": f"The {path.stem} campaign", "grades": grades, "relevant_from": relevant_from}
            settings.change(campaign.by("Anna", now), changes)
            topics.put(campaign.by("Anna", now), topic_list, files=[])
            for who, role in {"Anna": "organiser", "Ben": "assessor", "Carla": "assessor"}.items():
                members.put(campaign.by("Anna", now), who, role)
            _put_texts(campaign, document_list)
        add_runs(campaign.by("Anna", now), files)
        add_pool(campaign.by("Anna", now), depth=100, viewing=viewing)


@pytest.fixture(scope="session")
def prepared_small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign `small`, made once."""
    return _make_small(tmp_path_factory.mktemp("prepared"), NOW)


@pytest.fixture
def small_again(tmp_path: Path) -> Path:
    """The campaign `small` made again a day later: it holds the same, but its log is another one."""
    return _make_small(tmp_path, NOW + timedelta(days=1))


def _make_small(folder: Path, now: datetime) -> Path:
    texts = {f"d{number}": f"The text of document {number}." for number in range(1, 7)}
    _make_campaign(
        folder / "small.db",
        folder,
        [Topic("1", "frozen rivers", "Which rivers freeze?", "Named rivers only."), Topic("2", "warm lakes")],
        [Document(document_id, f"Document {document_id[1:]}", text) for document_id, text in texts.items()],
        {
            "alpha": {"1": ["d1", "d2", "d3", "d4"], "2": ["d1", "d2"]},
            "beta": {"1": ["d6", "d5", "d4", "d3"], "2": ["d2", "d1"]},
        },
        now=now,
    )
    return folder / "small.db"


@pytest.fixture
def small(prepared_small: Path, instance: Path) -> Path:
    """A copy of the campaign `small`: topic 1 with six documents, d1 to d6, and topic 2 with two."""
    return Path(shutil.copy(prepared_small, instance))


@pytest.fixture
def growing(small: Path) -> Path:
    """The campaign `small` with a pool that chooses one document after the other."""
    with open_campaign(small) as campaign:
        retire_pool(campaign.by("Anna"), 1)
        add_pool(campaign.by("Anna"), strategy="hedge", depth=10, batch=1)
    return small


@contextmanager
def serving(app: Flask, port: int = 0) -> Iterator[str]:
    """Where the application is served, by the server that serves it in earnest."""
    server: Any = create_server(
        app, host="127.0.0.1", port=port, threads=4, clear_untrusted_proxy_headers=True
    )
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            server.asyncore.loop(timeout=0.05, map=server._map, count=1)

    thread = threading.Thread(target=run)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    done.set()
    thread.join()
    server.task_dispatcher.shutdown()
    for channel in list(server.active_channels.values()):
        channel.handle_close()  # closes the files that were on their way to a page, as `close_all` does not
    server.asyncore.close_all(server._map)


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the application is served for the whole of a test."""
    with serving(app) as found:
        yield found


@pytest.fixture
def visit(browser: Browser, app: Flask, address: str, client_of: SignIn) -> Iterator[Visit]:
    """Open an address as somebody, in a browser of their own; what the page's code throws fails the test.

    `intercepted` is for tests that call `page.route` later.
    """
    contexts, thrown = [], []

    def open_page(path: str, who: str = "Ben", *, intercepted: bool = False, **options: object) -> Page:
        client = client_of(app, who)
        cookie = client.get_cookie("workbench_5000")
        assert cookie is not None
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(30_000)
        context.add_init_script(WORDS_STAY)
        context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address}])
        page = context.new_page()
        page.on("pageerror", lambda error: thrown.append(str(error)))
        if intercepted:
            # A browser asked to hand over its requests while a page is open may let the next one through.
            page.route("**/never-asked-for", lambda route: route.abort())
        page.goto(address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert thrown == []


@pytest.fixture
def page_of(browser: Browser) -> Iterator[PageOf]:
    """Show HTML in a browser, without a server, and run a script there: it can import those of static/, and nothing may
    be thrown.
    """
    contexts, thrown = [], []

    def serve(route: Route, html: str) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/static/"):
            route.fulfill(path=ROOT / path.removeprefix("/"))
        else:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")

    def open_page(html: str = "", script: str = "", **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        context.route("**/*", lambda route: serve(route, f"<!doctype html>{html}"))
        page = context.new_page()
        page.on("pageerror", lambda error: thrown.append(str(error)))
        page.clock.install(time=NOW)
        page.goto("http://localhost/")
        page.clock.pause_at(NOW + timedelta(hours=1))  # from now on time passes as the test says
        page.evaluate(OWN_TIMERS)
        if script:
            page.evaluate(script)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert thrown == []


def _write_run(path: Path, tag: str, rankings: Mapping[str, Sequence[str]]) -> str:
    rows = [
        f"{topic_id} Q0 {document_id} {rank} {100 - rank} {tag}\n"
        for topic_id, ranking in rankings.items()
        for rank, document_id in enumerate(ranking, start=1)
    ]
    path.write_text("".join(rows), encoding="utf-8")
    return str(path)


def _put_texts(campaign: Campaign, document_list: Sequence[Document]) -> None:
    campaign.db.conn.executemany(
        "INSERT INTO document (document, title, text, media_type, fields, text_hash) VALUES (?, ?, ?, ?, ?, ?)",
        [documents.document_row(document) for document in document_list],
    )


@pytest.fixture
def post(token_of: TokenOf) -> Post:
    """A form of a page, sent with its token."""

    def send(client: FlaskClient, path: str, **fields: str) -> TestResponse:
        return client.post(path, data={**fields, "csrf_token": token_of(client)})

    return send


@pytest.fixture
def post_json(token_of: TokenOf) -> Post:
    """What a script of a page sends to an address, with its token."""

    def send(client: FlaskClient, path: str, body: object, **headers: str) -> TestResponse:
        return client.post(path, json=body, headers={"X-CSRFToken": token_of(client), **headers})

    return send


@pytest.fixture(scope="module")
def queues() -> Iterator[Queues]:
    """Worker processes for a server."""
    found = Queues.new()
    yield found
    found.close()


@pytest.fixture
def app_of_jobs(make_app: MakeApp, queues: Queues, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """A server with worker processes, in which every job takes longer than a request waits."""
    monkeypatch.setattr(campaign_jobs, "SOON", 0.0)
    made = make_app(queues=queues)
    yield made
    for live in list(made.extensions["workbench_jobs"]._live.values()):
        live.job.cancel()
        live.job.wait()
