"""The security log, an append-only table of acts on accounts and roles: act, account, actor, time and address.

Each row has the hash of itself (columns in the order of `COLUMNS`) and of the row before it:
`workbench.core.hash_chain`.

No password and no token is ever written here; of a name without an account, only that it was tried.

What a row says of who came in, from where, is erased after some time (`erase_older`): the row keeps its number, time
and hash, so the chain goes on over it, and a later row of the chain says up to which row that was done.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from workbench.core.hash_chain import GENESIS, next_hash
from workbench.people.accounts.file import Accounts

SIGNED_IN, SIGN_IN_REFUSED, SIGN_IN_THROTTLED = "signed in", "sign-in refused", "sign-in throttled"
SIGNED_OUT, SIGNED_OUT_EVERYWHERE = "signed out", "signed out everywhere"
SESSION_ENDED, OTHERS_ENDED = "session ended", "signed out everywhere else"
ACCESS_REFUSED = "access refused"
SECOND_FACTOR_SET, SECOND_FACTOR_REMOVED = "second factor set up", "second factor removed"
SECOND_FACTOR_REFUSED = "second factor refused"
RECOVERY_CODES_MADE, RECOVERY_CODE_USED = "recovery codes made", "recovery code used"
ACCOUNT_MADE, ACCOUNT_DISABLED, ACCOUNT_ENABLED = "account made", "account disabled", "account enabled"
ACCOUNT_ERASED = "account erased"
PASSWORD_CHANGED, PASSWORD_RESET, PASSWORD_REFUSED = (
    "password changed",
    "password reset",
    "password change refused",
)
MAY_MAKE, MAY_NOT_MAKE = "may make campaigns", "may not make campaigns"
INVITATION_MADE, INVITATION_USED = "invitation made", "invitation used"
RESET_MADE, LINK_WITHDRAWN = "reset link made", "link withdrawn"
TAKEN_NAME_TRIED = "taken name tried"
ROLE_GIVEN, ROLE_TAKEN = "role given", "role taken"
ROLE_OFFERED, OFFER_DECLINED = "role offered", "offer declined"
ACCOUNTS_RESTORED = "accounts restored"
ROWS_ERASED, ERASED = "older rows erased", "erased"

PRESENCE = (
    SIGNED_IN,
    SIGN_IN_REFUSED,
    SIGN_IN_THROTTLED,
    SIGNED_OUT,
    SIGNED_OUT_EVERYWHERE,
    SESSION_ENDED,
    OTHERS_ENDED,
    ACCESS_REFUSED,
    SECOND_FACTOR_REFUSED,
    PASSWORD_REFUSED,
    TAKEN_NAME_TRIED,
)
"""Acts that say who was there; all others say who may do what, and why."""

COLUMNS = "seq, at, act, name, actor, address, detail"


class By(NamedTuple):
    """An actor ("" if unknown), and the network address or the server's own terminal."""

    actor: str = ""
    address: str = ""

    @property
    def at_terminal(self) -> bool:
        """Whether `actor` is a user of the server's system, who is not the account of the same name."""
        return self.address == TERMINAL.address


TERMINAL = By(address="terminal")


class SecurityEvent(NamedTuple):
    """One row of the record: `name` is the person it is about, `at` the time in UTC (ISO 8601, seconds)."""

    seq: int
    at: str
    act: str
    name: str
    actor: str
    address: str
    detail: str


class Head(NamedTuple):
    """How far the record goes: its last row and that row's hash; 0 and 32 zero bytes for an empty one."""

    seq: int
    hash: bytes


def log_event(
    accounts: Accounts,
    act: str,
    name: str,
    *,
    by: By = TERMINAL,
    detail: str = "",
    now: datetime | None = None,
) -> None:
    """Write one row inside the open write transaction."""
    seq, last = head(accounts)
    row = [seq + 1, stamp(now), act, name, by.actor, by.address, detail]
    accounts.db.execute(
        f"INSERT INTO act ({COLUMNS}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [*row, next_hash(last, "act", row)],
    )


def record(
    accounts: Accounts,
    act: str,
    name: str,
    *,
    by: By = TERMINAL,
    detail: str = "",
    now: datetime | None = None,
) -> None:
    """Write one row in a transaction of its own."""
    with accounts.write():
        log_event(accounts, act, name, by=by, detail=detail, now=now)


