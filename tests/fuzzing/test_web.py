"""Every address of the server, asked anything: an answer for people, never a failure, never a changed campaign."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import strategies as st
from werkzeug.test import Client, TestResponse

from workbench.web import create_app

from .asking import Asked, doors, requests_to
from .running import NUMBERS, feed

TOKEN = "let-me-in"

pytestmark = [
    # Of a form that breaks off in the middle of a file, Werkzeug leaves the file to be closed with its object.
    pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"),
]


class Watched:
    """A server whose failures are raised as they are, and whose campaign is watched by somebody else."""

    def __init__(self, app: Flask, campaign: sqlite3.Connection) -> None:
        self.app = app
        self.failures: list[logging.LogRecord] = []
        self._campaign = campaign
        self._headers = self._signed_in()

    def _signed_in(self) -> dict[str, str]:
        """What an organiser's browser sends with every request."""
        client = self.app.test_client()
        token = client.get("/session").get_json()["csrf_token"]
        answer = client.post(
            f"/start/{TOKEN}",
            data={"name": "Olga"},
            headers={"X-CSRFToken": token, "Accept": "application/json"},
        )
        cookie = client.get_cookie("workbench_5000")
        assert cookie is not None
        return {"Cookie": f"{cookie.key}={cookie.value}", "X-CSRFToken": answer.get_json()["csrf_token"]}

    def version(self) -> int:
        """A number that is another one once anything was written to the campaign."""
        return int(self._campaign.execute("PRAGMA data_version").fetchone()[0])

    def ask(self, asked: Asked) -> TestResponse:
        """The answer to a request of an organiser."""
        client = Client(self.app, use_cookies=False)
        return client.open(
            asked.address, method=asked.method, data=asked.body, headers={**asked.headers, **self._headers}
        )

    def check(self, asked: Asked) -> None:
        """Ask, and look at what became of it."""
        before = self.version()
        self.failures.clear()
        with self.ask(asked) as answer:
            for failure in self.failures:
                raise AssertionError(failure.getMessage()) from (failure.exc_info or (None, None))[1]
            assert answer.status_code < 500
            if asked.method != "POST" or answer.status_code >= 400:
                assert self.version() == before


@pytest.fixture
def watched(small_file: Path, tmp_path: Path) -> Iterator[Watched]:
    instance = tmp_path / "instance"
    instance.mkdir()
    shutil.copyfile(small_file, instance / "small.db")
    app = create_app(instance, sign_in_token=TOKEN)
    handler = Kept()
    logger = logging.getLogger("workbench.web")
    logger.addHandler(handler)
    with closing(sqlite3.connect(instance / "small.db")) as campaign:
        watched = Watched(app, campaign)
        handler.records = watched.failures
        yield watched
    logger.removeHandler(handler)
    app.extensions["workbench_connections"].close()


class Kept(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def fuzz_pages(watched: Watched, number: int) -> None:
    open_to_all = doors(watched.app)
    feed(st.sampled_from(open_to_all).flatmap(requests_to), watched.check, number)


def test_whatever_is_asked_is_answered_for_people(watched: Watched) -> None:
    fuzz_pages(watched, NUMBERS["page"].few)


@pytest.mark.slow
def test_whatever_else_is_asked_is_answered_for_people(watched: Watched) -> None:
    fuzz_pages(watched, NUMBERS["page"].many)
