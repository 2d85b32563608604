"""Who is at the other end: a token in a signed cookie, and the session in `accounts.db` that it belongs to.

Two kinds of people come in. One proved an account with its password: the session ends after twelve hours, or half an
hour without a request, when the password changes, the account is shut, or the person signs out, here or everywhere.
The other came by the demo's start button: such a local session is worth something only on a demo, and ends after 30
days without a visit. Programs have no session: each of their requests carries a token (people/accounts/tokens.py).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from flask import Flask, current_app, has_request_context, request, session
from flask.sessions import SessionMixin

from workbench.people.accounts import (
    Account,
    AccountError,
    Session,
    begin_session,
    clean_name,
    find_account,
    find_session,
    security_log,
)
from workbench.people.accounts.sessions import LOCAL_IDLE, LONGEST, end_token, note_use
from workbench.people.accounts.tokens import PREFIX, Token, find_token
from workbench.people.accounts.tokens import note_use as note_use_of_token
from workbench.web.access.signatures import SessionsCheckedOnce
from workbench.web.requests.connections import accounts

TOKEN = "token"  # noqa: S105  # nosec B105 - the name of a field
DEMO = "demo"
BROWSERS = (  # the first that is found: most browsers also name those that they descend from
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "a Mac"),
    ("Linux", "Linux"),
)

BACKGROUND = "X-Background"
"""The header of requests that a page makes by itself, again and again: they keep no session alive."""


class Viewer(NamedTuple):
    """The person who is signed in, and in which session; `local` people may do everything on this server.

    A program that acts for the person has a `token` in the place of the session. `makes_campaigns` says that the
    person's account may make campaigns, and `language` is the one they chose, "" for none.
    """

    name: str
    local: bool
    session: Session | None
    makes_campaigns: bool = False
    token: Token | None = None
    language: str = ""


class CookieSessions(SessionsCheckedOnce):
    """Flask's signed cookie, sent over TLS only whenever the request itself came over TLS."""

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie may travel over TLS alone."""
        return super().get_cookie_secure(app) or (has_request_context() and request.is_secure)

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:
        """Until when a browser keeps the cookie: as long as the session lasts, or is open while signed out."""
        if not session.permanent:
            return None
        return datetime.now(UTC) + (LOCAL_IDLE if "day" in session else LONGEST)


def init_app(app: Flask, *, port: int, secure: bool) -> None:
    """Configure the session cookie. Its name carries the port: cookies do not know ports, servers do.

    Where it travels over TLS alone its name begins with `__Host-`: browsers take such a cookie from this very host
    alone, not from others of its domain.
    """
    app.config.update(
        SESSION_COOKIE_NAME=f"{'__Host-' if secure else ''}workbench_{port}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=secure,
        PERMANENT_SESSION_LIFETIME=LOCAL_IDLE,
        # A slow answer that set the cookie again could bring back a session that was ended meanwhile.
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.session_interface = CookieSessions()


def bearer() -> str:
    """What the request carries as a bearer's token, ours or not; "" for none."""
    given = request.authorization
    return given.token or "" if given is not None and given.type == "bearer" else ""


def is_of_program() -> bool:
    """Whether the request carries a token of ours, by its beginning; a proxy may add one of its own for people."""
    return bearer().startswith(PREFIX)


def viewer() -> Viewer | None:
    """The person of this request's session or token, if that still holds; that it is in use is noted.

    With a token nothing else counts: the cookie is not looked at.
    """
    if is_of_program():
        return _program(bearer())
    found = _session()
    who = None if found is None else _holder(*found)
    if who is not None and who.session is not None and BACKGROUND not in request.headers:
        note_use(accounts(), who.session)
        if who.local:
            _keep_cookie()
    return who


def _program(secret: str) -> Viewer | None:
    found = find_token(accounts(), secret)
    if found is None:
        return None
    token, account = found
    note_use_of_token(accounts(), token)
    return Viewer(account.name, local=False, session=None, token=token)


def name_in_session() -> str:
    """The name of this request's session, "" for none; nothing is noted, nor whether its account may still come in."""
    found = _session()
    return found[0].name if found else ""


def _session() -> tuple[Session, Account | None] | None:
    token = session.get(TOKEN)
    return find_session(accounts(), token) if isinstance(token, str) else None


def _holder(found: Session, account: Account | None) -> Viewer | None:
    if found.local:
        holds = current_app.config["DEMO"] and find_account(accounts(), found.name) is None
        return Viewer(found.name, local=True, session=found) if holds else None
    if account is None or account.disabled:
        return None
    return Viewer(
        account.name,
        local=False,
        session=found,
        makes_campaigns=account.makes_campaigns,
        language=account.language,
    )


def end() -> None:
    """End the session of this browser, also for who has a copy of its cookie.

    Raises AccountsUnavailable when the file cannot be written; the browser forgets the session nevertheless.
    """
    token = session.get(TOKEN)
    session.clear()
    if isinstance(token, str):
        end_token(accounts(), token)


def local_name(typed: str) -> str:
    """The name under which a local session judges, as stored; AccountError for no name, or an account's."""
    name = clean_name(typed)
    if find_account(accounts(), name) is not None:
        raise AccountError(f"{name}: this name belongs to an account; choose another")
    return name


def _keep_cookie() -> None:
    """Set the cookie of a local session again once a day, since it is good for 30 days."""
    today = accounts().now.date().isoformat()
    if session.get("day") != today:
        session["day"] = today


def begin(name: str, *, local: str = "", confirmed: bool = True) -> None:
    """Start the session of a proven account, or a local one named by `local_name`; an earlier session ends."""
    end()
    if days := current_app.config["SECURITY_LOG_DAYS"]:
        security_log.erase_older(accounts(), accounts().now - timedelta(days=days))
    session.permanent = True
    browser = browser_words(request.user_agent.string)
    session[TOKEN] = begin_session(accounts(), name, local=local, browser=browser, confirmed=confirmed)
    if local:
        _keep_cookie()


def browser_words(user_agent: str) -> str:
    """The browser and the system that a User-Agent header names; what calls itself nothing known is a program."""
    browser = _first(BROWSERS, user_agent)
    system = _first(SYSTEMS, user_agent)
    if not browser:
        return f"A program on {system}" if system else "An unknown program"
    return f"{browser} on {system}" if system else browser


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((words for mark, words in known if mark in user_agent), "")
