"""Each engine is started once; a test that asks for `engine` runs in every one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask import Flask
from playwright.sync_api import Browser

from tests.conftest import skip_or_fail
from tests.fixture_types import MakeCampaign, SignIn
from tests.web.engines.chromium import HEIGHT, WIDTH, Chromium
from tests.web.engines.engine import Engine, firefox, lacking, webkit
from tests.web.engines.pages import text
from tests.web.engines.running import Running
from workbench.core.records import Document, Topic

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
def sign_in(engine: Engine, app: Flask, client_of: SignIn) -> Visit:
    """Open a page of a server as somebody."""

    def open_page(url: str, who: str = "Ben") -> Engine:
        cookie = client_of(app, who).get_cookie("workbench_5000")
        assert cookie is not None
        # A page with an icon: for others a browser asks for one, and the answer would bring a session of its own.
        engine.open(urljoin(url, "/sign-in"))
        engine.put_cookie(cookie.key, cookie.value)
        engine.open(url)
        return engine

    return open_page


@pytest.fixture
def visit(address: str, sign_in: Visit) -> Visit:
    """Open an address as somebody."""
    return lambda path, who="Ben": sign_in(address + path, who)


@pytest.fixture
def long(make_campaign: MakeCampaign) -> Path:
    """The campaign `long`: documents that are longer than the window, without marked words."""
    documents = [Document(f"d{number:02}", f"Long {number}", text(number)) for number in range(1, 13)]
    return make_campaign(
        "long", [Topic("1", "lakes")], documents, {"alpha": {"1": [one.document_id for one in documents]}}
    )
