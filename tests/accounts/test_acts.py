"""The record of acts is kept for ever, and never holds a secret."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from workbench.accounts import Accounts, AccountsUnavailable, By, acts, links, open_accounts
from workbench.accounts.acts import put_act
from workbench.accounts.people import (
    add_account,
    end_sessions,
    find_account,
    list_accounts,
    set_disabled,
    set_makes_campaigns,
    set_password,
)

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=2)
PASSWORD = "a long enough one"


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    with open_accounts(tmp_path) as opened:
        yield opened


def test_every_change_of_an_account_is_written_down_with_who_did_it_and_from_where(
    accounts: Accounts,
) -> None:
    by = By("Olga", "192.0.2.7")
    add_account(accounts, "Anna", PASSWORD, makes_campaigns=True, now=NOW, by=by)
    set_password(accounts, "anna", "another long one", now=NOW)
    set_disabled(accounts, "Anna", disabled=True, by=by, now=NOW)
    set_disabled(accounts, "Anna", disabled=False, by=by, now=NOW)
    set_makes_campaigns(accounts, "Anna", makes=False, by=by, now=NOW)
    end_sessions(accounts, "Anna", by=by, now=NOW)
    assert [(act.seq, act.act, act.name, act.actor, act.address) for act in acts.acts(accounts)] == [
        (1, "account made", "Anna", "Olga", "192.0.2.7"),
        (2, "may make campaigns", "Anna", "Olga", "192.0.2.7"),
        (3, "password changed", "Anna", "", "terminal"),
        (4, "account disabled", "Anna", "Olga", "192.0.2.7"),
        (5, "account enabled", "Anna", "Olga", "192.0.2.7"),
        (6, "may not make campaigns", "Anna", "Olga", "192.0.2.7"),
        (7, "signed out everywhere", "Anna", "Olga", "192.0.2.7"),
    ]
    assert {act.at for act in acts.acts(accounts)} == {"2026-03-01T12:00:00+00:00"}


def test_what_is_refused_leaves_no_row(accounts: Accounts) -> None:
    add_account(accounts, "Anna", PASSWORD, now=NOW)
    with pytest.raises(Exception, match="there is an account of that name"):
        add_account(accounts, "anna", PASSWORD, now=NOW)
    assert [act.act for act in acts.acts(accounts)] == ["account made"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE act SET name = 'Ben'",
        "DELETE FROM act",
        "INSERT OR REPLACE INTO act VALUES (1, 't', 'signed in', 'Ben', '', '', '', x'')",
        "INSERT INTO act VALUES (-5, 't', 'signed in', 'Ben', '', '', '', x'')",
        "INSERT INTO act VALUES (9, 't', 'signed in', 'Ben', '', '', '', x'')",
    ],
)
def test_the_record_cannot_be_changed_even_by_plain_sqlite(accounts: Accounts, statement: str) -> None:
    acts.record(accounts, acts.SIGNED_IN, "Anna", now=NOW)
    before = acts.acts(accounts)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        accounts.db.execute(statement)
    assert acts.acts(accounts) == before


def test_the_record_is_a_chain_of_hashes_that_anyone_can_recompute(accounts: Accounts) -> None:
    for name in ("Anna", "Müller", "Cleo"):
        acts.record(accounts, acts.SIGNED_IN, name, by=By(name, "192.0.2.7"), now=NOW)
    last = bytes(32)
    for *row, stored in accounts.db.execute("SELECT * FROM act ORDER BY seq").fetchall():
        text = json.dumps(["act", *row], ensure_ascii=False, separators=(",", ":"))
        last = hashlib.sha256(last + text.encode()).digest()
        assert stored == last
    assert acts.head(accounts) == (3, last)
    assert acts.broken_rows(accounts) == []


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        ("UPDATE act SET name = 'Ben' WHERE seq = 2", 2),
        ("UPDATE act SET at = '2020-01-01T00:00:00+00:00' WHERE seq = 1", 1),
        ("DELETE FROM act WHERE seq = 2", 3),
        ("UPDATE act SET hash = x'' WHERE seq = 3", 3),
    ],
)
def test_a_record_that_was_changed_behind_its_triggers_is_found(
    accounts: Accounts, statement: str, row: int
) -> None:
    for name in ("Anna", "Mallory", "Cleo"):
        acts.record(accounts, acts.SIGNED_IN, name, now=NOW)
    accounts.db.conn.executescript(f"DROP TRIGGER act_stays; DROP TRIGGER act_is_kept; {statement}")
    assert acts.broken_rows(accounts)[0] == row


def test_the_record_of_an_older_file_becomes_a_chain(tmp_path: Path) -> None:
    with open_accounts(tmp_path) as accounts:
        for name in ("Anna", "Ben"):
            acts.record(accounts, acts.SIGNED_IN, name, now=NOW)
        before = acts.acts(accounts), acts.head(accounts)
        accounts.db.conn.executescript(
            "ALTER TABLE act DROP COLUMN hash; PRAGMA user_version = 4;"
            "DELETE FROM _sqlite_migrations WHERE name >= 'm005';"
        )
    with open_accounts(tmp_path) as accounts:
        assert (acts.acts(accounts), acts.head(accounts)) == before
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            accounts.db.execute("UPDATE act SET name = 'Cleo'")


def test_the_record_is_read_by_person_and_from_its_end(accounts: Accounts) -> None:
    for name, actor in (("Anna", "Anna"), ("Ben", "Ben"), ("Ben", "Anna"), ("Cleo", "Cleo")):
        acts.record(accounts, acts.SIGNED_IN, name, by=By(actor), now=NOW)
    assert [act.seq for act in acts.acts(accounts, "Anna")] == [1, 3]
    assert [act.seq for act in acts.acts(accounts, last=2)] == [3, 4]


def test_signing_out_everywhere_changes_the_mark_and_keeps_the_password(accounts: Accounts) -> None:
    before = add_account(accounts, "Anna", PASSWORD, now=NOW)
    after = end_sessions(accounts, "anna", now=NOW)
    assert after.mark != before.mark
    assert find_account(accounts, "Anna") == after


def test_a_file_of_the_first_version_gets_what_is_new_and_keeps_its_marks(tmp_path: Path) -> None:
    with open_accounts(tmp_path) as accounts:
        before = add_account(accounts, "Anna", PASSWORD, now=NOW)
        accounts.db.conn.executescript(
            "ALTER TABLE account DROP COLUMN epoch; ALTER TABLE account DROP COLUMN makes_campaigns;"
            "ALTER TABLE account DROP COLUMN invited_by;"
            "DROP TABLE act; DROP TABLE link; PRAGMA user_version = 1;"
            "DELETE FROM _sqlite_migrations WHERE name <> 'm001_account';"
        )
    with open_accounts(tmp_path) as accounts:
        assert find_account(accounts, "Anna") == before
        assert acts.acts(accounts) == []


def test_invitations_of_which_nobody_can_say_into_which_campaign_they_are_end_with_the_update(
    tmp_path: Path,
) -> None:
    with open_accounts(tmp_path) as accounts:
        with accounts.write():
            token = links.put_link(
                accounts, "invitation", campaign="rivers", made_by="Anna", expires=LATER, now=NOW
            )
        accounts.db.conn.executescript(
            "ALTER TABLE link DROP COLUMN log; ALTER TABLE link DROP COLUMN at_terminal;"
            "ALTER TABLE account DROP COLUMN invited_by; ALTER TABLE act DROP COLUMN hash;"
            "PRAGMA user_version = 2;"
            "DELETE FROM _sqlite_migrations WHERE name >= 'm003_links_into_one_log';"
        )
    with open_accounts(tmp_path) as accounts:
        with pytest.raises(links.LinkGone):
            links.find_link(accounts, token, "invitation", now=NOW)
        assert [link.state(NOW) for link in links.links_into(accounts, "rivers", "")] == ["withdrawn"]


def test_an_older_file_says_by_its_record_which_accounts_came_by_whose_invitation(tmp_path: Path) -> None:
    with open_accounts(tmp_path) as accounts:
        for name, maker, came in (
            ("Ben", By("Anna", "192.0.2.7"), By("Ben", "192.0.2.9")),
            ("Cleo", acts.TERMINAL._replace(actor="Anna"), By("Cleo", "192.0.2.9")),
            ("Dieter", By("Anna", "192.0.2.7"), acts.TERMINAL._replace(actor="root")),
        ):
            made = NOW if maker.address != "terminal" else NOW - timedelta(days=1)
            with accounts.write():
                put_act(accounts, acts.INVITATION_MADE, "", by=maker, now=made)
                token = links.put_link(
                    accounts, "invitation", made_by=maker.actor, log="one", expires=LATER, now=made
                )
            add_account(accounts, name, PASSWORD, by=came, now=NOW)
            with accounts.write():
                links.use_link(accounts, token, "invitation", name=name, now=NOW)
        accounts.db.conn.executescript(
            "ALTER TABLE link DROP COLUMN at_terminal; ALTER TABLE account DROP COLUMN invited_by;"
            "ALTER TABLE act DROP COLUMN hash; PRAGMA user_version = 3;"
            "DELETE FROM _sqlite_migrations WHERE name >= 'm004';"
        )
    with open_accounts(tmp_path) as accounts:
        assert {account.name: account.invited_by for account in list_accounts(accounts)} == {
            "Ben": "Anna",
            "Cleo": "",
            "Dieter": "",
        }


def test_links_for_new_passwords_that_organisers_made_by_the_older_rule_end_with_the_update(
    tmp_path: Path,
) -> None:
    with open_accounts(tmp_path) as accounts:
        for name, maker in (("Ben", By("Anna", "192.0.2.7")), ("Cleo", acts.TERMINAL._replace(actor="root"))):
            with accounts.write():
                put_act(accounts, acts.RESET_MADE, name, by=maker, now=NOW)
                links.put_link(accounts, "reset", name=name, made_by=maker.actor, expires=LATER, now=NOW)
        accounts.db.conn.executescript(
            "ALTER TABLE link DROP COLUMN at_terminal; ALTER TABLE account DROP COLUMN invited_by;"
            "ALTER TABLE act DROP COLUMN hash; PRAGMA user_version = 3;"
            "DELETE FROM _sqlite_migrations WHERE name >= 'm004';"
        )
    with open_accounts(tmp_path) as accounts:
        states = [link.state(NOW) for name in ("Ben", "Cleo") for link in links.resets_of(accounts, name)]
    assert states == ["withdrawn", "open"]


def test_a_file_that_somebody_else_writes_is_unavailable_and_not_broken(tmp_path: Path) -> None:
    with open_accounts(tmp_path) as one, open_accounts(tmp_path) as other:
        other.db.execute("PRAGMA busy_timeout = 0")
        with one.write(), pytest.raises(AccountsUnavailable, match="cannot be written at the moment"):
            acts.record(other, acts.SIGNED_IN, "Anna", now=NOW)


def test_whoever_is_called_like_a_user_of_the_system_does_not_see_what_that_one_did(
    accounts: Accounts,
) -> None:
    acts.record(accounts, acts.ROLE_GIVEN, "Ben", by=acts.TERMINAL._replace(actor="root"))
    acts.record(accounts, acts.SIGNED_IN, "root", by=By("root", "192.0.2.9"))
    assert [act.name for act in acts.acts(accounts, "root")] == ["Ben", "root"]
    assert [act.name for act in acts.acts(accounts, "root", terminal=False)] == ["root"]
