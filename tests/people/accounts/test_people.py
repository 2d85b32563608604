"""Accounts prove who somebody is, and tell nothing to who is not."""

from __future__ import annotations

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database

from tests.sentences import refused
from workbench.people.accounts import (
    AccountError,
    Accounts,
    add_account,
    begin_session,
    can_be_read,
    check_password,
    clean_name,
    find_account,
    find_session,
    has_accounts,
    list_accounts,
    open_accounts,
    schema,
    set_disabled,
    set_password,
)
from workbench.people.accounts.links import Kind, NewLink, links_made_by, put_link, resets_of

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=2)
PASSWORD = "a long enough one"


def test_an_account_is_known_by_its_name_and_its_time(accounts: Accounts) -> None:
    account = add_account(accounts.at(NOW), "Anna", PASSWORD)
    assert (account.name, account.created_at, account.disabled) == (
        "Anna",
        "2026-03-01T12:00:00+00:00",
        False,
    )
    assert list_accounts(accounts) == [account]
    assert has_accounts(accounts)


def test_a_wrong_password_and_an_unknown_name_give_the_same_nothing(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    assert check_password(accounts, "Anna", PASSWORD + "x") is None
    assert check_password(accounts, "Berta", PASSWORD) is None
    assert check_password(accounts, "", "") is None
    assert check_password(accounts, "\ud800", PASSWORD) is None


@pytest.mark.parametrize(
    "spelling", ["Anna", "anna", "ANNA", "Ａｎｎａ", " Anna ", "Anna\ufe0f", "An\u034fna", "\u3164Anna"]
)
def test_one_name_cannot_be_taken_twice(accounts: Accounts, spelling: str) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    with refused(AccountError):
        add_account(accounts.at(NOW), spelling, PASSWORD)


def test_a_name_is_taken_once_even_when_two_ask_at_the_same_moment(tmp_path: Path) -> None:
    def ask(_: int) -> bool:
        with open_accounts(tmp_path) as mine:
            try:
                add_account(mine.at(NOW), "Anna", PASSWORD)
            except AccountError:
                return False
            return True

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(ask, range(4))) == [False, False, False, True]


@pytest.mark.parametrize("name", ["", "   ", "An\nna", "An\u202ena", "An\x00na", "\u3164", "A" * 65])
def test_a_name_that_cannot_be_read_aloud_is_refused(name: str) -> None:
    with refused(AccountError):
        clean_name(name)


@pytest.mark.parametrize(
    "name", ["Ann\N{CYRILLIC SMALL LETTER A}", "\N{GREEK CAPITAL LETTER ALPHA}nna", "Ольга Smith"]
)
def test_a_name_that_mixes_alphabets_that_look_alike_is_refused(name: str) -> None:
    with pytest.raises(AccountError, match="may not mix"):
        clean_name(name)


@pytest.mark.parametrize("name", ["Ольга", "Ελένη", "José Łukasz", "محمد Ali", "李 Anna", "Anna 2"])
def test_a_name_in_one_of_them_or_beside_other_scripts_is_kept(name: str) -> None:
    assert clean_name(name) == name


