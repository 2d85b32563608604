"""Passwords are long, not common, and cost who guesses them time and memory."""

from __future__ import annotations

import runpy
import time
from datetime import UTC, datetime

import pytest

from tests.sentences import refused
from workbench.people.accounts import (
    AccountError,
    Accounts,
    add_account,
    check_password,
    has_accounts,
    passwords,
)
from workbench.people.accounts.passwords import problem_with

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PASSWORD = "a long enough one"


@pytest.mark.parametrize(
    "password",
    [
        "eleven chars" + "!",
        "correct horse battery",
        "rivers freeze late",
        "三月の川は凍らないことが多い",
        "🌊🐟🌲 im Winter",
        "onlylowercaseletters",
        "x7" * 4 + " " + "k" * 119,
    ],
)
def test_a_password_may_be_anything_long_that_is_not_common(password: str) -> None:
    assert problem_with(password, "Anna") is None


@pytest.mark.parametrize(
    "password",
    [
        "",
        "rivers fro",
        "rivers          f",  # blanks in a row count once
        "re\u0301ve\u0301 de eau",  # an accent is no character
        "x7" * 64 + "!",
        "qwerty123456",
        "Password1234",
        "passwordpassword",
        "123456789012",
        "aaaaaaaaaaaaaaaa",
        "workbench2026",
        "Grosvenor1955",
    ],
)
def test_a_password_that_is_short_endless_or_common_is_refused(accounts: Accounts, password: str) -> None:
    with refused(AccountError):
        add_account(accounts.at(NOW), "Ann Grosvenor", password)
    assert not has_accounts(accounts)


def test_one_password_typed_on_two_systems_is_one_password(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", "Caf\u00e9 m\u00f6glich 12")
    for typed in ("Cafe\u0301 mo\u0308glich 12", "Caf\u00e9 m\u00f6glich １２"):
        assert check_password(accounts, "Anna", typed) is not None
    assert check_password(accounts, "Anna", "Cafe moglich 12") is None


def test_no_password_takes_long_to_be_estimated() -> None:
    digits_for_letters = "4@8({[<3691!|0$5+7%2" * 6
    problem_with("correct horse battery", "Anna")  # reads the lists of words
    began = time.process_time()
    problem_with(digits_for_letters, "Anna")
    assert time.process_time() - began < 1.5  # 72 characters of these took 2.3 s


def test_no_part_of_a_password_is_cut_off(accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Anna", "a river, a lake; " * 7 + "frozen ab")
    assert check_password(accounts, "Anna", "a river, a lake; " * 7 + "frozen ab") is not None
    assert check_password(accounts, "Anna", "a river, a lake; " * 7 + "frozen ac") is None
    assert check_password(accounts, "Anna", "a river, a lake; " * 7 + "frozen ab ") is None


def test_an_unknown_name_costs_a_hash_like_a_known_one(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_account(accounts.at(NOW), "Anna", PASSWORD)
    costs: list[str] = []

    def note(stored: str, _: str) -> bool:
        costs.append(stored.split("$")[0])
        return False

    monkeypatch.setattr("workbench.people.accounts.passwords.check_password_hash", note)
    for name in ("Anna", "Nobody"):
        costs.clear()
        check_password(accounts, name, "wrong")
        assert costs == [passwords.COST], name


def test_a_hash_has_the_cost_that_owasp_asks_for_today() -> None:
    real = runpy.run_path(passwords.__file__)  # with its own cost, not with that of the tests
    assert real["COST"] == "scrypt:131072:8:1"
    stored = real["hash_password"](PASSWORD, "Anna")
    assert stored.startswith("scrypt:131072:8:1$")
    assert real["fits"](stored, PASSWORD)
