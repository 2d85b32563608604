"""Links that let somebody in once: an invitation into a campaign, or a new password for an account.

The token is 256 random bits and is shown once, to who makes the link; the file keeps its SHA-256, so that reading the
file opens no door. (A hash made slow on purpose protects what can be guessed; these bits cannot.)
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal, NamedTuple

from workbench.accounts.acts import By, stamp
from workbench.accounts.file import AccountError, Accounts

Kind = Literal["invitation", "reset"]
INVITATION: Kind = "invitation"
RESET: Kind = "reset"
TOKEN_BYTES = 32
COLUMNS = (
    "link, kind, name, campaign, log, role, team, topics, made_by, made_at, expires_at, "
    "used_by, used_at, withdrawn_at, at_terminal"
)


class LinkGone(AccountError):
    """A link was used, withdrawn, has expired, or never was one; nobody is told which."""

    def __init__(self) -> None:
        super().__init__(
            "This link is no longer good: it was used, withdrawn, or has expired. Ask for a new one."
        )


class Link(NamedTuple):
    """A link as the file has it, without its token. Times are UTC, ISO 8601.

    `name` is the account of a reset, and whom an invitation is meant for in the words of who made it (may be "").
    An invitation is into the campaign of the name `campaign` whose log has the mark `log`; both are "" for a reset.
    `at_terminal` says that `made_by` is a user of the server's system, not an account.
    """

    link: int
    kind: Kind
    name: str
    campaign: str
    log: str
    role: str
    team: str
    topics: tuple[str, ...]
    made_by: str
    made_at: str
    expires_at: str
    used_by: str | None
    used_at: str | None
    withdrawn_at: str | None
    at_terminal: bool

    @property
    def maker(self) -> str:
        """The account that made the link; "" for one made at the server's terminal."""
        return "" if self.at_terminal else self.made_by

    def is_open(self, now: datetime) -> bool:
        """Whether it still lets somebody in."""
        return self.used_at is None and self.withdrawn_at is None and stamp(now) < self.expires_at

    def state(self, now: datetime) -> str:
        """What became of it, in a word."""
        if self.used_at is not None:
            return "used"
        if self.withdrawn_at is not None:
            return "withdrawn"
        return "open" if self.is_open(now) else "expired"


def put_link(
    accounts: Accounts,
    kind: Kind,
    *,
    name: str = "",
    campaign: str = "",
    log: str = "",
    role: str = "",
    team: str = "",
    topics: Sequence[str] = (),
    made_by: str,
    at_terminal: bool = False,
    expires: datetime,
    now: datetime,
) -> str:
    """Make a link inside the open write transaction; returns its token, which is kept nowhere."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    accounts.db.execute(
        "INSERT INTO link (token_hash, kind, name, campaign, log, role, team, topics, made_by, made_at, expires_at, "
        "at_terminal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            *(_hash(token), kind, name, campaign, log, role, team),
            *(json.dumps(list(topics), ensure_ascii=False), made_by, stamp(now), stamp(expires)),
            int(at_terminal),
        ],
    )
    return token


def find_link(accounts: Accounts, token: str, kind: Kind, *, now: datetime) -> Link:
    """The open link of this token; LinkGone when there is none."""
    row = accounts.db.execute(
        f"SELECT {COLUMNS} FROM link WHERE token_hash = ? AND kind = ?", [_hash(token), kind]
    ).fetchone()
    link = None if row is None else _link(row)
    if link is None or not link.is_open(now):
        raise LinkGone
    return link


def use_link(accounts: Accounts, token: str, kind: Kind, *, name: str, now: datetime) -> Link:
    """Take a link out of service inside the open write transaction; LinkGone for all but the first who comes."""
    link = find_link(accounts, token, kind, now=now)
    accounts.db.execute(
        "UPDATE link SET used_by = ?, used_at = ? WHERE link = ?", [name, stamp(now), link.link]
    )
    return link


def withdraw_links(accounts: Accounts, numbers: Sequence[int], *, now: datetime | None) -> None:
    """Make links useless inside the open write transaction; used ones stay as they are."""
    accounts.db.conn.executemany(
        "UPDATE link SET withdrawn_at = ? WHERE link = ? AND used_at IS NULL AND withdrawn_at IS NULL",
        [(stamp(now), number) for number in numbers],
    )


def links_into(accounts: Accounts, campaign: str, log: str) -> list[Link]:
    """The invitations into the campaign of this name whose log has this mark, the newest first."""
    rows = accounts.db.execute(
        f"SELECT {COLUMNS} FROM link WHERE kind = 'invitation' AND campaign = ? AND log = ? ORDER BY link DESC",
        [campaign, log],
    )
    return [_link(row) for row in rows.fetchall()]


def resets_of(accounts: Accounts, name: str) -> list[Link]:
    """The links that were made for a new password of an account, the newest first."""
    rows = accounts.db.execute(
        f"SELECT {COLUMNS} FROM link WHERE kind = 'reset' AND name = ? ORDER BY link DESC", [name]
    )
    return [_link(row) for row in rows.fetchall()]


def withdraw_resets_by_others(accounts: Accounts, name: str, by: By, *, now: datetime | None) -> None:
    """Make links for a new password useless but those that `by` made, inside the open write transaction.

    Who was let set a password may not set it any more once the account can do more.
    """
    mine = (by.actor, by.at_terminal)
    others = [link.link for link in resets_of(accounts, name) if (link.made_by, link.at_terminal) != mine]
    withdraw_links(accounts, others, now=now)


def links_made_by(accounts: Accounts, name: str) -> list[Link]:
    """The links that somebody made and nobody has used, the newest first."""
    rows = accounts.db.execute(
        f"SELECT {COLUMNS} FROM link WHERE made_by = ? AND used_at IS NULL ORDER BY link DESC", [name]
    )
    return [_link(row) for row in rows.fetchall()]


def _link(row: Sequence[object]) -> Link:
    found = Link(*row)  # type: ignore[arg-type]
    topics = tuple(json.loads(str(found.topics)))
    return found._replace(topics=topics, at_terminal=bool(found.at_terminal))


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