def test_a_new_password_replaces_the_old_one_and_ends_the_sessions(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    session = begin_session(accounts.at(NOW), "Anna")
    after = set_password(accounts, "anna", "another long one")
    assert after.name == "Anna"
    assert find_session(accounts.at(NOW), session) is None
    assert check_password(accounts, "Anna", PASSWORD) is None
    assert check_password(accounts, "Anna", "another long one") == after


def test_a_disabled_account_is_listed_and_cannot_be_used(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    assert set_disabled(accounts, "Anna", disabled=True).disabled
    assert check_password(accounts, "Anna", PASSWORD) is None
    assert not has_accounts(accounts)
    assert [account.name for account in list_accounts(accounts)] == ["Anna"]
    set_disabled(accounts, "Anna", disabled=False)
    assert check_password(accounts, "Anna", PASSWORD) is not None


def test_shutting_an_account_ends_its_sessions_for_good_and_the_links_it_made(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    session = begin_session(accounts.at(NOW), "Anna")
    with accounts.write():
        kinds: list[Kind] = ["invitation", "reset"]
        for kind in kinds:
            put_link(accounts.by("Anna", "").at(NOW), NewLink(kind, "Ben", "rivers"), LATER - NOW)
        put_link(accounts.by("Olga", "").at(NOW), NewLink("reset", "Anna"), LATER - NOW)
    set_disabled(accounts.at(NOW), "Anna", disabled=True)
    set_disabled(accounts.at(NOW), "Anna", disabled=False)
    assert find_session(accounts.at(NOW), session) is None
    links = [*links_made_by(accounts, "Anna"), *resets_of(accounts, "Anna")]
    assert [link.state(NOW) for link in links] == ["withdrawn"] * 3


def test_a_new_password_withdraws_the_links_for_another_one(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    with accounts.write():
        put_link(accounts.by("Olga", "").at(NOW), NewLink("reset", "Anna"), LATER - NOW)
    set_password(accounts.at(NOW), "Anna", "another long one")
    assert [link.state(NOW) for link in resets_of(accounts, "Anna")] == ["withdrawn"]


def test_changing_an_unknown_account_says_how_to_make_it(accounts: Accounts) -> None:
    with pytest.raises(AccountError, match="workbench user add Berta"):
        set_password(accounts, "Berta", PASSWORD)
    assert find_account(accounts, "Berta") is None


def test_the_file_is_for_its_owner_alone_and_holds_no_password(tmp_path: Path) -> None:
    with open_accounts(tmp_path) as accounts:
        add_account(accounts.at(NOW), "Anna", PASSWORD)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes and set(modes.values()) == {0o600}
    assert PASSWORD.encode() not in (tmp_path / "accounts.db").read_bytes()


def test_every_table_is_strict_and_the_file_has_the_number_of_its_schema(accounts: Accounts) -> None:
    rows = accounts.db.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'").fetchall()
    assert {name for name, strict in rows if not strict} == {"sqlite_schema", "sqlite_temp_schema"}
    assert accounts.db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    assert accounts.db.journal_mode == "wal"


@pytest.mark.parametrize("version", [0, 8, schema.VERSION + 1])
def test_a_file_of_another_version_is_refused_by_its_number(tmp_path: Path, version: int) -> None:
    with open_accounts(tmp_path) as accounts:
        accounts.db.execute(f"PRAGMA user_version = {version}")
    with refused(AccountError):
        open_accounts(tmp_path)


def test_accounts_that_failed_are_made_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(db: Database) -> None:
        db.execute("CREATE TABLE account (x)")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(schema, "create", fail)
        with pytest.raises(KeyboardInterrupt):
            open_accounts(tmp_path)
    with open_accounts(tmp_path) as accounts:
        assert add_account(accounts.at(NOW), "Anna", PASSWORD).name == "Anna"


def test_a_failed_change_leaves_nothing_behind(accounts: Accounts) -> None:
    with pytest.raises(sqlite3.IntegrityError), accounts.write():
        accounts.db.execute("INSERT INTO account VALUES ('a', 'a', 'h', 't', 0, 0, '', '')")
        accounts.db.execute("INSERT INTO account VALUES ('b', 'b', 'h', 't', 7, 0, '', '')")
    assert list_accounts(accounts) == []
    assert isinstance(accounts.db, Database)


def test_accounts_that_are_damaged_while_they_are_open_cannot_be_read(tmp_path: Path) -> None:
    open_accounts(tmp_path).close()  # so that all of it is in the one file
    with open_accounts(tmp_path) as accounts:
        assert can_be_read(accounts)
        (tmp_path / "accounts.db").write_bytes(b"\xff" * 8192)
        assert not can_be_read(accounts)


def test_names_are_kept_composed_and_in_any_script() -> None:
    assert clean_name("Mu\u0308ller") == "Müller"
    assert clean_name(" 山田  太郎 ") == "山田 太郎"
