"""Accounts of people: made, found, proved by a password, shut, and their sessions ended."""

from __future__ import annotations

import hashlib
import shlex
from datetime import datetime
from functools import cache
from typing import NamedTuple

from werkzeug.security import check_password_hash, generate_password_hash

from workbench.accounts import acts, links
from workbench.accounts.acts import TERMINAL, By, put_act
from workbench.accounts.file import AccountError, Accounts
from workbench.accounts.names import clean_name, name_key

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 1024
COLUMNS = "name, password_hash, created_at, disabled, epoch, makes_campaigns, invited_by"


class Account(NamedTuple):
    """One person's account. `mark` changes with the password and with every sign-out everywhere: sessions end with it.

    `makes_campaigns` says that the person may make campaigns on this server, and `invited_by` by which organiser's
    invitation the account came ("" when it was made, or invited, at the server's terminal).
    """

    name: str
    created_at: str
    disabled: bool
    mark: str
    makes_campaigns: bool = False
    invited_by: str = ""


def add_account(
    accounts: Accounts,
    name: str,
    password: str,
    *,
    makes_campaigns: bool = False,
    now: datetime,
    by: By = TERMINAL,
) -> Account:
    """Make an account; AccountError when the name is taken, in any spelling, or the password is too short."""
    clean = clean_name(name)
    password_hash = hash_password(password)
    with accounts.write():
        put_account(accounts, clean, password_hash, now=now, by=by)
        if makes_campaigns:
            _put(accounts, clean, "makes_campaigns", 1)
            put_act(accounts, acts.MAY_MAKE, clean, by=by, now=now)
    return get_account(accounts, clean)


def put_account(
    accounts: Accounts, name: str, password_hash: str, *, invited_by: str = "", now: datetime, by: By
) -> None:
    """Make an account inside the open write transaction; AccountError when the name is taken in any spelling."""
    if (taken := find_account(accounts, name)) is not None:
        message = f"{name}: there is an account of that name ({taken.name}); choose another"
        raise AccountError(message)
    accounts.db.execute(
        "INSERT INTO account (name, name_key, password_hash, created_at, invited_by) VALUES (?, ?, ?, ?, ?)",
        [name, name_key(name), password_hash, now.isoformat(timespec="seconds"), invited_by],
    )
    put_act(accounts, acts.ACCOUNT_MADE, name, by=by, now=now)


def find_account(accounts: Accounts, name: str) -> Account | None:
    """The account of that name in any spelling, disabled or not; None when there is none."""
    row = _row(accounts, name)
    return None if row is None else _account(row)


def get_account(accounts: Accounts, name: str) -> Account:
    """The account of that name; AccountError when there is none."""
    if (account := find_account(accounts, name)) is None:
        message = f"{name}: there is no such account; make it with: workbench user add {shlex.quote(name)}"
        raise AccountError(message)
    return account


def check_password(accounts: Accounts, name: str, password: str) -> Account | None:
    """The account, if the password is right and it is not disabled; else None, without saying which.

    An unknown name costs the same work as a known one: the time taken does not tell who has an account.
    """
    row = _row(accounts, name)
    nobody = _hash_of_nobody()
    right = check_password_hash(nobody if row is None else row[1], password[:LONGEST_PASSWORD])
    if row is None or not right or row[3]:
        return None
    return _account(row)


def list_accounts(accounts: Accounts) -> list[Account]:
    """All accounts by name."""
    rows = accounts.db.execute(f"SELECT {COLUMNS} FROM account ORDER BY name_key").fetchall()
    return [_account(row) for row in rows]


def has_accounts(accounts: Accounts) -> bool:
    """Whether anybody could sign in with a password."""
    return accounts.db.execute("SELECT 1 FROM account WHERE NOT disabled LIMIT 1").fetchone() is not None


def set_password(
    accounts: Accounts, name: str, password: str, *, by: By = TERMINAL, now: datetime | None = None
) -> Account:
    """Replace a password, which ends the person's sessions everywhere; AccountError for an unknown name."""
    password_hash = hash_password(password)
    with accounts.write():
        account = get_account(accounts, name)
        put_password(accounts, account.name, password_hash, acts.PASSWORD_CHANGED, by=by, now=now)
    return get_account(accounts, account.name)


