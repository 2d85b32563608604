"""Checking a password that came over the network: how many may be wrong is decided before any is hashed.

Every view that checks a password calls `verify`, and is marked with `checks_passwords`, so that the server runs few of
them at a time (`web.server.request_threads`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from flask import Flask, current_app, request

from workbench.people.accounts import Account, check_password
from workbench.people.accounts.guesses import Guesses
from workbench.web.requests.connections import accounts

View = TypeVar("View", bound=Callable[..., Any])


def init_app(app: Flask) -> None:
    """Give the application its counts."""
    app.extensions["workbench_guesses"] = Guesses()


def checks_passwords(view: View) -> View:
    """Declare that a view calculates hashes of passwords when it is posted to."""
    view.checks_passwords = True  # type: ignore[attr-defined]
    return view


def verify(name: str, password: str, *, signed_in: bool = False) -> Account | None:
    """The account if the password is right, else None; TooManyGuesses, before any hash, when it may not be tried now.

    `signed_in` says that the person who asks is signed in as `name` and gives the password once more.
    """
    guesses = cast("Guesses", current_app.extensions["workbench_guesses"])
    guess = guesses.begin(name, request.remote_addr, signed_in=signed_in)
    try:
        account = check_password(accounts(), name, password)
    except BaseException:
        guesses.take_back(guess)
        raise
    if account is not None:
        guesses.was_right(guess)
    return account
