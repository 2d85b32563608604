"""Sign-ins at providers stand in the file of accounts: one account each, gone with it, and compared after a restore."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.people.accounts import AccountError, Accounts, add_account, backup, open_accounts, set_password
from workbench.people.accounts.account_restore import compare
from workbench.people.accounts.identities import Identity, disconnect, identities_of, name_of, put_identity
from workbench.people.accounts.stored_about import erase_account, stored_about, stored_of

PASSWORD = "three unrelated words"
UNI, OTHER = "https://login.example.org", "https://other.example"


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    with open_accounts(tmp_path) as found:
        for name in ("Anna", "Ben"):
            add_account(found, name, PASSWORD)
        with found.write():
            put_identity(found, "Anna", Identity(UNI, "a-1"))
        yield found


def test_a_subject_is_one_persons_and_a_person_has_one_at_each_issuer(accounts: Accounts) -> None:
    for name, subject in (("Ben", "a-1"), ("Anna", "a-2")):
        with pytest.raises(AccountError), accounts.write():
            put_identity(accounts, name, Identity(UNI, subject))
    with accounts.write():
        put_identity(accounts, "Ben", Identity(OTHER, "a-1"))
    assert [name_of(accounts, Identity(issuer, "a-1")) for issuer in (UNI, OTHER, "")] == ["Anna", "Ben", ""]


def test_the_last_way_in_is_kept_and_only_what_the_server_offers_counts_as_one(accounts: Accounts) -> None:
    accounts.db.execute("UPDATE account SET password_hash = '' WHERE name = 'Anna'")
    with accounts.write():
        put_identity(accounts, "Anna", Identity(OTHER, "a-1"))
    assert not disconnect(accounts, "Anna", UNI, {UNI})
    assert disconnect(accounts, "Anna", UNI, {UNI, OTHER})
    assert not disconnect(accounts, "Anna", OTHER, {UNI, OTHER})
    assert [each.issuer for each in identities_of(accounts, "Anna")] == [OTHER]


def test_a_password_set_at_the_terminal_disconnects_and_ones_own_does_not(accounts: Accounts) -> None:
    set_password(accounts.by("Anna", "192.0.2.1"), "Anna", PASSWORD)
    assert identities_of(accounts, "Anna")
    set_password(accounts, "Anna", PASSWORD)
    assert not identities_of(accounts, "Anna")


def test_what_is_stored_is_given_and_erased(accounts: Accounts) -> None:
    ((row,),) = (list(rows) for table, rows in stored_about(accounts, "Anna") if table == "identity")
    assert (row["issuer"], row["subject"]) == (UNI, "a-1")
    assert stored_of(accounts, "Anna").identities == 1
    erase_account(accounts, "Anna")
    assert (stored_of(accounts, "Anna").identities, name_of(accounts, Identity(UNI, "a-1"))) == (0, "")


def test_an_older_file_says_whose_providers_were_others(accounts: Accounts, tmp_path: Path) -> None:
    older = tmp_path / "older.db"
    backup(accounts, older)
    assert disconnect(accounts, "Anna", UNI, {UNI})
    assert getattr(compare(older, accounts.path), "second_factor", None) == ("Anna",)
