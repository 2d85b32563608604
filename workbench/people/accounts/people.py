"""Accounts of people: made, found, proved by a password, shut, and their sessions ended."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from workbench.core.normal_forms import normal_form
from workbench.core.wording import message_with
from workbench.core.wording import translatable as _
from workbench.people.accounts import identities, links, security_log, sessions
from workbench.people.accounts.file import AccountError, Accounts, hash_of
from workbench.people.accounts.passwords import fits, hash_password, spend
from workbench.people.accounts.security_log import log_event
from workbench.people.accounts.sessions import Session, drop_sessions

LONGEST_NAME = 64
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Fillers and variation selectors: invisible letters by their category. Some names need them."""

ALIKE = {"Latin", "Cyrillic", "Greek"}
"""Alphabets with many letters that look like those of the others."""

INVISIBLE = _("%(name)s: a name may not contain control characters or other invisible ones")
MIXED = _("%(name)s: a name may not mix %(alphabets)s letters, many of which look alike; use one alphabet")
TOO_LONG = _("a name may have at most %(most)s characters, this one has %(length)s")
TAKEN = _("%(name)s: an account of that name exists (%(other)s); choose another name")


def clean_name(name: str) -> str:
    """A person's name as it is stored: composed (NFC), single blanks, nothing invisible in it.

    Raises AccountError for an empty name, one longer than 64 characters, one with control characters, one that mixes
    alphabets that look alike (as the moderately restrictive level of UTS 39, section 5.2, excludes them).
    """
    clean = normal_form("NFC", name.strip(" "))
    if not clean:
        raise AccountError(message_with("a name is needed"))
    if not name_key(clean) or any(
        unicodedata.category(character) in HIDDEN_CATEGORIES for character in clean
    ):
        raise AccountError(message_with(INVISIBLE, name=ascii(clean)))
    first = {unicodedata.name(letter, "").partition(" ")[0] for letter in clean if letter.isalpha()}
    if len(mixed := sorted(ALIKE & {word.capitalize() for word in first})) > 1:
        raise AccountError(message_with(MIXED, name=ascii(clean), alphabets=" and ".join(mixed)))
    clean = " ".join(clean.split())
    if len(clean) > LONGEST_NAME:
        raise AccountError(message_with(TOO_LONG, most=LONGEST_NAME, length=len(clean)))
    return clean


def name_key(name: str) -> str:
    """What two spellings of one name have in common: compatible letters, case, blanks and the unseen are folded."""
    folded = normal_form("NFKC", UNSEEN.sub("", name)).casefold()
    key = " ".join(normal_form("NFKC", folded).split())
    return key.encode("utf-8", "replace").decode()  # half a character cannot be asked for


COLUMNS = "name, created_at, disabled, makes_campaigns, invited_by, language"
SESSION = len(Session._fields)


class Account(NamedTuple):
    """One person's account.

    `makes_campaigns` says that the person may make campaigns on this server, and `invited_by` by which organiser's
    invitation the account came ("" when it was made, or invited, at the server's terminal); `language` is the one of
    the person's pages, "" where none was chosen.
    """

    name: str
    created_at: str
    disabled: bool
    makes_campaigns: bool = False
    invited_by: str = ""
    language: str = ""


def add_account(accounts: Accounts, name: str, password: str, *, makes_campaigns: bool = False) -> Account:
    """Make an account; AccountError when the name is taken, in any spelling, or the password will not do."""
    clean = clean_name(name)
    password_hash = hash_password(password, clean)
    with accounts.write():
        put_account(accounts, clean, password_hash)
        if makes_campaigns:
            _put(accounts, clean, "makes_campaigns", 1)
            log_event(accounts, security_log.MAY_MAKE, clean)
    return get_account(accounts, clean)


def put_account(accounts: Accounts, name: str, password_hash: str, *, invited_by: str = "") -> None:
    """Make an account inside the open write transaction; AccountError when the name is taken in any spelling."""
    if (taken := find_account(accounts, name)) is not None:
        raise AccountError(message_with(TAKEN, name=name, other=taken.name))
    accounts.db.execute(
        "INSERT INTO account (name, name_key, password_hash, created_at, invited_by) VALUES (?, ?, ?, ?, ?)",
        [name, name_key(name), password_hash, accounts.now.isoformat(timespec="seconds"), invited_by],
    )
    log_event(accounts, security_log.ACCOUNT_MADE, name)


def find_account(accounts: Accounts, name: str) -> Account | None:
    """The account of that name in any spelling, disabled or not; None when there is none."""
    return next(iter(_found(accounts, "WHERE name_key = ?", name_key(name))), None)


def get_account(accounts: Accounts, name: str) -> Account:
    """The account of that name; AccountError when there is none."""
    if (account := find_account(accounts, name)) is None:
        message = (
            f"{name}: this account does not exist; create it with: workbench user add {shlex.quote(name)}"
        )
        raise AccountError(message)
    return account


