"""A session is a row that ends: by itself, by its owner, and with the account."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from workbench.people.accounts import (
    Account,
    Accounts,
    By,
    Session,
    add_account,
    begin_session,
    find_session,
    open_accounts,
    security_log,
)
from workbench.people.accounts.sessions import (
    confirm,
    end_others,
    end_session,
    end_token,
    note_use,
    sessions_of,
)

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
BEN = By("Ben", "192.0.2.7")


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    with open_accounts(tmp_path) as opened:
        yield opened


def after(**past: float) -> datetime:
    return NOW + timedelta(**past)


def found(accounts: Accounts, token: str, at: datetime = NOW) -> tuple[Session, Account | None]:
    session = find_session(accounts, token, now=at)
    assert session is not None
    return session


def use(accounts: Accounts, token: str, at: datetime) -> bool:
    """What each request does."""
    found = find_session(accounts, token, now=at)
    if found is not None:
        note_use(accounts, found[0], now=at)
    return found is not None


def test_the_file_keeps_only_the_hash_of_a_token(accounts: Accounts, tmp_path: Path) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    assert len(token) >= 43  # 256 bits
    assert begin_session(accounts, "Ben", now=NOW) != token
    accounts.close()
    assert token.encode() not in (tmp_path / "accounts.db").read_bytes()


def test_a_session_comes_with_the_account_of_its_name(accounts: Accounts) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    assert found(accounts, token)[1] is None
    ben = add_account(accounts, "Ben", "violet tractor opera", makes_campaigns=True, now=NOW)
    assert found(accounts, token)[1] == ben


def test_a_session_in_use_ends_after_twelve_hours(accounts: Accounts) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    assert all(use(accounts, token, after(minutes=20 * step)) for step in range(36))
    assert use(accounts, token, after(hours=12, seconds=-1))
    assert not use(accounts, token, after(hours=12))


def test_a_session_ends_after_half_an_hour_without_a_request(accounts: Accounts) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    assert use(accounts, token, after(minutes=29))
    assert use(accounts, token, after(minutes=58))
    assert not use(accounts, token, after(minutes=88))


def test_the_use_of_a_session_is_written_every_few_minutes_and_not_by_each_request(
    accounts: Accounts,
) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    before = accounts.db.conn.total_changes
    assert all(use(accounts, token, after(seconds=step)) for step in range(0, 600, 2))
    assert accounts.db.conn.total_changes - before == 3


def test_a_local_session_ends_after_thirty_days_without_a_request(accounts: Accounts) -> None:
    token = begin_session(accounts, "guest", local="demo", now=NOW)
    assert use(accounts, token, after(days=29))
    assert use(accounts, token, after(days=58))
    assert not use(accounts, token, after(days=88))


def test_a_clock_that_is_put_back_signs_nobody_out(accounts: Accounts) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    assert use(accounts, token, after(days=-3))


def test_a_request_does_not_wait_for_another_writer_of_the_accounts(
    accounts: Accounts, tmp_path: Path
) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    with open_accounts(tmp_path) as other, other.write():
        began = time.perf_counter()
        assert use(accounts, token, after(minutes=10))
        assert time.perf_counter() - began < 5  # others wait ten seconds
    assert use(accounts, token, after(minutes=10))
    assert sessions_of(accounts, "Ben", now=after(minutes=35)) != []


def test_sessions_are_listed_the_last_used_first_without_those_that_ended(accounts: Accounts) -> None:
    begin_session(accounts, "Ben", browser="Firefox on Linux", address="192.0.2.7", now=NOW)
    begin_session(accounts, "Ben", browser="Safari on an iPhone", now=after(minutes=5))
    begin_session(accounts, "Anna", now=NOW)
    begin_session(accounts, "Ben", local="demo", now=NOW)
    found = sessions_of(accounts, "Ben", now=after(minutes=10))
    assert [session.browser for session in found] == ["Safari on an iPhone", "Firefox on Linux"]
    assert found[1][4:7] == ("192.0.2.7", "2026-03-01T12:00:00+00:00", "2026-03-01T12:00:00+00:00")
    assert len(sessions_of(accounts, "Ben", now=after(minutes=31))) == 1


def test_a_session_is_ended_by_its_owner_alone_and_the_record_says_which(accounts: Accounts) -> None:
    token = begin_session(accounts, "Ben", browser="Firefox on Linux", address="192.0.2.9", now=NOW)
    session, _ = found(accounts, token)
    assert not end_session(accounts, "Anna", session.session, by=By("Anna"), now=NOW)
    assert end_session(accounts, "Ben", session.session, by=BEN, now=NOW)
    assert not end_session(accounts, "Ben", session.session, by=BEN, now=NOW)
    assert find_session(accounts, token, now=NOW) is None
    assert [act[2:] for act in security_log.acts(accounts)] == [
        ("session ended", "Ben", "Ben", "192.0.2.7", "Firefox on Linux from 192.0.2.9")
    ]


def test_all_other_sessions_end_and_this_one_stays(accounts: Accounts) -> None:
    tokens = [begin_session(accounts, "Ben", now=NOW) for _ in range(3)]
    anna = begin_session(accounts, "Anna", now=NOW)
    session, _ = found(accounts, tokens[1])
    assert end_others(accounts, session, by=BEN, now=NOW) == 2
    held = [find_session(accounts, token, now=NOW) is not None for token in (*tokens, anna)]
    assert held == [False, True, False, True]


def test_a_token_that_was_given_up_holds_nowhere(accounts: Accounts) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    end_token(accounts, token)
    assert find_session(accounts, token, now=NOW) is None


def test_a_password_given_once_more_is_noted_in_this_session(accounts: Accounts) -> None:
    token = begin_session(accounts, "Ben", now=NOW)
    session, _ = found(accounts, token)
    within = timedelta(minutes=15)
    assert session.is_confirmed(after(minutes=14), within)
    assert not session.is_confirmed(after(minutes=16), within)
    confirm(accounts, session, now=after(minutes=20))
    again, _ = found(accounts, token, after(minutes=20))
    assert again.is_confirmed(after(minutes=30), within)


def test_ended_sessions_are_cleared_away_when_another_begins(accounts: Accounts) -> None:
    begin_session(accounts, "Ben", now=NOW)
    begin_session(accounts, "guest", local="demo", now=NOW)
    begin_session(accounts, "Anna", now=after(hours=13))
    assert accounts.db.execute("SELECT name FROM session ORDER BY name").fetchall() == [("Anna",), ("guest",)]
