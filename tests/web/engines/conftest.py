"""Each engine is started once; a test that asks for `engine` runs in every one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import skip_or_fail
from tests.web.engines.chromium import Chromium
from tests.web.engines.engine import HEIGHT, WIDTH, Engine, firefox, lacking, webkit

Visit = Callable[..., Engine]


@pytest.fixture(scope="session", params=["chromium", "firefox", "webkit"])
def started_engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    if request.param == "chromium":
        size = {"width": WIDTH, "height": HEIGHT}
        context = request.getfixturevalue("browser").new_context(
            viewport=size, device_scale_factor=2, color_scheme="dark"
        )
        yield Chromium(context)
        context.close()
        return
    if reason := lacking(request.param):
        skip_or_fail(reason)
    with ExitStack() as stack:
        if request.param == "firefox":
            yield stack.enter_context(firefox(tmp_path_factory.mktemp("firefox")))
        else:
            yield stack.enter_context(webkit())


@pytest.fixture
def engine(started_engine: Engine) -> Iterator[Engine]:
    """A browser with one tab, as it was when it was started."""
    yield started_engine
    first, *others = started_engine.tabs()
    for other in reversed(others):
        started_engine.go_to_tab(other)
        started_engine.close_tab()
    started_engine.go_to_tab(first)
    started_engine.zoom(1)
    started_engine.open("about:blank")


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
