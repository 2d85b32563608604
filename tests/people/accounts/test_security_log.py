"""The record of acts is only added to, and never holds a secret."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pytest

from tests.sentences import refused
from workbench.people.accounts import Accounts, begin_session, find_session, security_log
from workbench.people.accounts.people import (
    add_account,
    end_sessions,
    set_disabled,
    set_makes_campaigns,
    set_password,
)

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PASSWORD = "a long enough one"


def test_every_change_of_an_account_is_written_down_with_who_did_it_and_from_where(
    accounts: Accounts,
) -> None:
    by = ("Olga", "192.0.2.7")
    add_account(accounts.by(*by).at(NOW), "Anna", PASSWORD, makes_campaigns=True)
    set_password(accounts.at(NOW), "anna", "another long one")
    set_disabled(accounts.by(*by).at(NOW), "Anna", disabled=True)
    set_disabled(accounts.by(*by).at(NOW), "Anna", disabled=False)
    set_makes_campaigns(accounts.by(*by).at(NOW), "Anna", makes=False)
    end_sessions(accounts.by(*by).at(NOW), "Anna")
    assert [(act.seq, act.act, act.name, act.actor, act.address) for act in security_log.acts(accounts)] == [
        (1, "account made", "Anna", "Olga", "192.0.2.7"),
        (2, "may make campaigns", "Anna", "Olga", "192.0.2.7"),
        (3, "password changed", "Anna", "", "terminal"),
        (4, "account disabled", "Anna", "Olga", "192.0.2.7"),
        (5, "account enabled", "Anna", "Olga", "192.0.2.7"),
        (6, "may not make campaigns", "Anna", "Olga", "192.0.2.7"),
        (7, "signed out everywhere", "Anna", "Olga", "192.0.2.7"),
    ]
    assert {act.at for act in security_log.acts(accounts)} == {"2026-03-01T12:00:00+00:00"}


def test_what_is_refused_leaves_no_row(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    with refused(Exception):
        add_account(accounts.at(NOW), "anna", PASSWORD)
    assert [act.act for act in security_log.acts(accounts)] == ["account made"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE act SET name = 'Ben'",
        "DELETE FROM act",
        "INSERT OR REPLACE INTO act VALUES (1, 't', 'signed in', 'Ben', '', '', '')",
        "INSERT INTO act VALUES (-5, 't', 'signed in', 'Ben', '', '', '')",
        "INSERT INTO act VALUES (9, 't', 'signed in', 'Ben', '', '', '')",
    ],
)
def test_the_record_cannot_be_changed_even_by_plain_sqlite(accounts: Accounts, statement: str) -> None:
    security_log.record(accounts.at(NOW), security_log.SIGNED_IN, "Anna")
    before = security_log.acts(accounts)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        accounts.db.execute(statement)
    assert security_log.acts(accounts) == before


def test_signing_out_everywhere_ends_the_sessions_and_keeps_the_password(accounts: Accounts) -> None:
    before = add_account(accounts.at(NOW), "Anna", PASSWORD)
    session = begin_session(accounts.at(NOW), "Anna")
    assert end_sessions(accounts.at(NOW), "anna") == before
    assert find_session(accounts.at(NOW), session) is None


def test_an_account_named_like_a_user_of_the_system_does_not_see_what_it_did(accounts: Accounts) -> None:
    security_log.record(accounts.by("root"), security_log.ROLE_GIVEN, "Ben")
    security_log.record(accounts.by("root", "192.0.2.9"), security_log.SIGNED_IN, "root")
    assert [act.name for act in security_log.acts(accounts, "root")] == ["Ben", "root"]
    assert [act.name for act in security_log.acts(accounts, "root", terminal=False)] == ["root"]
