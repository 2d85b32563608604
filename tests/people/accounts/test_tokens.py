"""Tokens of programs: kept as hashes, good for one scope until they expire, and revoked with the account's sessions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.people.accounts import (
    AccountError,
    Accounts,
    add_account,
    end_sessions,
    security_log,
    set_disabled,
    set_password,
)
from workbench.people.accounts.account_restore import revoke_access
from workbench.people.accounts.tokens import MOST, Scope, find_token, make_token, note_use, revoke, tokens

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SCOPE = Scope("robust", "abc", "assessor")


@pytest.fixture
def here(accounts: Accounts) -> Accounts:
    add_account(accounts, "Ben", "ben's password")
    return accounts.at(NOW).by("Ben", "192.0.2.7")


def test_the_file_keeps_only_the_hash_of_a_token(here: Accounts, tmp_path: Path) -> None:
    secret = make_token(here, "ben", SCOPE, "  nightly   scores ")
    assert secret.startswith("wbt_") and len(secret) >= 47  # 256 bits behind the prefix
    assert make_token(here, "Ben", SCOPE, "nightly scores") != secret
    (_, token) = tokens(here, "Ben")
    assert (token.name, token.purpose, token.log, token.used_at) == ("Ben", "nightly scores", "abc", "")
    assert find_token(here, secret[:-1]) is None
    here.close()
    assert not [path for path in tmp_path.iterdir() if secret.encode() in path.read_bytes()]


def test_a_token_holds_until_it_expires(here: Accounts) -> None:
    secret = make_token(here, "Ben", SCOPE, "scores", days=3)
    last = NOW + timedelta(days=3, seconds=-1)
    assert find_token(here.at(last), secret) is not None
    assert find_token(here.at(last + timedelta(seconds=1)), secret) is None
    assert tokens(here.at(last + timedelta(seconds=1)), "Ben") == []


def test_its_use_is_noted_every_few_minutes(here: Accounts) -> None:
    secret = make_token(here, "Ben", SCOPE, "scores")
    used = []
    for minutes in (0, 2, 4):
        moment = here.at(NOW + timedelta(minutes=minutes))
        found = find_token(moment, secret)
        assert found is not None
        note_use(moment, found[0])
        used.append(tokens(moment)[0].used_at[14:16])
    assert (used, tokens(here)[0].address) == (["00", "00", "04"], "192.0.2.7")


ENDS: dict[str, Callable[[Accounts], object]] = {
    "revoking it": lambda accounts: revoke(accounts, tokens(accounts, "Ben"), 1),
    "a new password": lambda accounts: set_password(accounts, "Ben", "another long password"),
    "signing out everywhere": lambda accounts: end_sessions(accounts, "Ben"),
    "disabling the account": lambda accounts: set_disabled(accounts, "Ben", disabled=True),
    "restoring a backup": lambda accounts: revoke_access(accounts, ""),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_what_ends_the_sessions_of_an_account_revokes_its_tokens_for_good(
    here: Accounts, end: Callable[[Accounts], object]
) -> None:
    secret = make_token(here, "Ben", SCOPE, "scores")
    end(here)
    assert find_token(here, secret) is None
    set_disabled(here, "Ben", disabled=False)
    assert find_token(here, secret) is None


def test_making_and_revoking_are_in_the_security_log_once(here: Accounts) -> None:
    make_token(here, "Ben", SCOPE, "scores")
    found = tokens(here, log="abc")
    assert [revoke(here.by("Anna", ""), found, 1) for _ in range(2)] == [found[0], None]
    assert revoke(here, found, 2) is None
    said = [(act.act, act.name, act.actor, act.detail) for act in security_log.acts(here, "Ben")[-2:]]
    scope = "scores: assessor in robust"
    assert said == [("token made", "Ben", "Ben", scope), ("token revoked", "Ben", "Anna", scope)]


def test_tokens_without_a_purpose_an_end_or_a_living_account_are_refused(here: Accounts) -> None:
    with refused(AccountError, "80"):
        make_token(here, "Ben", SCOPE, " ")
    for days in (0, 367):
        with refused(AccountError, days):
            make_token(here, "Ben", SCOPE, "scores", days)
    for _ in range(MOST):
        make_token(here, "Ben", SCOPE, "scores", 1)
    with refused(AccountError, MOST):
        make_token(here, "Ben", SCOPE, "scores")
    tomorrow = here.at(NOW + timedelta(days=1))
    make_token(tomorrow, "Ben", SCOPE, "scores")
    assert len(tokens(tomorrow)) == 1
    set_disabled(here, "Ben", disabled=True)
    with refused(AccountError, "Ben"):
        make_token(here, "Ben", SCOPE, "scores")
