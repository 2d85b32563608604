"""Every answer tells the browser to run nothing that is not ours."""

from __future__ import annotations

import re

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient

from tests.fixture_types import SignIn
from tests.sentences import says
from workbench.web.access.rules import PUBLIC, allowing
from workbench.web.requests.headers import HEADERS


@pytest.mark.parametrize("path", ["/", "/sign-in", "/session", "/static/icon.svg", "/nowhere", "/start/x"])
def test_every_answer_carries_the_headers(app: Flask, client_of: SignIn, path: str) -> None:
    for who in (None, "Anna"):
        with client_of(app, who).get(path) as answer:
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_the_policy_allows_no_inline_script_and_no_frame_around_us() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy


def test_a_view_may_set_its_own_policy_and_only_what_is_public_is_stored(app: Flask) -> None:
    @app.get("/probe")
    @allowing(PUBLIC)
    def probe() -> Response:
        return Response(
            "x", headers={"Content-Security-Policy": "sandbox", "Cache-Control": request.args["cache"]}
        )

    answer = app.test_client().get("/probe?cache=private,+no-cache")
    assert answer.headers.getlist("Content-Security-Policy") == ["sandbox"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert app.test_client().get("/probe?cache=public").headers["Cache-Control"] == "public"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_pages_are_not_stored_and_static_files_are_asked_for_again_by_their_mark(anna: FlaskClient) -> None:
    assert anna.get("/session").headers["Cache-Control"] == "no-store"
    with anna.get("/static/icon.svg") as file:
        assert (file.headers["Cache-Control"], "Set-Cookie" in file.headers) == ("no-cache", False)
        mark = file.headers["ETag"]
    with anna.get("/static/icon.svg", headers={"If-None-Match": mark}) as again:
        assert again.status_code == 304


def test_pages_name_static_files_by_edition_and_browsers_keep_those_for_good(app: Flask) -> None:
    client = app.test_client()
    edition = app.config["EDITION"]
    assert f'href="/static/{edition}/workbench.bundle.css"' in client.get("/sign-in").get_data(as_text=True)
    with client.get(f"/static/{edition}/workbench.css") as file:
        assert says(file.headers["Cache-Control"])
        now = file.data
    with client.get("/static/0123456789ab/workbench.css") as earlier:  # of a page made before
        assert (earlier.headers["Cache-Control"], earlier.data) == ("no-cache", now)
    assert client.get(f"/static/{edition}/../../pyproject.toml").status_code == 404
    assert client.get(f"/static/{edition}/missing.css").status_code == 404


def test_the_time_an_answer_took_is_for_members_of_its_campaign(
    anna: FlaskClient, app: Flask, client_of: SignIn
) -> None:
    timing = anna.get("/c/robust/people").headers["Server-Timing"]
    assert re.fullmatch(r"app;dur=\d+\.\d\d", timing)
    for who, path in ((None, "/session"), ("Carla", "/"), ("Carla", "/c/robust/"), ("Carla", "/c/missing/")):
        assert "Server-Timing" not in client_of(app, who).get(path).headers
