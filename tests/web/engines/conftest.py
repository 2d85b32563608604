"""Each engine is started once; a test that asks for `engine` runs in every one of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from tests.conftest import skip_or_fail
from tests.stories import Program
from tests.web.engines.chromium import Chromium
from tests.web.engines.engine import HEIGHT, WIDTH, Engine, firefox, lacking, webkit
from tests.web.engines.pages import text
from tests.web.engines.running import Running

Visit = Callable[..., Engine]


@pytest.fixture(scope="session", params=["chromium", "firefox", "webkit"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One of the engines, started when the first test asks for it."""
    start: Callable[[], AbstractContextManager[Engine]]
    if request.param == "chromium":
        start = partial(chromium, request.getfixturevalue("browser"))
    elif reason := lacking(request.param):
        skip_or_fail(reason)
    else:
        start = webkit if request.param == "webkit" else lambda: firefox(tmp_path_factory.mktemp("firefox"))
    started = Running(start)
    yield started
    started.end()


@contextmanager
def chromium(browser: Browser) -> Iterator[Chromium]:
    size = {"width": WIDTH, "height": HEIGHT}
    with browser.new_context(viewport=size, device_scale_factor=2, color_scheme="dark") as context:
        yield Chromium(context)


@pytest.fixture
def engine(running: Running) -> Iterator[Engine]:
    """A browser with one tab, as it was when it was started."""
    yield running.engine()
    running.tidy()


@pytest.fixture
def visit(engine: Engine, app: Flask, address: str, client_of: Callable[..., FlaskClient]) -> Visit:
    """Open an address as somebody."""

    def open_page(path: str, who: str = "Ben") -> Engine:
        cookie = client_of(app, who).get_cookie("workbench_5000")
        assert cookie is not None
        # A page with an icon: for others a browser asks for one, and the answer would bring a session of its own.
        engine.open(f"{address}/sign-in")
        engine.put_cookie(cookie.key, cookie.value)
        engine.open(address + path)
        return engine

    return open_page


@pytest.fixture(scope="session")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the campaign `lakes`: six long documents, and Ben to judge them."""
    folder = tmp_path_factory.mktemp("lakes")
    program = Program(folder)
    rows = [
        {"document_id": f"d{number}", "title": f"Long {number}", "text": text(number)}
        for number in range(1, 7)
    ]
    files = {
        "topics.jsonl": [json.dumps({"topic_id": "1", "title": "lakes"})],
        "documents.jsonl": [json.dumps(row) for row in rows],
        "alpha.run": [
            f"1 Q0 {row['document_id']} {rank} {10 - rank} alpha" for rank, row in enumerate(rows, start=1)
        ],
    }
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    program.run("new", "lakes")
    for kind, file in (("topics", "topics.jsonl"), ("documents", "documents.jsonl"), ("runs", "alpha.run")):
        program.run("add", kind, "lakes", file)
    program.run("pool", "lakes", "--depth", "10", "--order", "document id")
    program.run("user", "add", "ben", "--password", "secret river")
    program.run("member", "add", "lakes", "ben", "--role", "assessor")
    return folder