def put_password(
    accounts: Accounts, name: str, password_hash: str, act: str, *, by: By, now: datetime | None
) -> None:
    """Replace the password of an account inside the open write transaction; `act` says how it came to that.

    Links by which others could set it are withdrawn.
    """
    _put(accounts, name, "password_hash", password_hash)
    links.withdraw_links(accounts, [link.link for link in links.resets_of(accounts, name)], now=now)
    put_act(accounts, act, name, by=by, now=now)


def set_disabled(
    accounts: Accounts, name: str, *, disabled: bool, by: By = TERMINAL, now: datetime | None = None
) -> Account:
    """Shut an account, or open it again; never deleted, since judgments name it.

    Shutting it ends its sessions for good, and withdraws the links that the person made or could come in by.
    """
    with accounts.write():
        account = get_account(accounts, name)
        _put(accounts, account.name, "disabled", int(disabled))
        if disabled:
            accounts.db.execute("UPDATE account SET epoch = epoch + 1 WHERE name = ?", [account.name])
            theirs = [*links.links_made_by(accounts, account.name), *links.resets_of(accounts, account.name)]
            links.withdraw_links(accounts, [link.link for link in theirs], now=now)
        act = acts.ACCOUNT_DISABLED if disabled else acts.ACCOUNT_ENABLED
        put_act(accounts, act, account.name, by=by, now=now)
    return get_account(accounts, account.name)


def set_makes_campaigns(
    accounts: Accounts, name: str, *, makes: bool, by: By = TERMINAL, now: datetime | None = None
) -> Account:
    """Let somebody make campaigns on this server, or no longer."""
    act = acts.MAY_MAKE if makes else acts.MAY_NOT_MAKE
    with accounts.write():
        account = get_account(accounts, name)
        _put(accounts, account.name, "makes_campaigns", int(makes))
        links.withdraw_resets_by_others(accounts, account.name, by, now=now)
        put_act(accounts, act, account.name, by=by, now=now)
    return get_account(accounts, account.name)


def end_sessions(accounts: Accounts, name: str, *, by: By = TERMINAL, now: datetime | None = None) -> Account:
    """Sign somebody out wherever they are signed in; the password stays."""
    with accounts.write():
        account = get_account(accounts, name)
        accounts.db.execute("UPDATE account SET epoch = epoch + 1 WHERE name = ?", [account.name])
        put_act(accounts, acts.SIGNED_OUT_EVERYWHERE, account.name, by=by, now=now)
    return get_account(accounts, account.name)


def hash_password(password: str) -> str:
    """The scrypt hash of a password with a salt of its own; AccountError for one too short or endless."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        message = f"a password needs at least {SHORTEST_PASSWORD} characters, and at most {LONGEST_PASSWORD}"
        raise AccountError(message)
    return generate_password_hash(password, method="scrypt")


def _put(accounts: Accounts, name: str, column: str, value: str | int) -> None:
    accounts.db.execute(f"UPDATE account SET {column} = ? WHERE name = ?", [value, name])


Row = tuple[str, str, str, int, int, int, str]


def _row(accounts: Accounts, name: str) -> Row | None:
    row: Row | None = accounts.db.execute(
        f"SELECT {COLUMNS} FROM account WHERE name_key = ?", [name_key(name)]
    ).fetchone()
    return row


def _account(row: Row) -> Account:
    name, password_hash, created_at, disabled, epoch, makes_campaigns, invited_by = row
    # Without the epoch 0, so that an upgrade signs nobody out.
    mark = hashlib.sha256(f"{password_hash}{epoch or ''}".encode()).hexdigest()[:16]
    return Account(name, created_at, bool(disabled), mark, bool(makes_campaigns), invited_by)


@cache
def _hash_of_nobody() -> str:
    return generate_password_hash("nobody", method="scrypt")
