"""A clock that was put back: what was made while it was ahead lasts no longer than its length from now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest

from workbench.people.accounts import (
    Accounts,
    AccountsUnavailable,
    add_account,
    begin_session,
    find_session,
    open_accounts,
)
from workbench.people.accounts.future_times import bring_back
from workbench.people.accounts.links import INVITATION, LinkGone, NewLink, find_link, put_link
from workbench.people.accounts.second_factor import set_second_factor, use_code
from workbench.people.accounts.sessions import IDLE, NOTED_EVERY

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
NEXT_YEAR = NOW + timedelta(days=365)
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
ANNA = ("Anna", "192.0.2.7")
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def invite(accounts: Accounts, at: datetime) -> str:
    with accounts.write():
        return put_link(accounts.by("Anna", "").at(at), NewLink(INVITATION), timedelta(days=14))


def test_a_session_from_ahead_ends_half_an_hour_from_now_when_it_is_not_used(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NEXT_YEAR), "Ben")
    assert bring_back(accounts.at(NOW)) == 1
    assert find_session(accounts.at(NOW + IDLE - SECOND), token)
    assert find_session(accounts.at(NOW + IDLE), token) is None


def test_a_password_given_ahead_of_the_clock_counts_for_its_minutes_from_now(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NEXT_YEAR), "Ben")
    bring_back(accounts.at(NOW))
    found = find_session(accounts.at(NOW), token)
    assert found
    session, _ = found
    assert session.is_confirmed(NOW + 14 * MINUTE, within=15 * MINUTE)
    assert not session.is_confirmed(NOW + 15 * MINUTE, within=15 * MINUTE)


def test_a_link_from_ahead_is_open_for_its_length_from_now(accounts: Accounts) -> None:
    token = invite(accounts, NEXT_YEAR)
    bring_back(accounts.at(NOW))
    assert find_link(accounts.at(NOW + timedelta(days=14) - SECOND), token, INVITATION)
    with pytest.raises(LinkGone):
        find_link(accounts.at(NOW + timedelta(days=14)), token, INVITATION)


def test_a_code_used_ahead_of_the_clock_locks_nobody_out_for_longer_than_90_seconds(
    accounts: Accounts,
) -> None:
    add_account(accounts.at(NOW), "Anna", "a long enough one")
    code = pyotp.TOTP(SECRET)
    set_second_factor(accounts.by(*ANNA).at(NEXT_YEAR), "Anna", SECRET, code.at(NEXT_YEAR))
    assert not use_code(accounts.by(*ANNA).at(NOW), "Anna", code.at(NOW))
    assert bring_back(accounts.at(NOW)) == 1
    assert not use_code(accounts.by(*ANNA).at(NOW), "Anna", code.at(NOW))  # it may have been used before
    later = NOW + 90 * SECOND
    assert use_code(accounts.by(*ANNA).at(later), "Anna", code.at(later))
    assert not use_code(accounts.by(*ANNA).at(later), "Anna", code.at(later))


def test_a_clock_that_is_set_right_by_minutes_and_times_that_passed_change_nothing(
    accounts: Accounts, tmp_path: Path
) -> None:
    add_account(accounts.at(NOW), "Anna", "a long enough one")
    set_second_factor(accounts.by(*ANNA).at(NOW), "Anna", SECRET, pyotp.TOTP(SECRET).at(NOW))
    begin_session(accounts.at(NOW), "Anna")
    invite(accounts, NOW)
    before = accounts.db.conn.total_changes
    for now in (NOW - NOTED_EVERY, NOW, NEXT_YEAR):
        assert bring_back(accounts.at(now)) == 0
    with open_accounts(tmp_path) as other, other.write():
        assert bring_back(accounts.at(NOW)) == 0  # and it waits for nobody
    assert accounts.db.conn.total_changes == before


def test_accounts_that_cannot_be_asked_are_unavailable(accounts: Accounts) -> None:
    accounts.db.execute("ALTER TABLE session RENAME TO another")
    with pytest.raises(AccountsUnavailable, match=r"accounts\.db: cannot be read \(no such table: session\)"):
        bring_back(accounts.at(NOW))
