"""Times that lie ahead of the clock, because it was put back: they are brought back to it.

A session, a link or a count of failures lasts for a length of time. Made while the clock was a year ahead, each would
last a year longer, so what lies more than AHEAD ahead counts as made now: nothing lasts longer than its length from the
moment at which that is seen. It ends no session, and the security log keeps its times.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from workbench.people.accounts.file import Accounts, AccountsUnavailable
from workbench.people.accounts.second_factor import AROUND, STEP
from workbench.people.accounts.security_log import stamp
from workbench.people.accounts.sessions import NOTED_EVERY

AHEAD = NOTED_EVERY
"""How far ahead a time may lie: clocks are set right by seconds all the time."""

_OPEN = "used_at IS NULL AND withdrawn_at IS NULL AND declined_at IS NULL"
_SESSIONS = "max(started_at, used_at, confirmed_at) > :limit"
_LINKS = f"made_at > :limit AND {_OPEN}"
_NAMES = "taken_at > :limit"
_CODES = "last_step > :last_step"


def bring_back(accounts: Accounts) -> int:
    """Bring back what lies ahead of `now`; how many sessions, links, counts of names and second factors did.

    A second factor's last used step becomes the last one that is good now, so that no code that is good now was used
    before, and the next one is taken again after 90 seconds at most. Raises AccountsUnavailable.
    """
    known = {
        "now": stamp(accounts.now),
        "limit": stamp(accounts.now + AHEAD),
        "step": int(accounts.now.timestamp()) // STEP + AROUND,
        "last_step": int((accounts.now + AHEAD).timestamp()) // STEP + AROUND,
    }
    if not _is_any_ahead(accounts, known):
        return 0
    with accounts.write():
        changed = _shorten_links(accounts, known)
        for statement in (
            "UPDATE session SET started_at = min(started_at, :now), used_at = min(used_at, :now), "
            f"confirmed_at = min(confirmed_at, :now) WHERE {_SESSIONS}",
            f"UPDATE link SET taken_at = :now WHERE {_NAMES}",
            f"UPDATE second_factor SET last_step = :step WHERE {_CODES}",
        ):
            changed += int(accounts.db.conn.execute(statement, known).rowcount)
    return changed


def _is_any_ahead(accounts: Accounts, known: dict[str, object]) -> bool:
    """Asked every few seconds, so without the lock of writers."""
    try:
        (found,) = accounts.db.conn.execute(
            f"SELECT EXISTS (SELECT 1 FROM session WHERE {_SESSIONS}) "
            f"OR EXISTS (SELECT 1 FROM link WHERE ({_LINKS}) OR {_NAMES}) "
            f"OR EXISTS (SELECT 1 FROM second_factor WHERE {_CODES})",
            known,
        ).fetchone()
    except sqlite3.Error as error:
        raise AccountsUnavailable(f"{accounts.path}: cannot be read ({error})") from error
    return bool(found)


def _shorten_links(accounts: Accounts, known: dict[str, object]) -> int:
    """Each open link from ahead counts as made now, for as long as it was made for."""
    rows = accounts.db.conn.execute(
        f"SELECT link, made_at, expires_at FROM link WHERE {_LINKS}", known
    ).fetchall()
    for link, made, expires in rows:
        length: timedelta = datetime.fromisoformat(expires) - datetime.fromisoformat(made)
        accounts.db.conn.execute(
            "UPDATE link SET made_at = ?, expires_at = ? WHERE link = ?",
            [stamp(accounts.now), stamp(accounts.now + length), link],
        )
    return len(rows)
