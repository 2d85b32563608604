"""The file of accounts is copied whole while it is in use."""

from __future__ import annotations

import sqlite3
import stat
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from tests.sentences import refused
from workbench.core.errors import CampaignBeingCreated
from workbench.people.accounts import (
    AccountError,
    AccountsUnavailable,
    add_account,
    backup,
    check_password,
    open_accounts,
    security_log,
)
from workbench.people.accounts.account_restore import check_definitions

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def test_a_copy_of_accounts_in_use_is_whole_and_private(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    with open_accounts(tmp_path / "one") as accounts:
        anna = add_account(accounts.at(NOW), "Anna", "a long enough one")
        target = tmp_path / "other" / "accounts.db"
        backup(accounts, target)
        assert [path.name for path in target.parent.iterdir()] == ["accounts.db"]
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        with pytest.raises(AccountError, match="is there already"):
            backup(accounts, target)
        with open_accounts(target.parent) as copy:
            assert check_password(copy, "Anna", "a long enough one") == anna
            assert security_log.acts(copy) == security_log.acts(accounts)


def test_a_connection_trusts_no_schema_keeps_references_and_waits_for_the_disk(tmp_path: Path) -> None:
    names, full = ("trusted_schema", "foreign_keys", "synchronous", "journal_mode"), 2
    with open_accounts(tmp_path) as accounts:
        told = [accounts.db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]
    assert told == [0, 1, full, "wal"]


def test_a_copy_follows_no_link_also_to_where_nothing_is(tmp_path: Path) -> None:
    elsewhere, target = tmp_path / "elsewhere.db", tmp_path / "copy.db"
    target.symlink_to(elsewhere)
    with open_accounts(tmp_path) as accounts, pytest.raises(AccountError, match="is there already"):
        backup(accounts, target)
    assert not elsewhere.exists()
    assert target.is_symlink()


def test_accounts_are_not_made_where_a_link_leads(tmp_path: Path) -> None:
    (tmp_path / "accounts.db").symlink_to(tmp_path / "elsewhere.db")
    with refused(AccountError):
        open_accounts(tmp_path)
    assert not (tmp_path / "elsewhere.db").exists()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER bad AFTER UPDATE ON account BEGIN UPDATE account SET makes_campaigns = 1; END",
        "CREATE VIEW bad AS SELECT 1",
        "DROP TRIGGER act_stays",
        "DROP TRIGGER act_stays; CREATE TRIGGER act_stays BEFORE UPDATE ON act BEGIN SELECT 1; END",
    ],
)
def test_a_file_with_triggers_or_views_that_are_not_ours_is_not_opened(
    tmp_path: Path, statement: str
) -> None:
    with open_accounts(tmp_path) as accounts:
        accounts.db.conn.executescript(statement)
    with pytest.raises(AccountError, match="not the workbench's"):
        open_accounts(tmp_path)


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("CREATE TABLE notes (x)", "'notes'"),
        ("CREATE UNIQUE INDEX once ON act (address)", "'once'"),
        ("CREATE VIRTUAL TABLE words USING fts5 (text)", "'words'"),
        ("ALTER TABLE link ADD COLUMN more TEXT", "'link'"),
    ],
)
def test_tables_and_indexes_that_are_not_ours_are_found(tmp_path: Path, statement: str, name: str) -> None:
    with open_accounts(tmp_path) as accounts:
        accounts.db.execute("ANALYZE")
        check_definitions(accounts)
        accounts.db.execute(statement)
    with open_accounts(tmp_path) as accounts, refused(AccountError):
        check_definitions(accounts)


def test_a_copy_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    with open_accounts(tmp_path) as accounts, pytest.raises(AccountError, match="cannot be made"):
        backup(accounts, tmp_path / "missing" / "accounts.db")


@pytest.mark.parametrize(
    "error",
    [
        CampaignBeingCreated("another process makes it"),
        OSError(28, "No space left"),
        sqlite3.OperationalError("disk I/O error"),
    ],
)
def test_why_accounts_cannot_be_copied_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("workbench.people.accounts.file._copy", fails)
    (tmp_path / "other").mkdir()
    with open_accounts(tmp_path) as accounts, refused(AccountError):
        backup(accounts, tmp_path / "other" / "accounts.db")
    assert list((tmp_path / "other").iterdir()) == []


def test_accounts_that_cannot_be_opened_now_are_told_apart_from_what_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr("workbench.people.accounts.file._prepare", busy)
        with refused(AccountsUnavailable):
            open_accounts(tmp_path)
    (tmp_path / "accounts.db").write_bytes(b"Dear organiser, these are none. " * 200)
    with refused(AccountError) as caught:
        open_accounts(tmp_path)
    assert not isinstance(caught.value, AccountsUnavailable)


def test_accounts_in_a_folder_that_is_none_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AccountError, match=r"accounts\.db: cannot be made \(Not a directory\)"):
        open_accounts(tmp_path / "file")


def test_two_damaged_bytes_anywhere_in_the_schema_are_told_as_damage(tmp_path: Path) -> None:
    open_accounts(tmp_path).close()
    (path,) = tmp_path.glob("*.db")
    whole, rng, refused = path.read_bytes(), Random(7), 0
    pages = [at for at in range(0, len(whole), 4096) if b"CREATE " in whole[at : at + 4096]]
    schema = [byte for at in pages for byte in range(max(at, 100), at + 4096)]
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(2):
            damaged[rng.choice(schema)] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            open_accounts(tmp_path).close()
        except (AccountError, AccountsUnavailable):
            refused += 1
    assert refused > 50
