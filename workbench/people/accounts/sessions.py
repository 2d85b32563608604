"""Sessions of people who are signed in: a row each, found by the hash of a token that only the browser keeps.

A session of an account ends twelve hours after it began, and after half an hour without a request: what OWASP ASVS
4.0.3 asks for at level 2 (3.3.2). A local session (the terminal's link, the demo) proved no account; it ends after 30
days without a request. Whatever ends a session deletes its row, so that no copy of the cookie holds.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from workbench.people.accounts import security_log
from workbench.people.accounts.file import BUSY_SECONDS, Accounts, AccountsUnavailable, hash_of
from workbench.people.accounts.security_log import log_event, stamp

LONGEST = timedelta(hours=12)
IDLE = timedelta(minutes=30)
LOCAL_IDLE = timedelta(days=30)
NOTED_EVERY = timedelta(minutes=3)
"""How old the last noted use of a session may become: a write for each request would cost as much as a save."""

TOKEN_BYTES = 32
LONGEST_WORDS = 80
COLUMNS = "session, name, local, browser, address, started_at, used_at, confirmed_at"


class Session(NamedTuple):
    """One session as the file has it, without its token. Times are UTC, ISO 8601, in seconds.

    `local` is "" for an account, else the kind of local sign-in; `browser` is what the person may know it by;
    `used_at` may lie `NOTED_EVERY` back, and `confirmed_at` is when the person last proved in it who they are, or "".
    """

    session: int
    name: str
    local: str
    browser: str
    address: str
    started_at: str
    used_at: str
    confirmed_at: str

    def is_over(self, now: datetime) -> bool:
        """Whether it has ended by itself."""
        if self.local:
            return self.used_at <= stamp(now - LOCAL_IDLE)
        return self.started_at <= stamp(now - LONGEST) or self.used_at <= stamp(now - IDLE)

    def is_confirmed(self, now: datetime, within: timedelta) -> bool:
        """Whether the person gave the password in this session within that time."""
        return self.confirmed_at > stamp(now - within)


def begin_session(
    accounts: Accounts, name: str, *, local: str = "", browser: str = "", confirmed: bool = True
) -> str:
    """Begin a session; returns its token, of which the file keeps only the SHA-256. Ended ones are cleared away.

    `confirmed` says that the person proved just now who they are, not that another site remembered them.
    """
    token, at = secrets.token_urlsafe(TOKEN_BYTES), stamp(accounts.now)
    with accounts.write():
        accounts.db.execute(
            "DELETE FROM session WHERE (local = '' AND (started_at <= ? OR used_at <= ?)) OR used_at <= ?",
            [stamp(accounts.now - LONGEST), stamp(accounts.now - IDLE), stamp(accounts.now - LOCAL_IDLE)],
        )
        accounts.db.execute(
            "INSERT INTO session (token_hash, name, local, browser, address, started_at, used_at, confirmed_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [hash_of(token), name, local, browser[:LONGEST_WORDS], accounts.address, at, at, at * confirmed],
        )
    return token


def note_use(accounts: Accounts, session: Session) -> None:
    """Record that a session is in use, unless done lately; if the file is busy, a later request does."""
    if session.used_at > stamp(accounts.now - NOTED_EVERY):
        return
    note(accounts, "UPDATE session SET used_at = ? WHERE session = ?", stamp(accounts.now), session.session)


def note(accounts: Accounts, statement: str, *values: str | int) -> None:
    """Run a statement that is not waited for: where the file is busy, nothing is written."""
    connection = accounts.db.conn
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        with suppress(AccountsUnavailable), accounts.write():
            connection.execute(statement, values)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_SECONDS)}")


def confirm(accounts: Accounts, session: Session) -> None:
    """Write down that the person gave the password once more."""
    with accounts.write():
        accounts.db.execute(
            "UPDATE session SET confirmed_at = ? WHERE session = ?", [stamp(accounts.now), session.session]
        )


def sessions_of(accounts: Accounts, name: str) -> list[Session]:
    """The sessions of an account that have not ended, the one used last first."""
    rows = accounts.db.execute(
        f"SELECT {COLUMNS} FROM session WHERE name = ? AND local = '' ORDER BY used_at DESC, session DESC",
        [name],
    )
    found = [Session._make(row) for row in rows.fetchall()]
    return [session for session in found if not session.is_over(accounts.now)]


def end_token(accounts: Accounts, token: str) -> None:
    """End the session of a token, if there is one."""
    with accounts.write():
        accounts.db.execute("DELETE FROM session WHERE token_hash = ?", [hash_of(token)])


def end_session(accounts: Accounts, name: str, number: int) -> bool:
    """End one session of an account; False when the account has none of that number."""
    with accounts.write():
        row = accounts.db.execute(
            "DELETE FROM session WHERE session = ? AND name = ? AND local = '' RETURNING browser, address",
            [number, name],
        ).fetchone()
        if row is not None:
            detail = " from ".join(filter(None, row))
            log_event(accounts, security_log.SESSION_ENDED, name, detail=detail)
    return row is not None


def end_others(accounts: Accounts, session: Session) -> int:
    """End every session of an account but this one; how many they were."""
    with accounts.write():
        ended = accounts.db.execute(
            "DELETE FROM session WHERE name = ? AND local = '' AND session <> ?",
            [session.name, session.session],
        ).rowcount
        log_event(accounts, security_log.OTHERS_ENDED, session.name)
    return int(ended)


def drop_sessions(accounts: Accounts, name: str | None = None) -> None:
    """End every session of an account, or of all, and revoke its tokens, inside the open write transaction."""
    accounts.db.execute("DELETE FROM session WHERE ?1 IS NULL OR (name = ?1 AND local = '')", [name])
    accounts.db.execute("DELETE FROM token WHERE ?1 IS NULL OR name = ?1", [name])
