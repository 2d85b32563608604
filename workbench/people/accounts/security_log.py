"""The security log, an append-only table of acts on accounts and roles: act, account, actor, time and address.

No password and no token is ever written here; of a name without an account, only that it was tried. Rows that say who
came in, from where, are erased after some time (`erase_older`).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from workbench.core.wording import translatable as _
from workbench.people.accounts.file import TERMINAL, Accounts

SIGNED_IN, SIGN_IN_REFUSED, SIGN_IN_THROTTLED = _("signed in"), _("sign-in refused"), _("sign-in throttled")
SIGNED_OUT, SIGNED_OUT_EVERYWHERE = _("signed out"), _("signed out everywhere")
SESSION_ENDED, OTHERS_ENDED = _("session ended"), _("signed out everywhere else")
ACCESS_REFUSED = _("access refused")
TOKEN_MADE, TOKEN_REVOKED = _("token made"), _("token revoked")  # nosec B105
SECOND_FACTOR_SET, SECOND_FACTOR_REMOVED = _("second factor set up"), _("second factor removed")
SECOND_FACTOR_REFUSED = _("second factor refused")
RECOVERY_CODES_MADE, RECOVERY_CODE_USED = _("recovery codes made"), _("recovery code used")
PROVIDER_CONNECTED, PROVIDER_DISCONNECTED = _("provider connected"), _("provider disconnected")
PROVIDER_REFUSED, CONFIRMED = _("provider refused"), _("identity confirmed")
ACCOUNT_MADE, ACCOUNT_DISABLED, ACCOUNT_ENABLED = (
    _("account made"),
    _("account disabled"),
    _("account enabled"),
)
ACCOUNT_ERASED, PASSWORD_REFUSED = _("account erased"), _("password change refused")
PASSWORD_CHANGED, PASSWORD_RESET = _("password changed"), _("password reset")
MAY_MAKE, MAY_NOT_MAKE = _("may make campaigns"), _("may not make campaigns")
INVITATION_MADE, INVITATION_USED = _("invitation made"), _("invitation used")
RESET_MADE, LINK_WITHDRAWN = _("reset link made"), _("link withdrawn")
TAKEN_NAME_TRIED = _("taken name tried")
ROLE_GIVEN, ROLE_TAKEN = _("role given"), _("role taken")
ROLE_OFFERED, OFFER_DECLINED = _("role offered"), _("offer declined")
ACCOUNTS_RESTORED = _("accounts restored")
ROWS_ERASED = _("older rows erased")

PRESENCE = (
    *(SIGNED_IN, SIGN_IN_REFUSED, SIGN_IN_THROTTLED, SIGNED_OUT, SIGNED_OUT_EVERYWHERE, SESSION_ENDED),
    *(OTHERS_ENDED, ACCESS_REFUSED, SECOND_FACTOR_REFUSED, PASSWORD_REFUSED, TAKEN_NAME_TRIED),
    *(PROVIDER_REFUSED, CONFIRMED),
)
"""Acts that say who was there; all others say who may do what, and why."""


class SecurityEvent(NamedTuple):
    """One row of the record: `name` is the person it is about, `at` the time in UTC (ISO 8601, seconds)."""

    seq: int
    at: str
    act: str
    name: str
    actor: str
    address: str
    detail: str


COLUMNS = ", ".join(SecurityEvent._fields)


def log_event(accounts: Accounts, act: str, name: str, *, detail: str = "") -> None:
    """Write one row inside the open write transaction."""
    accounts.db.execute(
        f"INSERT INTO act ({COLUMNS}) SELECT 1 + coalesce(max(seq), 0), ?, ?, ?, ?, ?, ? FROM act",
        [stamp(accounts.now), act, name, accounts.actor, accounts.address, detail],
    )


def record(accounts: Accounts, act: str, name: str, *, detail: str = "") -> None:
    """Write one row in a transaction of its own."""
    with accounts.write():
        log_event(accounts, act, name, detail=detail)


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
        [name, -1 if last is None else last, terminal, TERMINAL],
    )
    return [SecurityEvent._make(row) for row in rows.fetchall()]


def erase_older(accounts: Accounts, before: datetime) -> int:
    """Erase rows from before a time that say who was there, and those of accounts that are gone; how many rows.

    It waits until the oldest of them is a day older, so that this is at most once a day a row of the log itself.
    """
    connection = accounts.db.conn
    presence = ", ".join("?" * len(PRESENCE))
    old = f"at < ? AND (act IN ({presence}) OR (name <> '' AND name NOT IN (SELECT name FROM account)))"
    waiting = [stamp(before - timedelta(days=1)), *PRESENCE]
    if connection.execute(f"SELECT 1 FROM act WHERE {old} LIMIT 1", waiting).fetchone() is None:
        return 0
    connection.execute("PRAGMA secure_delete = ON")
    with accounts.write():
        (is_kept,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'act_is_kept'").fetchone()
        connection.execute("DROP TRIGGER act_is_kept")
        erased = connection.execute(f"DELETE FROM act WHERE {old}", [stamp(before), *PRESENCE]).rowcount
        connection.execute(is_kept)
        log_event(accounts.by("", "server"), ROWS_ERASED, "", detail=f"{erased} rows")
    return int(erased)


def given_roles(accounts: Accounts) -> list[str]:
    """All accounts that were ever given a role in a campaign, as far as the log goes back."""
    rows = accounts.db.execute("SELECT DISTINCT name FROM act WHERE act = ?", [ROLE_GIVEN])
    return [name for (name,) in rows.fetchall()]


def stamp(moment: datetime) -> str:
    """A moment as the file has it: UTC, ISO 8601, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")
