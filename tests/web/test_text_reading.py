"""Texts that a new pool needs are read behind the page, which says how far that is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from workbench.campaign import Campaign
from workbench.web import text_reading
from workbench.web.text_reading import Reading, Readings

SignIn = Callable[[Flask, str | None], FlaskClient]
OnBytes = Callable[[int], None]


class Slow:
    """A collection that is read in pieces, each when the test says so."""

    def __init__(self) -> None:
        self.times = 0
        self.begun, self.piece, self.end = threading.Semaphore(0), threading.Semaphore(0), threading.Event()

    def __call__(self, campaign: Campaign, *, on_bytes: OnBytes) -> None:
        self.times += 1
        self.begun.release()
        while not self.end.is_set():
            self.piece.acquire(timeout=0.01)
            on_bytes(0)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    slow = Slow()
    monkeypatch.setattr(text_reading, "fetch_missing_texts", slow)
    yield slow
    slow.end.set()


def test_a_reading_ends_by_itself(small: Path, slow: Slow) -> None:
    readings = Readings()
    reading = readings.begin(small)
    assert readings.of(small) is reading
    slow.end.set()
    assert reading.wait(60)
    assert readings.of(small) is None
    assert slow.times == 1


def test_who_asks_meanwhile_has_it_begin_once_more_at_the_end(small: Path, slow: Slow) -> None:
    readings = Readings()
    reading = readings.begin(small)
    assert slow.begun.acquire(timeout=60)
    assert readings.begin(small) is reading
    assert readings.begin(small) is reading
    slow.end.set()
    assert reading.wait(60)
    assert slow.times == 2
    assert readings.begin(small) is not reading


def test_a_reading_gives_up_when_the_server_stops(
    small: Path, slow: Slow, caplog: pytest.LogCaptureFixture
) -> None:
    readings = Readings()
    reading = readings.begin(small)
    assert slow.begun.acquire(timeout=60)
    with caplog.at_level(logging.WARNING, "workbench.web"):
        readings.stop()
    assert not reading.is_running
    assert caplog.messages == ["small.db: reading texts was given up, since the server stops"]


def test_a_failure_is_logged_and_ends_the_reading(
    small: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(campaign: Campaign, *, on_bytes: OnBytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(text_reading, "fetch_missing_texts", fail)
    reading = Reading(small)
    reading.run()
    assert not reading.is_running
    assert caplog.messages == ["small.db: texts were not read: [Errno 28] No space left on device"]


def test_the_pool_page_says_that_texts_are_being_read_and_how_far_that_is(
    app: Flask, small: Path, client_of: SignIn, slow: Slow
) -> None:
    anna = client_of(app, "Anna")
    assert anna.get("/c/small/pool/texts").json == {"read": None, "total": None}
    reading = app.extensions["workbench_readings"].begin(small)
    assert slow.begun.acquire(timeout=60)
    reading.read, reading.total = 30, 120
    assert anna.get("/c/small/pool/texts").json == {"read": 30, "total": 120}
    page = anna.get("/c/small/pool").get_data(as_text=True)
    assert '<progress id="texts-read" max="120" value="30">' in page
    assert "text_reading.js" in page
    slow.end.set()
    assert reading.wait(60)
    assert "texts-read" not in anna.get("/c/small/pool").get_data(as_text=True)
