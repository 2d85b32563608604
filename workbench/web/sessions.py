"""Who is at the other end: a name in a signed cookie, checked against the accounts at every request.

Two kinds of people come in. One proved an account with its password: the session holds a mark of the
password's hash, and ends when the password changes, the account is shut, or the person signs out everywhere.
The other came through a local sign-in, the link in the terminal or the demo's start button: such a session is
worth something only on a server that offers the same kind of local sign-in. The demo lets in whoever comes, and
its cookie is signed with the instance's one key; it opens nothing but a demo.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from flask import Flask, current_app, g, has_request_context, request, session

from workbench.accounts import Account, AccountError, By, clean_name, find_account
from workbench.web.connections import connections
from workbench.web.signatures import SessionsCheckedOnce

LIFETIME = timedelta(days=30)


class Viewer(NamedTuple):
    """The person who is signed in; `local` people may do everything on this server.

    `makes_campaigns` says that the person's account may make campaigns.
    """

    name: str
    local: bool
    makes_campaigns: bool = False


class CookieSessions(SessionsCheckedOnce):
    """Flask's signed cookie, sent over TLS only whenever the request itself came over TLS."""

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie may travel over TLS alone."""
        return super().get_cookie_secure(app) or (has_request_context() and request.is_secure)


def init_app(app: Flask, *, port: int, secure: bool) -> None:
    """Configure the session cookie. Its name carries the port: cookies do not know ports, servers do."""
    app.config.update(
        SESSION_COOKIE_NAME=f"workbench_{port}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=secure,
        PERMANENT_SESSION_LIFETIME=LIFETIME,
        # A slow answer that set the cookie again could bring back a session that was ended meanwhile.
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.session_interface = CookieSessions()


def viewer() -> Viewer | None:
    """The person whom this request's session names, if that still holds."""
    name = session.get("name")
    if not isinstance(name, str):
        return None
    if "local" in session:
        return Viewer(name, local=True) if _local_holds(name) else None
    account = find_account(connections().accounts(), name)
    mark = str(session.get("mark", ""))
    if account is None or account.disabled or not hmac.compare_digest(account.mark, mark):
        return None
    return Viewer(account.name, local=False, makes_campaigns=account.makes_campaigns)


def begin(account: Account) -> None:
    """Start the session of somebody who proved an account; nothing of an earlier session survives."""
    _start(account.name)
    session["mark"] = account.mark


def end() -> None:
    """End the session of this browser."""
    session.clear()


def local_name(typed: str) -> str:
    """The name under which a local session will judge, as it is stored.

    Raises AccountError for a name that is no name, or that belongs to an account.
    """
    name = clean_name(typed)
    if find_account(connections().accounts(), name) is not None:
        message = f"{name}: this name belongs to an account; choose another"
        raise AccountError(message)
    return name


def begin_local(name: str) -> None:
    """Start a local session under a name from `local_name`."""
    _start(name)
    session["local"] = current_app.config["LOCAL_SIGN_IN"]


def _local_holds(name: str) -> bool:
    """Whether this server offers the sign-in that a local session came by, and nobody has an account of its name."""
    return (
        current_app.config["LOCAL_SIGN_IN"] == session["local"]
        and find_account(connections().accounts(), name) is None
    )


def by_viewer() -> By:
    """The person of this request and where the request came from, for the record of acts."""
    return By(str(g.account or ""), request.remote_addr or "")


def keep_alive() -> None:
    """Move the end of the session on, once a day: it ends after 30 days without a visit."""
    today = datetime.now(UTC).date().isoformat()
    if session.get("day") != today:
        session["day"] = today


def _start(name: str) -> None:
    session.clear()
    session.permanent = True
    session["name"] = name
    keep_alive()
