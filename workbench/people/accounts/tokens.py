"""Tokens of programs: each acts for an account in one campaign, in one role, until it expires or is revoked.

A token is 256 random bits behind a prefix that scanners for leaked secrets can know. It is shown once, to who makes it;
the file keeps its SHA-256. A new password, or signing out everywhere, revokes the tokens of the account.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from workbench.core.wording import message_with
from workbench.people.accounts import security_log
from workbench.people.accounts.file import AccountError, Accounts, hash_of
from workbench.people.accounts.people import Account, find_account, get_account
from workbench.people.accounts.security_log import log_event, stamp
from workbench.people.accounts.sessions import NOTED_EVERY, TOKEN_BYTES, note

PREFIX = "wbt_"
MOST_DAYS, USUAL_DAYS = 366, 90
MOST = 50
"""Tokens of one account that have not expired."""
LONGEST_PURPOSE = 80

NO_MORE = message_with("an account has at most %(most)s tokens; revoke one that is not needed", most=MOST)


class Token(NamedTuple):
    """A token as the file has it. Times are UTC, ISO 8601, in seconds; `used_at` is "" before its first use.

    `campaign` is the name of the campaign whose log has the mark `log`; `purpose` is what its owner wrote.
    """

    token: int
    name: str
    purpose: str
    campaign: str
    log: str
    role: str
    made_at: str
    expires_at: str
    used_at: str
    address: str

    def is_over(self, now: str) -> bool:
        """Whether it has expired at a time, as `stamp` writes it."""
        return self.expires_at <= now

    @property
    def scope(self) -> str:
        """What it is for, where and in which role, for the security log."""
        return f"{self.purpose}: {self.role} in {self.campaign}"


_COLUMNS = ", ".join(Token._fields)


class Scope(NamedTuple):
    """What a new token is to be good for: a campaign by its name and the mark of its log, and a role in it."""

    campaign: str
    log: str
    role: str


def make_token(accounts: Accounts, name: str, scope: Scope, purpose: str, days: int = USUAL_DAYS) -> str:
    """Make a token of an account; returns it, of which the file keeps only the SHA-256.

    Raises AccountError for an unknown or disabled account, no purpose, days outside 1 to MOST_DAYS, and too many.
    """
    purpose = " ".join(purpose.split())
    if not 0 < len(purpose) <= LONGEST_PURPOSE:
        raise AccountError(
            message_with("say in 1 to %(most)s characters what the token is for", most=LONGEST_PURPOSE)
        )
    if not 1 <= days <= MOST_DAYS:
        raise AccountError(
            message_with("a token lasts 1 to %(most)s days; got %(days)s", most=MOST_DAYS, days=days)
        )
    secret, now = PREFIX + secrets.token_urlsafe(TOKEN_BYTES), accounts.now
    with accounts.write():
        account = get_account(accounts, name)
        if account.disabled:
            raise AccountError(f"{account.name}: this account is disabled")
        accounts.db.execute("DELETE FROM token WHERE expires_at <= ?", [stamp(now)])
        if len(tokens(accounts, account.name)) >= MOST:
            raise AccountError(NO_MORE)
        row = (account.name, purpose, *scope, stamp(now), stamp(now + timedelta(days=days)), "", "")
        places = ", ".join("?" * (len(row) + 1))
        made = accounts.db.execute(
            f"INSERT INTO token (token_hash, {_COLUMNS.partition(', ')[2]}) VALUES ({places}) RETURNING {_COLUMNS}",
            [hash_of(secret), *row],
        ).fetchone()
        log_event(accounts, security_log.TOKEN_MADE, account.name, detail=Token._make(made).scope)
    return secret


def find_token(accounts: Accounts, secret: str) -> tuple[Token, Account] | None:
    """A token that has not expired, with its account; None for any other, and where the account is disabled."""
    row = accounts.db.execute(
        f"SELECT {_COLUMNS} FROM token WHERE token_hash = ?", [hash_of(secret)]
    ).fetchone()
    if row is None or (token := Token._make(row)).is_over(stamp(accounts.now)):
        return None
    account = find_account(accounts, token.name)
    return None if account is None or account.disabled else (token, account)


def note_use(accounts: Accounts, token: Token) -> None:
    """Write down that a token is in use, and from where, unless that was done lately."""
    if token.used_at <= stamp(accounts.now - NOTED_EVERY):
        written = (stamp(accounts.now), accounts.address, token.token)
        note(accounts, "UPDATE token SET used_at = ?, address = ? WHERE token = ?", *written)


def tokens(accounts: Accounts, name: str | None = None, *, log: str | None = None) -> list[Token]:
    """The tokens that have not expired, the newest first: of an account, of the campaign with a log, or all."""
    rows = accounts.db.execute(
        f"SELECT {_COLUMNS} FROM token WHERE expires_at > ?1 AND (?2 IS NULL OR name = ?2) "
        "AND (?3 IS NULL OR log = ?3) ORDER BY token DESC",
        [stamp(accounts.now), name, log],
    )
    return [Token._make(row) for row in rows.fetchall()]


def revoke(accounts: Accounts, found: Sequence[Token], number: int) -> Token | None:
    """Revoke the token of a number, if it is among those found, for good; the security log says who did.

    None where it is not, or is gone already.
    """
    token = next((each for each in found if each.token == number), None)
    if token is None:
        return None
    with accounts.write():
        gone = accounts.db.execute("DELETE FROM token WHERE token = ?", [number]).rowcount
        if gone:
            log_event(accounts, security_log.TOKEN_REVOKED, token.name, detail=token.scope)
    return token if gone else None
