"""The sign-ins at providers that accounts are connected with, each by issuer and subject, and never by an address."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from workbench.core.wording import message_with
from workbench.people.accounts import security_log
from workbench.people.accounts.file import AccountError, Accounts
from workbench.people.accounts.security_log import log_event, stamp


class Identity(NamedTuple):
    """What a provider knows a person by, the account that it leads to, and since when (UTC, ISO 8601)."""

    issuer: str
    subject: str
    name: str = ""
    made_at: str = ""


def identities_of(accounts: Accounts, name: str) -> list[Identity]:
    """The sign-ins of an account, by issuer."""
    rows = accounts.db.execute("SELECT * FROM identity WHERE name = ? ORDER BY issuer", [name])
    return [Identity._make(row) for row in rows.fetchall()]


def name_of(accounts: Accounts, identity: Identity) -> str:
    """The account that a sign-in leads to; "" for none."""
    which = "SELECT name FROM identity WHERE issuer = ? AND subject = ?"
    row = accounts.db.execute(which, identity[:2]).fetchone()
    return str(row[0]) if row else ""


def has_password(accounts: Accounts, name: str) -> bool:
    """Whether an account can sign in with a password."""
    which = "SELECT 1 FROM account WHERE name = ? AND password_hash <> ''"
    return accounts.db.execute(which, [name]).fetchone() is not None


def put_identity(accounts: Accounts, name: str, identity: Identity) -> None:
    """Connect an account inside the open write transaction; AccountError where either is connected already."""
    made = identity._replace(name=name, made_at=stamp(accounts.now))
    if not accounts.db.execute("INSERT OR IGNORE INTO identity VALUES (?, ?, ?, ?)", made).rowcount:
        raise AccountError(
            message_with("this sign-in, or this account, is connected already; disconnect that first")
        )
    log_event(accounts, security_log.PROVIDER_CONNECTED, name, detail=identity.issuer)


def disconnect(accounts: Accounts, name: str, issuer: str, usable: Set[str]) -> bool:
    """Disconnect an account from an issuer; False for the last way in, where the server has the issuers `usable`."""
    with accounts.write():
        others = {each.issuer for each in identities_of(accounts, name)} & usable - {issuer}
        if is_possible := bool(others) or has_password(accounts, name):
            drop_identities(accounts, name, issuer)
    return is_possible


def drop_identities(accounts: Accounts, name: str, issuer: str = "") -> None:
    """Disconnect an account from an issuer, or from all, inside the open write transaction."""
    which = "DELETE FROM identity WHERE name = ?1 AND ?2 IN ('', issuer) RETURNING issuer"
    for (gone,) in accounts.db.execute(which, [name, issuer]).fetchall():
        log_event(accounts, security_log.PROVIDER_DISCONNECTED, name, detail=gone)
