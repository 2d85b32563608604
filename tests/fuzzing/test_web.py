"""Every address of the server, asked anything: an answer for people, never a failure, never a changed campaign."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import strategies as st

from tests.at_length import AT_LENGTH
from tests.fuzzing.requests import Door, Request, doors, each_field, requests_to_any
from tests.fuzzing.running import NUMBERS, feed
from tests.fuzzing.watching import Watched
from workbench.people.accounts import Account, Accounts, get_account, open_accounts

pytestmark = [
    # Of a form that breaks off in the middle of a file, Werkzeug leaves the file to be closed with its object.
    pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"),
]


HEAVY = ("/figures/", "/publish/")
"""What draws and typesets takes long the first time: left to the slow tests."""


def light(watched: Watched) -> list[Door]:
    return [door for door in doors(watched.app) if not any(word in door.rule for word in HEAVY)]


def fuzz_pages(watched: Watched, some: Sequence[Door], number: int) -> None:
    feed(requests_to_any(some), watched.check, number)


def test_whatever_is_asked_is_answered_for_people(watched: Watched) -> None:
    fuzz_pages(watched, light(watched), NUMBERS["page"].few)


@pytest.mark.slow
def test_whatever_else_is_asked_is_answered_for_people(watched: Watched) -> None:
    fuzz_pages(watched, doors(watched.app), NUMBERS["page"].many)


def fuzz_roles(watched: Watched, accounts: Sequence[Account], some: Sequence[Door], number: int) -> None:
    """The same from everybody in turn; who is signed out by what they did themself comes in anew."""
    for account in accounts:
        watched.sign_in_as(account)
        with open_accounts(watched.path.parent) as kept:

            def check(asked: Request, name: str = account.name, kept: Accounts = kept) -> None:
                watched.check(asked)
                if asked.method == "POST" and "/c/" not in asked.address:
                    watched.sign_in_as(get_account(kept, name))

            feed(requests_to_any(some), check, number // len(accounts))


def test_every_request_is_answered_for_people(watched: Watched, members_of_every_role: list[Account]) -> None:
    fuzz_roles(watched, members_of_every_role, light(watched), NUMBERS["page for a role"].few)


@pytest.mark.slow
def test_any_request_is_answered_for_people(watched: Watched, members_of_every_role: list[Account]) -> None:
    fuzz_roles(watched, members_of_every_role, doors(watched.app), NUMBERS["page for a role"].many)


@pytest.mark.slow
def test_every_field_of_every_address_takes_anything(watched: Watched) -> None:
    asked = [request for door in doors(watched.app) for request in each_field(door)]
    assert len(asked) >= NUMBERS["field"].whole
    if AT_LENGTH:
        for request in asked:
            watched.check(request)
    else:
        feed(st.sampled_from(asked), watched.check, NUMBERS["field"].many)
