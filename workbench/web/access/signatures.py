"""Signatures that were found good are not computed again: the cookie and the token of a page come with each request.

Only what was signed with this server's key is ever kept, so made-up values cannot fill the memory; and
everything else about a cookie or a token (its age, the account, the session it belongs to) is looked at every time.
"""

from __future__ import annotations

import hmac
import time
from copy import deepcopy
from datetime import datetime
from threading import Lock
from typing import Any, Generic, TypeVar

from flask import Flask, Request, abort, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_wtf import CSRFProtect  # type: ignore[import-untyped]
from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

from workbench.core.recently_used import RecentlyUsed

T = TypeVar("T")

MOST = 2_000
"""How many cookies, and how many tokens, are kept: those that came last."""

LONGEST = 4_000
"""Longer ones are checked each time: a signature holds with any signs behind it that its alphabet does not have."""

TOKEN_HEADER, TOKEN_IN_SESSION = "X-CSRFToken", "csrf_token"


class Memory(Generic[T]):
    """What was found out about texts, the `most` last ones; for several threads."""

    def __init__(self, most: int = MOST) -> None:
        self._found: RecentlyUsed[str, T] = RecentlyUsed(most)
        self._lock = Lock()

    def get(self, text: str) -> T | None:
        """What was found out about a text, or None."""
        with self._lock:
            if text in self._found:
                self._found.move_to_end(text)
            return self._found.get(text)

    def put(self, text: str, found: T) -> None:
        """Keep what was found out; what was not asked for longest is forgotten. Nothing is kept of very long texts."""
        if len(text) > LONGEST:
            return
        with self._lock:
            self._found.put(text, found)


class CheckedOnce(URLSafeTimedSerializer):
    """Flask's serializer of cookies, which remembers those whose signature it has checked."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._known: Memory[tuple[Any, datetime]] = Memory()

    def read(self, value: str, max_age: int) -> Any:
        """What a signed value holds; BadSignature for one not signed by us, or longer than `max_age` seconds ago."""
        known = self._known.get(value)
        if known is None:
            known = self.loads(value, return_timestamp=True)
            self._known.put(value, known)
        data, signed = known
        age = int(time.time()) - int(signed.timestamp())
        if age > max_age:  # a clock that was put back ends no session
            raise SignatureExpired(f"signed {age} seconds ago", payload=None, date_signed=signed)
        return deepcopy(data)


class SessionsCheckedOnce(SecureCookieSessionInterface):
    """Sessions as Flask keeps them, but the signature of each cookie is checked once."""

    _reader: CheckedOnce | None = None

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """The session in a request's cookie; an empty one when there is none, or none that holds."""
        value = request.cookies.get(self.get_cookie_name(app))
        longest = int(app.permanent_session_lifetime.total_seconds())
        try:
            return self.session_class(self._read(app, value, longest) if value else None)
        except BadSignature:
            return self.session_class()

    def _read(self, app: Flask, value: str, longest: int) -> Any:
        if self._reader is None:
            signing = {"key_derivation": self.key_derivation, "digest_method": self.digest_method}
            self._reader = CheckedOnce(
                app.secret_key, salt=self.salt, serializer=self.serializer, signer_kwargs=signing
            )
        return self._reader.read(value, longest)


class TokenCheck(CSRFProtect):  # type: ignore[misc]
    """Flask-WTF's protection of forms and requests, which remembers the tokens that it has found to be good.

    A token holds the secret of the session that it was made for, signed; it lives as long as that session.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._known: Memory[str] = Memory()
        super().__init__(*arguments, **named)

    def protect(self, *arguments: Any, **named: Any) -> None:
        """End the request when it changes something and has no good token, or a form that no browser makes."""
        if request.mimetype == "multipart/form-data" and None in request.form:
            abort(400, "A field of the form has no name.")  # which Flask-WTF and views take for granted
        if (viewer := g.get("viewer")) is not None and viewer.token is not None:
            return  # no browser adds a program's token by itself, as it does a cookie
        token = request.headers.get(TOKEN_HEADER, "")
        secret, known = session.get(TOKEN_IN_SESSION), self._known.get(token)
        if secret and known and hmac.compare_digest(str(secret), known):
            return
        super().protect(*arguments, **named)
        if token and secret and g.get("csrf_valid") and not request.form:
            self._known.put(token, str(secret))
