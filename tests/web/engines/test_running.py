"""One engine serves many tests, and does not take those after it along when it stops answering."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.web.engines.running import Running
from tests.web.engines.webdriver import Refused


class Tabs:
    """An engine as far as it is tidied: what it was told, and what it answers instead from some time on."""

    def __init__(self) -> None:
        self.names = ["first", "second", "third"]
        self.told: list[str] = []
        self.silence: Exception | None = None
        self.has_ended = False

    def tabs(self) -> list[str]:
        if self.silence:
            raise self.silence
        return list(self.names)

    def go_to_tab(self, tab: str) -> None:
        self.told.append(tab)

    def close_tab(self) -> None:
        self.names.remove(self.told[-1])

    def zoom(self, factor: float) -> None:
        self.told.append(f"{factor} times")

    def open(self, url: str) -> None:
        self.told.append(url)


@contextmanager
def started() -> Iterator[Any]:
    engine = Tabs()
    try:
        yield engine
    finally:
        engine.has_ended = True
        if engine.silence:
            raise engine.silence  # it is asked to close its session, and does not answer that either


def test_the_next_test_gets_the_same_engine_with_one_empty_tab() -> None:
    running = Running(started)
    engine: Any = running.engine()
    running.tidy()
    assert running.engine() is engine
    assert engine.told == ["third", "second", "first", "1 times", "about:blank"]
    assert engine.names == ["first"]
    running.end()
    assert engine.has_ended


@pytest.mark.parametrize(
    "silence", [TimeoutError("timed out"), Refused("closed"), http.client.RemoteDisconnected("no answer")]
)
def test_an_engine_that_stopped_answering_is_ended_and_the_next_test_gets_another(silence: Exception) -> None:
    running = Running(started)
    engine: Any = running.engine()
    engine.silence = silence
    running.tidy()
    assert engine.has_ended
    another = running.engine()
    assert another is not engine
    assert running.engine() is another
    running.end()


def test_what_a_test_itself_gets_wrong_is_raised() -> None:
    running = Running(started)
    engine: Any = running.engine()
    engine.silence = AssertionError("no such tab")
    with pytest.raises(AssertionError, match="no such tab"):
        running.tidy()
    engine.silence = None
    running.end()
