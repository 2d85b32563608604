"""Every address of the server, asked anything: an answer for people, never a failure, never a changed campaign."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from tests.at_length import AT_LENGTH
from tests.fuzzing.requests import Door, Request, doors, each_field, requests_to_any
from tests.fuzzing.running import NUMBERS, feed, few_or_many
from tests.fuzzing.watching import Watched
from workbench.people.accounts import Account, Accounts, get_account, open_accounts

pytestmark = [
    # Of a form that breaks off in the middle of a file, Werkzeug leaves the file to be closed with its object.
    pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"),
]


HEAVY = ("/figures/", "/publish/")
"""What draws and typesets takes long the first time: left to the slow tests."""


def some_doors(watched: Watched, many: bool) -> list[Door]:
    return [door for door in doors(watched.app) if many or not any(word in door.rule for word in HEAVY)]


@few_or_many
def test_whatever_is_asked_is_answered_for_people(watched: Watched, many: bool) -> None:
    feed(requests_to_any(some_doors(watched, many)), watched.check, NUMBERS["page"].some(many))


@few_or_many
def test_every_request_is_answered_for_people(
    watched: Watched, members_of_every_role: list[Account], many: bool
) -> None:
    """The same from everybody in turn; who is signed out by what they did themself comes in anew."""
    some = some_doors(watched, many)
    for account in members_of_every_role:
        watched.sign_in_as(account)
        with open_accounts(watched.path.parent) as kept:

            def check(asked: Request, name: str = account.name, kept: Accounts = kept) -> None:
                watched.check(asked)
                if asked.method == "POST" and "/c/" not in asked.address:
                    watched.sign_in_as(get_account(kept, name))

            number = NUMBERS["page for a role"].some(many) // len(members_of_every_role)
            feed(requests_to_any(some), check, number)


@pytest.mark.slow
def test_every_field_of_every_address_takes_anything(watched: Watched) -> None:
    asked = [request for door in doors(watched.app) for request in each_field(door)]
    assert len(asked) >= NUMBERS["field"].whole
    if AT_LENGTH:
        for request in asked:
            watched.check(request)
    else:
        feed(st.sampled_from(asked), watched.check, NUMBERS["field"].some(many=True))
