"""A second factor is a code of the moment, good once, or a recovery code."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest

from tests.sentences import refused, says
from workbench.people.accounts import (
    AccountError,
    Accounts,
    add_account,
    begin_session,
    find_session,
    open_accounts,
    security_log,
)
from workbench.people.accounts.second_factor import (
    address_of,
    has_second_factor,
    new_recovery_codes,
    new_secret,
    recovery_codes_left,
    remove_second_factor,
    set_second_factor,
    use_code,
)

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ANNA = ("Anna", "192.0.2.7")
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    with open_accounts(tmp_path) as opened:
        add_account(opened.at(NOW), "Anna", "a long enough one")
        yield opened


def code_at(at: datetime) -> str:
    return pyotp.TOTP(SECRET).at(at)


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def set_up(accounts: Accounts) -> list[str]:
    return set_second_factor(accounts.by(*ANNA).at(NOW), "Anna", SECRET, code_at(NOW))


def use(accounts: Accounts, code: str, at: datetime) -> bool:
    return use_code(accounts.by(*ANNA).at(at), "Anna", code)


def test_a_secret_is_random_and_told_to_apps_by_name() -> None:
    assert new_secret() != new_secret()
    assert len(new_secret()) == 32  # 160 bits
    assert (
        address_of(SECRET, "Anna M") == f"otpauth://totp/Workbench:Anna%20M?secret={SECRET}&issuer=Workbench"
    )


def test_it_is_set_up_by_a_first_right_code(accounts: Accounts) -> None:
    with refused(AccountError):
        set_second_factor(accounts.by(*ANNA).at(NOW), "Anna", SECRET, "000000")
    with refused(AccountError):
        set_second_factor(accounts.by(*ANNA).at(NOW), "Anna", "JBSW", "000000")
    assert not has_second_factor(accounts, "Anna")
    set_up(accounts)
    assert has_second_factor(accounts, "Anna")
    assert says([act.act for act in security_log.acts(accounts, "Anna")][-1])


def test_a_code_is_good_once(accounts: Accounts) -> None:
    set_up(accounts)
    assert not use(accounts, code_at(NOW), NOW)  # it was used to set up
    assert use(accounts, code_at(after(60)), after(60))
    assert not use(accounts, code_at(after(60)), after(60))
    assert not use(accounts, code_at(after(30)), after(60))  # nor one from before it
    assert use(accounts, f" {code_at(after(90))[:3]} {code_at(after(90))[3:]}", after(90))


def test_a_code_is_good_for_thirty_seconds_and_those_around(accounts: Accounts) -> None:
    set_up(accounts)
    assert not use(accounts, code_at(after(300)), after(300 + 60))
    assert not use(accounts, code_at(after(300)), after(300 - 60))
    assert use(accounts, code_at(after(300)), after(300 + 59 - 30))
    assert use(accounts, code_at(after(600)), after(600 - 30))


@pytest.mark.parametrize("code", ["", "123", "abcdef", "1" * 7, "١٢٣٤٥٦", "\ud800", "x" * 100_000])
def test_what_is_no_code_is_wrong(accounts: Accounts, code: str) -> None:
    set_up(accounts)
    assert not use(accounts, code, after(60))
    assert not use_code(accounts.by(*ANNA).at(NOW), "Nobody", code)


def test_a_recovery_code_is_good_once_and_only_its_hash_is_kept(accounts: Accounts, tmp_path: Path) -> None:
    codes = set_up(accounts)
    assert len(set(codes)) == 8
    assert all(len(code.replace("-", "")) == 24 for code in codes)  # 120 bits
    assert use(accounts, codes[0].upper().replace("-", " "), after(60))
    assert not use(accounts, codes[0], after(60))
    assert recovery_codes_left(accounts, "Anna") == 7
    assert [act.act for act in security_log.acts(accounts, "Anna")][-1] == "recovery code used"
    fresh = new_recovery_codes(accounts.by(*ANNA).at(NOW), "Anna")
    assert not use(accounts, codes[1], after(60))
    accounts.close()
    stored = (tmp_path / "accounts.db").read_bytes()
    assert not any(code.encode() in stored or code.replace("-", "").encode() in stored for code in fresh)


def test_removing_it_ends_the_sessions_and_is_written_down(accounts: Accounts) -> None:
    codes, session = set_up(accounts), begin_session(accounts.at(NOW), "Anna")
    assert remove_second_factor(accounts.at(NOW), "anna")
    assert not remove_second_factor(accounts.at(NOW), "Anna")
    assert find_session(accounts.at(NOW), session) is None
    assert not use(accounts, codes[0], after(60))
    assert not use(accounts, code_at(after(60)), after(60))
    assert [act.act for act in security_log.acts(accounts, "Anna")][-1] == "second factor removed"
