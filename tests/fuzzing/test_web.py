"""Every address of the server, asked anything: an answer for people, never a failure, never a changed campaign."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from .asking import Door, doors, requests_to_any
from .running import NUMBERS, feed
from .watching import Watched

pytestmark = [
    # Of a form that breaks off in the middle of a file, Werkzeug leaves the file to be closed with its object.
    pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"),
]


HEAVY = ("/figures/", "/publish/")
"""What draws and typesets takes long the first time: left to the slow tests."""


def fuzz_pages(watched: Watched, some: Sequence[Door], number: int) -> None:
    feed(requests_to_any(some), watched.check, number)


def test_whatever_is_asked_is_answered_for_people(watched: Watched) -> None:
    light = [door for door in doors(watched.app) if not any(word in door.rule for word in HEAVY)]
    fuzz_pages(watched, light, NUMBERS["page"].few)


@pytest.mark.slow
def test_whatever_else_is_asked_is_answered_for_people(watched: Watched) -> None:
    fuzz_pages(watched, doors(watched.app), NUMBERS["page"].many)