def find_session(accounts: Accounts, token: str) -> tuple[Session, Account | None] | None:
    """The session of a token, if it has not ended, and the account of its name."""
    row = accounts.db.execute(
        f"SELECT {sessions.COLUMNS}, {COLUMNS} FROM session LEFT JOIN account USING (name) WHERE token_hash = ?",
        [hash_of(token)],
    ).fetchone()
    if row is None or (session := Session._make(row[:SESSION])).is_over(accounts.now):
        return None
    return session, None if row[SESSION + 1] is None else _account(row[SESSION:])


def check_password(accounts: Accounts, name: str, password: str) -> Account | None:
    """The account, if the password is right and it is not disabled; else None, without saying which.

    An unknown name costs the same work as a known one: the time taken does not tell who has an account.
    """
    row = accounts.db.execute(
        f"SELECT password_hash, {COLUMNS} FROM account WHERE name_key = ?", [name_key(name)]
    ).fetchone()
    if row is None or not row[0]:
        spend(password)
        return None
    account = _account(row[1:])
    return account if fits(row[0], password) and not account.disabled else None


def list_accounts(accounts: Accounts) -> list[Account]:
    """All accounts by name."""
    return _found(accounts, "ORDER BY name_key")


def has_accounts(accounts: Accounts) -> bool:
    """Whether any account can sign in."""
    return accounts.db.execute("SELECT 1 FROM account WHERE NOT disabled LIMIT 1").fetchone() is not None


def set_password(accounts: Accounts, name: str, password: str) -> Account:
    """Replace a password, which ends the person's sessions everywhere; AccountError for an unknown name."""
    password_hash = hash_password(password, name)
    with accounts.write():
        account = get_account(accounts, name)
        put_password(accounts, account.name, password_hash, security_log.PASSWORD_CHANGED)
        if accounts.at_terminal:  # as by the link of another person
            identities.drop_identities(accounts, account.name)
    return get_account(accounts, account.name)


def put_password(accounts: Accounts, name: str, password_hash: str, act: str) -> None:
    """Replace a password inside the open write transaction, ending sessions and links; `act` says how it came."""
    _put(accounts, name, "password_hash", password_hash)
    drop_sessions(accounts, name)
    links.withdraw_links(accounts, links.resets_of(accounts, name))
    log_event(accounts, act, name)


def set_disabled(accounts: Accounts, name: str, *, disabled: bool) -> Account:
    """Shut an account, or open it again; never deleted, since judgments name it.

    Shutting it ends its sessions for good, withdraws the links that the person made or could come in by, and declines
    the roles that were offered to it.
    """
    with accounts.write():
        account = get_account(accounts, name)
        _put(accounts, account.name, "disabled", int(disabled))
        if disabled:
            drop_sessions(accounts, account.name)
            theirs = [*links.links_made_by(accounts, account.name), *links.resets_of(accounts, account.name)]
            links.withdraw_links(accounts, theirs)
            # Declined, not withdrawn: who made an offer sees the second, and would know by it that there is an account.
            for offer in links.offers_to(accounts, account.name):
                links.put_declined(accounts, offer)
        act = security_log.ACCOUNT_DISABLED if disabled else security_log.ACCOUNT_ENABLED
        log_event(accounts, act, account.name)
    return get_account(accounts, account.name)


def set_makes_campaigns(accounts: Accounts, name: str, *, makes: bool) -> Account:
    """Permit an account to create campaigns on this server, or withdraw that permission."""
    act = security_log.MAY_MAKE if makes else security_log.MAY_NOT_MAKE
    with accounts.write():
        account = get_account(accounts, name)
        _put(accounts, account.name, "makes_campaigns", int(makes))
        links.withdraw_resets_by_others(accounts, account.name)
        log_event(accounts, act, account.name)
    return get_account(accounts, account.name)


def set_language(accounts: Accounts, name: str, language: str) -> None:
    """Note the language that a person chose for their pages."""
    with accounts.write():
        _put(accounts, name, "language", language)


def end_sessions(accounts: Accounts, name: str) -> Account:
    """End all sessions of an account; the password is not changed."""
    with accounts.write():
        account = get_account(accounts, name)
        drop_sessions(accounts, account.name)
        log_event(accounts, security_log.SIGNED_OUT_EVERYWHERE, account.name)
    return get_account(accounts, account.name)


def _put(accounts: Accounts, name: str, column: str, value: str | int) -> None:
    accounts.db.execute(f"UPDATE account SET {column} = ? WHERE name = ?", [value, name])


def _found(accounts: Accounts, which: str, *values: str) -> list[Account]:
    return list(
        map(_account, accounts.db.execute(f"SELECT {COLUMNS} FROM account {which}", values).fetchall())
    )


def _account(row: Sequence[Any]) -> Account:
    name, created_at, disabled, makes_campaigns, invited_by, language = row
    return Account(name, created_at, bool(disabled), bool(makes_campaigns), invited_by, language)
