"""Single-use links: an invitation to a campaign, or a reset of an account's password.

The token is 256 random bits and is shown once, to who makes the link; the file keeps its SHA-256, so that reading the
file opens no door. (A hash made slow on purpose protects what can be guessed; these bits cannot.)
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from workbench.people.accounts.file import AccountError, Accounts, hash_of
from workbench.people.accounts.security_log import stamp

Kind = Literal["invitation", "reset"]
INVITATION: Kind = "invitation"
RESET: Kind = "reset"
TOKEN_BYTES = 32


class LinkGone(AccountError):
    """A link was used, withdrawn, has expired, or never existed; the message does not say which."""

    def __init__(self) -> None:
        super().__init__(
            "This link is no longer valid: it was used or withdrawn, or it has expired. Ask for a new one."
        )


class Link(NamedTuple):
    """A link as the file has it, without its token. Times are UTC, ISO 8601.

    `name` is the account of a reset, and the inviter's note on who an invitation is for (may be "").
    An invitation is into the campaign of the name `campaign` whose log has the mark `log`; both are "" for a reset.
    `at_terminal` says that `made_by` is a user of the server's system, not an account.

    An offer is an invitation for one account and has no link: `account` is the account's name, "" when no account had
    the name that was typed (`name`), None for every other link. `taken_names` counts names tried that were not free.
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
    account: str | None
    declined_at: str | None
    taken_names: int

    @property
    def is_offer(self) -> bool:
        """Whether it is for one account, whose owner accepts or declines it."""
        return self.account is not None

    @property
    def maker(self) -> str:
        """The account that made the link; "" for one made at the server's terminal."""
        return "" if self.at_terminal else self.made_by

    def is_open(self, now: datetime) -> bool:
        """Whether the link is still valid."""
        ended = (self.used_at, self.withdrawn_at, self.declined_at)
        return ended == (None, None, None) and stamp(now) < self.expires_at

    def state(self, now: datetime) -> str:
        """What became of it, in a word.

        An offer is "offered" until it expires, whether it waits, was declined, or no account has that name: the
        organiser learns of an account only by its owner's acceptance.
        """
        if self.used_at is not None:
            return "accepted" if self.is_offer else "used"
        if self.withdrawn_at is not None:
            return "withdrawn"
        if stamp(now) >= self.expires_at:
            return "expired"
        return "offered" if self.is_offer else "open"


COLUMNS = ", ".join(Link._fields)


class NewLink(NamedTuple):
    """What a link is made for; see `Link`."""

    kind: Kind
    name: str = ""
    campaign: str = ""
    log: str = ""
    role: str = ""
    team: str = ""
    topics: tuple[str, ...] = ()
    account: str | None = None


def put_link(accounts: Accounts, link: NewLink, lasts: timedelta) -> str:
    """Make a link inside the open write transaction; returns its token, which is kept nowhere."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    row = link._asdict() | {
        "token_hash": hash_of(token),
        "topics": json.dumps(link.topics, ensure_ascii=False),
        "made_by": accounts.actor,
        "at_terminal": int(accounts.at_terminal),
        "made_at": stamp(accounts.now),
        "expires_at": stamp(accounts.now + lasts),
    }
    marks = ", ".join("?" * len(row))
    accounts.db.execute(f"INSERT INTO link ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    return token


def find_link(accounts: Accounts, token: str, kind: Kind) -> Link:
    """The open link of this token; LinkGone when there is none."""
    for link in _links(accounts, "token_hash = ? AND kind = ?", hash_of(token), kind):
        if link.is_open(accounts.now):
            return link
    raise LinkGone


def put_used(accounts: Accounts, link: Link, *, name: str) -> None:
    """Note who used a link, inside the open write transaction in which it was found open."""
    accounts.db.execute(
        "UPDATE link SET used_by = ?, used_at = ? WHERE link = ?", [name, stamp(accounts.now), link.link]
    )


def put_declined(accounts: Accounts, link: Link) -> None:
    """Note that an offer was declined, inside the open write transaction in which it was found open."""
    accounts.db.execute("UPDATE link SET declined_at = ? WHERE link = ?", [stamp(accounts.now), link.link])


def offers_to(accounts: Accounts, account: str) -> list[Link]:
    """The open offers to an account, the newest first."""
    return [link for link in _links(accounts, "account = ?", account) if link.is_open(accounts.now)]


def count_taken_name(accounts: Accounts, link: Link) -> None:
    """Count a name that was tried with a link and is not free, inside the open write transaction."""
    accounts.db.execute(
        "UPDATE link SET taken_names = taken_names + 1, taken_at = ? WHERE link = ?",
        [stamp(accounts.now), link.link],
    )


def taken_names_since(accounts: Accounts, maker: str, since: datetime) -> int:
    """How many taken names were tried with those links of an account at which one was tried after `since`."""
    (found,) = accounts.db.execute(
        "SELECT coalesce(sum(taken_names), 0) FROM link WHERE made_by = ? AND NOT at_terminal AND taken_at > ?",
        [maker, stamp(since)],
    ).fetchone()
    return int(found)


def withdraw_links(accounts: Accounts, links: Iterable[Link]) -> None:
    """Make links useless inside the open write transaction; used ones stay as they are."""
    accounts.db.conn.executemany(
        "UPDATE link SET withdrawn_at = ? WHERE link = ? AND used_at IS NULL AND withdrawn_at IS NULL",
        [(stamp(accounts.now), link.link) for link in links],
    )


def links_into(accounts: Accounts, campaign: str, log: str) -> list[Link]:
    """The invitations into the campaign of this name whose log has this mark, the newest first."""
    return _links(accounts, "kind = 'invitation' AND campaign = ? AND log = ?", campaign, log)


def resets_of(accounts: Accounts, name: str) -> list[Link]:
    """The links that were made for a new password of an account, the newest first."""
    return _links(accounts, "kind = 'reset' AND name = ?", name)


def withdraw_resets_by_others(accounts: Accounts, name: str) -> None:
    """Make links for a new password useless but those that the actor made, inside the open write transaction.

    Who was let set a password may not set it any more once the account can do more.
    """
    mine = accounts.actor, accounts.at_terminal
    others = [link for link in resets_of(accounts, name) if (link.made_by, link.at_terminal) != mine]
    withdraw_links(accounts, others)


def links_made_by(accounts: Accounts, name: str) -> list[Link]:
    """The unused links made by an account, the newest first."""
    return _links(accounts, "made_by = ? AND used_at IS NULL", name)


def _links(accounts: Accounts, which: str, *values: str) -> list[Link]:
    rows = accounts.db.execute(f"SELECT {COLUMNS} FROM link WHERE {which} ORDER BY link DESC", values)
    found = [Link._make(row) for row in rows.fetchall()]
    return [
        link._replace(topics=tuple(json.loads(str(link.topics))), at_terminal=bool(link.at_terminal))
        for link in found
    ]
