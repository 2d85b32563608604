"""One's own account: a new password, the sessions that are open, and recent activity."""

from __future__ import annotations

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.people.accounts import (
    AccountError,
    end_sessions,
    security_log,
    set_password,
)
from workbench.people.accounts.second_factor import has_second_factor, recovery_codes_left
from workbench.people.accounts.sessions import end_others, end_session, sessions_of
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.web.access import sessions
from workbench.web.access.passwords import TooManyGuesses, checks_passwords, verify
from workbench.web.access.rules import JUDGES, SIGNED_IN, allow, may_make_campaigns, my_campaigns
from workbench.web.accounts.reauthentication import confirmed
from workbench.web.accounts.sign_in import local_path
from workbench.web.requests.connections import connections

SHOWN_ACTS = 20
WRONG = "The current password is wrong."
DIFFERENT = "The two new passwords do not match."
NO_ACCOUNT = "You are signed in without an account, so there is no password to change."

DONE = {
    "password": "Password changed. All other sessions are signed out.",  # nosec B105
    "session": "Session signed out.",
    "gone": "That session had already ended.",
    "declined": "Offer declined. The organiser does not see this.",
    "others": "You are signed out everywhere else.",
}

blueprint = Blueprint("account", __name__)


@blueprint.get("/account")
@allow(SIGNED_IN)
def page() -> str:
    """The account of the person who is signed in."""
    return _page()


@blueprint.post("/account/password")
@allow(SIGNED_IN)
@checks_passwords
def change_password() -> ResponseReturnValue:
    """Set a new password after the present one was given; every other session of the account ends."""
    if g.viewer.local:
        return _page(NO_ACCOUNT), 409
    accounts, by = connections().accounts(), sessions.by_viewer()
    try:
        account = verify(g.account, request.form.get("now", ""), signed_in=True)
    except TooManyGuesses as error:
        return _page(str(error.description)), 429
    if account is None:
        security_log.record(accounts, security_log.PASSWORD_REFUSED, g.account, by=by)
        return _page(WRONG), 400
    new = request.form.get("new", "")
    if new != request.form.get("again", ""):
        return _page(DIFFERENT), 400
    try:
        account = set_password(accounts, g.account, new, by=by)
    except AccountError as error:
        return _page(sentence(error)), 400
    sessions.begin(account)
    return _done("password")


@blueprint.post("/account/sessions/end")
@allow(SIGNED_IN)
@confirmed
def end_one() -> ResponseReturnValue:
    """End one other session of the account; the field `session` has its number."""
    if g.viewer.local:
        return _page(NO_ACCOUNT), 409
    number = request.form.get("session", 0, type=int)
    ended = end_session(
        connections().accounts(), g.account, number, by=sessions.by_viewer(), now=sessions.now()
    )
    return _done("session" if ended else "gone")


@blueprint.post("/account/sessions/end-others")
@allow(SIGNED_IN)
@confirmed
def end_all_others() -> ResponseReturnValue:
    """End every session of the account but this one."""
    if g.viewer.local:
        return _page(NO_ACCOUNT), 409
    end_others(connections().accounts(), g.viewer.session, by=sessions.by_viewer(), now=sessions.now())
    return _done("others")


@blueprint.post("/account/sign-out-everywhere")
@allow(SIGNED_IN)
def sign_out_everywhere() -> ResponseReturnValue:
    """End every session of the account, this one too."""
    if g.viewer.local:
        return _page(NO_ACCOUNT), 409
    end_sessions(connections().accounts(), g.account, by=sessions.by_viewer())
    sessions.end()
    return redirect(url_for("sign_in.sign_in"), 303)


def sentence(error: Exception) -> str:
    """An error's message with its full stop; it may begin with a name, so its first letter stays as it is."""
    return f"{str(error).removesuffix('.')}."


def _done(what: str) -> ResponseReturnValue:
    return redirect(url_for(".page", done=what), 303)


def _page(message: str = "") -> str:
    accounts = connections().accounts()
    roles = [
        (campaign.name, settings.read(campaign).title, role, members.team_of(campaign, g.account))
        for campaign, role in my_campaigns()
    ]
    return render_template(
        "accounts/account/page.html",
        message=message,
        renew=local_path(request.args["renew"]) if "renew" in request.args else "",
        said="" if message else DONE.get(request.args.get("done", ""), ""),
        is_local=g.viewer.local,
        may_make=may_make_campaigns(),
        roles=roles,
        judges=JUDGES,
        has_second_factor=has_second_factor(accounts, g.account),
        recovery_codes=recovery_codes_left(accounts, g.account),
        sessions=sessions_of(accounts, g.account, now=sessions.now()),
        this=g.viewer.session.session,
        acts=security_log.acts(accounts, g.account, last=SHOWN_ACTS, terminal=False)[::-1],
    )