def acts(
    accounts: Accounts, name: str | None = None, *, last: int | None = None, terminal: bool = True
) -> list[SecurityEvent]:
    """The record in its order, or its `last` rows; with a name what is about that person or was done by them.

    Without `terminal` acts of that name at the server's terminal are left out: the system's users
    are not the accounts.
    """
    rows = accounts.db.execute(
        f"SELECT * FROM (SELECT {COLUMNS} FROM act WHERE ?1 IS NULL OR name = ?1 "
        "OR (actor = ?1 AND (?3 OR address <> ?4)) ORDER BY seq DESC LIMIT ?2) ORDER BY seq",
        [name, -1 if last is None else last, terminal, TERMINAL.address],
    )
    return [SecurityEvent._make(row) for row in rows.fetchall()]


def head(accounts: Accounts) -> Head:
    """The last row of the record."""
    row = accounts.db.execute("SELECT seq, hash FROM act ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(*(row or (0, GENESIS)))


def erase_older(accounts: Accounts, before: datetime, *, now: datetime | None = None) -> int:
    """Erase what rows from before a time say of who was there, and of accounts that are gone; how many rows.

    It waits until the oldest of them is a day older, so that this is at most once a day a row of the log itself.
    """
    connection = accounts.db.conn
    acts_of_presence = ", ".join("?" * len(PRESENCE))
    old = (
        f"at < ? AND act <> '{ERASED}' AND (act IN ({acts_of_presence}) "
        "OR (name <> '' AND name NOT IN (SELECT name FROM account)))"
    )
    waiting = [stamp(before - timedelta(days=1)), *PRESENCE]
    if connection.execute(f"SELECT 1 FROM act WHERE {old} LIMIT 1", waiting).fetchone() is None:
        return 0
    connection.execute("PRAGMA secure_delete = ON")
    with accounts.write():
        (stays,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'act_stays'").fetchone()
        connection.execute("DROP TRIGGER act_stays")
        erased = connection.execute(
            f"UPDATE act SET act = '{ERASED}', name = '', actor = '', address = '', detail = '' WHERE {old}",
            [stamp(before), *PRESENCE],
        ).rowcount
        connection.execute(stays)
        (newest,) = connection.execute("SELECT max(seq) FROM act WHERE act = ?", [ERASED]).fetchone()
        log_event(accounts, ROWS_ERASED, "", by=By("", "server"), detail=f"up to row {newest}", now=now)
    return int(erased)


def broken_rows(accounts: Accounts) -> list[int]:
    """The rows (by `seq`) that are not what was written, or do not follow the row before them.

    A row that was erased is as it should be if a later row says so, which itself is as it was written. A chain
    cannot know its own end: that rows were cut off there is seen only with a hash kept elsewhere (`has_hash`).
    """
    seq, last, broken, erased, erased_to = 0, GENESIS, [], [], 0
    for *row, stored in accounts.db.execute(f"SELECT {COLUMNS}, hash FROM act ORDER BY seq").fetchall():
        is_next, is_erased = row[0] == seq + 1, row[2:] == [ERASED, "", "", "", ""]
        if is_next and is_erased:
            erased.append(int(row[0]))
        elif not is_next or stored != next_hash(last, "act", row):
            broken.append(int(row[0]))
        elif row[2] == ROWS_ERASED and (said := re.fullmatch("up to row ([0-9]+)", row[6])):
            erased_to = int(said[1])
        seq, last = row[0], stored
    return sorted(broken + [row for row in erased if row > erased_to])


def has_hash(accounts: Accounts, beginning: str) -> bool:
    """Whether a row has a hash that begins so (hexadecimal)."""
    found = accounts.db.execute(
        "SELECT 1 FROM act WHERE substr(lower(hex(hash)), 1, ?) = ?", [len(beginning), beginning.lower()]
    )
    return found.fetchone() is not None


def given_roles(accounts: Accounts) -> list[str]:
    """All accounts that were ever given a role in a campaign, as far as the log goes back."""
    rows = accounts.db.execute("SELECT DISTINCT name FROM act WHERE act = ?", [ROLE_GIVEN])
    return [name for (name,) in rows.fetchall()]


def stamp(now: datetime | None) -> str:
    """A moment as the file has it: UTC, ISO 8601, to the second."""
    return (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
