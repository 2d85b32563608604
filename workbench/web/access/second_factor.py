"""The second factor in the browser: a code at sign-in, setting it up, and who has to have one.

Organisers of a campaign, and accounts that may make campaigns, have to have one where the server says so
(`workbench serve --second-factor`); they come to the page that sets it up before anything else. For all others it is
their own choice. A password that was right is noted in the signed cookie for some minutes, until the code is given.
"""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from flask import Flask, current_app, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import Forbidden

from workbench.core.wording import translatable
from workbench.people.accounts import Account, find_account, security_log
from workbench.people.accounts.guesses import Throttle
from workbench.people.accounts.second_factor import has_second_factor, use_code
from workbench.web.access import sessions
from workbench.web.access.kept_forms import kept_fields
from workbench.web.requests.answers import refusal, wants_json
from workbench.web.requests.connections import accounts
from workbench.web.requests.languages import gettext

CODE = "code"
ASKED = translatable("Enter the code that your app shows now, or a recovery code.")
HALF, HALF_LASTS = "password given", timedelta(minutes=5)
MOST_WRONG, WITHIN = 10, 3600.0
"""How many wrong codes an account may have in this many seconds, from wherever: a right password came before each."""

WRONG = translatable("This code is wrong or was already used. Enter the next one.")
LATE = translatable("That took too long. Enter your password again.")
TOO_MANY = translatable("Too many wrong codes. Try again later.")


class SecondFactorNeeded(Forbidden):
    """The person has to set up a second factor first."""

    description = translatable(
        "Organisers need a second factor on this server. Set it up on your account page."
    )


def init_app(app: Flask, *, required: bool) -> None:
    """Say whether organisers have to have a second factor, and give the application its count of wrong codes."""
    app.config["SECOND_FACTOR_REQUIRED"] = required
    app.extensions["workbench_codes"] = Throttle(MOST_WRONG, WITHIN)
    app.register_error_handler(SecondFactorNeeded, lead_to_setting_up)


def lead_to_setting_up(error: SecondFactorNeeded) -> ResponseReturnValue:
    """The page that sets it up, which leads back here; 403 for scripts."""
    if wants_json() or request.method != "GET":
        return refusal(403, "second factor", gettext(str(error.description)))
    return redirect(url_for("second_factor.page", next=request.full_path.rstrip("?")))


def check_organiser() -> None:
    """Raise SecondFactorNeeded where an organiser has to have a second factor, and this one has none."""
    if not current_app.config["SECOND_FACTOR_REQUIRED"] or g.viewer.local:
        return
    if not has_second_factor(accounts(), g.account):
        raise SecondFactorNeeded


def wants_code(account: Account) -> bool:
    """Whether this account signs in with a code."""
    return has_second_factor(accounts(), account.name)


def begin_half(account: Account, target: str) -> ResponseReturnValue:
    """Note that the password was right, and ask for the code."""
    sessions.end()
    session[HALF] = [account.name, int(accounts().now.timestamp())]
    if kept_fields():  # they travel in the page itself
        return render_template("accounts/sign_in/code.html", target=target, asked=gettext(ASKED), message="")
    return redirect(url_for("second_factor.ask", next=target), 303)


def half() -> Account | None:
    """The account whose password was given in this browser some minutes ago at most."""
    name, at = session.get(HALF) or ("", 0)
    if (
        not 0 <= accounts().now.timestamp() - at <= HALF_LASTS.total_seconds()
    ):  # the clock may have been put back
        return None
    account = find_account(accounts(), str(name))
    return None if account is None or account.disabled else account


def code_problem(name: str, code: str) -> str:
    """ "" when a code of the account is right, which uses it up; else what is wrong, in English."""
    wrong, held = cast("Throttle", current_app.extensions["workbench_codes"]), accounts().by(name)
    if wrong.attempt(name):
        return TOO_MANY
    if use_code(held, name, code):
        wrong.forgive(name)
        return ""
    security_log.record(held, security_log.SECOND_FACTOR_REFUSED, name)
    return WRONG
