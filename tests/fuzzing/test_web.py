"""Every address of the server, asked anything: an answer for people, never a failure, never a changed campaign."""

from __future__ import annotations

import pytest

from .asking import doors, requests_to_any
from .running import NUMBERS, feed
from .watching import Watched

pytestmark = [
    # Of a form that breaks off in the middle of a file, Werkzeug leaves the file to be closed with its object.
    pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"),
]


def fuzz_pages(watched: Watched, number: int) -> None:
    feed(requests_to_any(doors(watched.app)), watched.check, number)


def test_whatever_is_asked_is_answered_for_people(watched: Watched) -> None:
    fuzz_pages(watched, NUMBERS["page"].few)


@pytest.mark.slow
def test_whatever_else_is_asked_is_answered_for_people(watched: Watched) -> None:
    fuzz_pages(watched, NUMBERS["page"].many)
