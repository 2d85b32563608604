"""A session is a row that ends: by itself, by its owner, and with the account."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from workbench.people.accounts import (
    Account,
    Accounts,
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
BEN = ("Ben", "192.0.2.7")


def after(**past: float) -> datetime:
    return NOW + timedelta(**past)


def found(accounts: Accounts, token: str, at: datetime = NOW) -> tuple[Session, Account | None]:
    session = find_session(accounts.at(at), token)
    assert session is not None
    return session


def use(accounts: Accounts, token: str, at: datetime) -> bool:
    """What each request does."""
    found = find_session(accounts.at(at), token)
    if found is not None:
        note_use(accounts.at(at), found[0])
    return found is not None


def test_the_file_keeps_only_the_hash_of_a_token(accounts: Accounts, tmp_path: Path) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    assert len(token) >= 43  # 256 bits
    assert begin_session(accounts.at(NOW), "Ben") != token
    accounts.close()
    assert token.encode() not in (tmp_path / "accounts.db").read_bytes()


def test_a_session_comes_with_the_account_of_its_name(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    assert found(accounts, token)[1] is None
    ben = add_account(accounts.at(NOW), "Ben", "violet tractor opera", makes_campaigns=True)
    assert found(accounts, token)[1] == ben


def test_a_session_in_use_ends_after_twelve_hours(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    assert all(use(accounts, token, after(minutes=20 * step)) for step in range(36))
    assert use(accounts, token, after(hours=12, seconds=-1))
    assert not use(accounts, token, after(hours=12))


def test_a_session_ends_after_half_an_hour_without_a_request(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    assert use(accounts, token, after(minutes=29))
    assert use(accounts, token, after(minutes=58))
    assert not use(accounts, token, after(minutes=88))


def test_the_use_of_a_session_is_written_every_few_minutes(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    before = accounts.db.conn.total_changes
    assert all(use(accounts, token, after(seconds=step)) for step in range(0, 600, 2))
    assert accounts.db.conn.total_changes - before == 3


def test_a_local_session_ends_after_thirty_days_without_a_request(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "guest", local="demo")
    assert use(accounts, token, after(days=29))
    assert use(accounts, token, after(days=58))
    assert not use(accounts, token, after(days=88))


def test_a_clock_that_is_put_back_signs_nobody_out(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    assert use(accounts, token, after(days=-3))


def test_a_request_does_not_wait_for_another_writer(accounts: Accounts, tmp_path: Path) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    with open_accounts(tmp_path) as other, other.write():
        began = time.perf_counter()
        assert use(accounts, token, after(minutes=10))
        assert time.perf_counter() - began < 5  # others wait ten seconds
    assert use(accounts, token, after(minutes=10))
    assert sessions_of(accounts.at(after(minutes=35)), "Ben") != []


def test_sessions_are_listed_the_last_used_first_without_those_that_ended(accounts: Accounts) -> None:
    begin_session(accounts.by("", "192.0.2.7").at(NOW), "Ben", browser="Firefox on Linux")
    begin_session(accounts.at(after(minutes=5)), "Ben", browser="Safari on an iPhone")
    begin_session(accounts.at(NOW), "Anna")
    begin_session(accounts.at(NOW), "Ben", local="demo")
    found = sessions_of(accounts.at(after(minutes=10)), "Ben")
    assert [session.browser for session in found] == ["Safari on an iPhone", "Firefox on Linux"]
    assert found[1][4:7] == ("192.0.2.7", "2026-03-01T12:00:00+00:00", "2026-03-01T12:00:00+00:00")
    assert len(sessions_of(accounts.at(after(minutes=31)), "Ben")) == 1


def test_a_session_is_ended_by_its_owner_alone_and_the_record_says_which(accounts: Accounts) -> None:
    token = begin_session(accounts.by("", "192.0.2.9").at(NOW), "Ben", browser="Firefox on Linux")
    session, _ = found(accounts, token)
    assert not end_session(accounts.by("Anna", "").at(NOW), "Anna", session.session)
    assert end_session(accounts.by(*BEN).at(NOW), "Ben", session.session)
    assert not end_session(accounts.by(*BEN).at(NOW), "Ben", session.session)
    assert find_session(accounts.at(NOW), token) is None
    assert [act[2:] for act in security_log.acts(accounts)] == [
        ("session ended", "Ben", "Ben", "192.0.2.7", "Firefox on Linux from 192.0.2.9")
    ]


def test_all_other_sessions_end_and_this_one_stays(accounts: Accounts) -> None:
    tokens = [begin_session(accounts.at(NOW), "Ben") for _ in range(3)]
    anna = begin_session(accounts.at(NOW), "Anna")
    session, _ = found(accounts, tokens[1])
    assert end_others(accounts.by(*BEN).at(NOW), session) == 2
    held = [find_session(accounts.at(NOW), token) is not None for token in (*tokens, anna)]
    assert held == [False, True, False, True]


def test_a_token_that_was_given_up_holds_nowhere(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    end_token(accounts, token)
    assert find_session(accounts.at(NOW), token) is None


def test_a_password_given_once_more_is_noted_in_this_session(accounts: Accounts) -> None:
    token = begin_session(accounts.at(NOW), "Ben")
    session, _ = found(accounts, token)
    within = timedelta(minutes=15)
    assert session.is_confirmed(after(minutes=14), within)
    assert not session.is_confirmed(after(minutes=16), within)
    confirm(accounts.at(after(minutes=20)), session)
    again, _ = found(accounts, token, after(minutes=20))
    assert again.is_confirmed(after(minutes=30), within)


def test_ended_sessions_are_cleared_away_when_another_begins(accounts: Accounts) -> None:
    begin_session(accounts.at(NOW), "Ben")
    begin_session(accounts.at(NOW), "guest", local="demo")
    begin_session(accounts.at(after(hours=13)), "Anna")
    assert accounts.db.execute("SELECT name FROM session ORDER BY name").fetchall() == [("Anna",), ("guest",)]
