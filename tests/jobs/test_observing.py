"""Loops that tell an observer how far they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from workbench.jobs.observing import observed, observed_by, observed_steps

heard: list[tuple[str, int]] = []


@contextmanager
def listening(what: str, total: int) -> Iterator[Callable[[int], None]]:
    heard.append((f"{what} begins", total))
    yield lambda steps: heard.append((what, steps))
    heard.append((f"{what} ends", total))


@pytest.fixture(autouse=True)
def _silence() -> None:
    heard.clear()


def test_an_observer_hears_of_each_item_once_it_is_done_and_of_steps_of_other_work() -> None:
    with observed_by(listening):
        heard.extend((item, 0) for item in observed(["a", "b"], "Reading"))
    assert heard == [
        ("Reading begins", 2),
        ("a", 0),
        ("Reading", 1),
        ("b", 0),
        ("Reading", 1),
        ("Reading ends", 2),
    ]
    heard.clear()
    with observed_by(listening), observed_steps("Copying", 30) as advance:
        advance(20)
        advance(10)
    with observed_steps("Copying", 30) as advance:
        advance(30)
    assert heard == [("Copying begins", 30), ("Copying", 20), ("Copying", 10), ("Copying ends", 30)]


def test_without_an_observer_or_after_it_a_loop_is_a_loop() -> None:
    assert list(observed([1, 2], "Reading")) == [1, 2]
    with observed_by(listening), observed_by(None):
        assert list(observed([1, 2], "Reading")) == [1, 2]
    assert list(observed([1, 2], "Reading")) == [1, 2]
    assert heard == []
