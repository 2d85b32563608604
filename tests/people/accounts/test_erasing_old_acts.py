"""After some time the security log forgets who was there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from workbench.people.accounts import Accounts, open_accounts, security_log
from workbench.people.accounts.people import add_account
from workbench.people.accounts.security_log import (
    ROLE_GIVEN,
    ROWS_ERASED,
    SIGN_IN_REFUSED,
    SIGNED_IN,
    acts,
    erase_older,
)
from workbench.people.accounts.stored_about import erase_account

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
YEAR = timedelta(days=365)
LONG_AGO = NOW - YEAR - timedelta(days=10)
PASSWORD = "a long enough one"


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    """Anna came in and got a role long ago, someone failed to, and she came in again today."""
    with open_accounts(tmp_path) as opened:
        add_account(opened.at(LONG_AGO), "Anna", PASSWORD)
        for act, at in (
            (SIGNED_IN, LONG_AGO),
            (ROLE_GIVEN, LONG_AGO),
            (SIGN_IN_REFUSED, LONG_AGO),
            (SIGNED_IN, NOW),
        ):
            security_log.record(opened.by("Anna", "192.0.2.7").at(at), act, "Anna")
        yield opened


def kinds(accounts: Accounts) -> list[str]:
    return [each.act for each in acts(accounts)]


def test_who_was_there_is_erased_and_who_may_what_stays(accounts: Accounts) -> None:
    made, *_ = acts(accounts)
    assert erase_older(accounts.at(NOW), NOW - YEAR) == 2
    first, role, today, said = acts(accounts)
    assert (first, today.act, role.name) == (made, SIGNED_IN, "Anna")
    assert said[2:] == (ROWS_ERASED, "", "", "server", "2 rows")
    assert security_log.given_roles(accounts) == ["Anna"]


def test_nothing_of_an_erased_account_is_left_in_the_log(accounts: Accounts) -> None:
    erase_account(accounts.by("Olga", "").at(NOW - timedelta(days=1)), "Anna")
    assert "Anna" in {each.name for each in acts(accounts)}
    erase_older(accounts.at(NOW + YEAR), NOW + timedelta(days=2))
    assert "Anna" not in str(acts(accounts))
    accounts.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"192.0.2.7" not in accounts.path.read_bytes()


def test_it_is_done_at_most_once_a_day_and_changes_nothing_where_nothing_is_old(accounts: Accounts) -> None:
    security_log.record(accounts.at(NOW - YEAR - timedelta(hours=5)), SIGNED_IN, "Anna")
    assert erase_older(accounts.at(NOW), NOW - YEAR) == 2 + 1
    before = acts(accounts)
    security_log.record(accounts.at(NOW - YEAR + timedelta(hours=1)), SIGNED_IN, "Anna")
    for later in (timedelta(0), timedelta(hours=20)):
        assert erase_older(accounts.at(NOW + later), NOW - YEAR + later) == 0
    assert acts(accounts)[:-1] == before


def test_the_log_is_append_only_again_afterwards(accounts: Accounts, tmp_path: Path) -> None:
    erase_older(accounts.at(NOW), NOW - YEAR)
    accounts.close()
    with open_accounts(tmp_path) as again:
        for statement in ("UPDATE act SET name = 'Cleo'", "DELETE FROM act"):
            with pytest.raises(Exception, match="append-only"):
                again.db.execute(statement)
