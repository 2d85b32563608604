"""One's own account: a new password, signing out everywhere, and what was done with the account of late."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.accounts import (
    AccountError,
    AccountsUnavailable,
    acts,
    check_password,
    end_sessions,
    set_password,
)
from workbench.campaign import members, settings
from workbench.web import sessions
from workbench.web.access import SIGNED_IN, allow, may_make_campaigns, my_campaigns
from workbench.web.connections import connections
from workbench.web.signin import throttle

SHOWN_ACTS = 20
WRONG = "The password you have now is not that one."
DIFFERENT = "The two new passwords are not the same."
NO_ACCOUNT = "You came in without an account, so there is no password to change."

blueprint = Blueprint("account", __name__)


@blueprint.app_template_filter("moment")
def moment(at: str) -> str:
    """A stored time for people: 1 March 2026, 12:00 UTC."""
    time = datetime.fromisoformat(at).astimezone(UTC)
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


@blueprint.get("/account")
@allow(SIGNED_IN)
def page() -> str:
    """The account of the person who is signed in."""
    return _page()


@blueprint.post("/account/password")
@allow(SIGNED_IN)
def change_password() -> ResponseReturnValue:
    """Set a new password after the present one was given; every other session of the account ends."""
    if g.viewer.local:
        return _page(NO_ACCOUNT), 409
    accounts, by = connections().accounts(), sessions.by_viewer()
    key = ("password", g.account)
    if wait := throttle().attempt(key):
        return _page(f"Too many attempts. Try again in {int(wait) + 1} seconds."), 429
    if check_password(accounts, g.account, request.form.get("now", "")) is None:
        acts.record(accounts, acts.PASSWORD_REFUSED, g.account, by=by)
        return _page(WRONG), 400
    throttle().forgive(key)
    new = request.form.get("new", "")
    if new != request.form.get("again", ""):
        return _page(DIFFERENT), 400
    try:
        account = set_password(accounts, g.account, new, by=by)
    except AccountsUnavailable:
        raise
    except AccountError as error:
        return _page(sentence(error)), 400
    sessions.begin(account)
    return redirect(url_for(".page", changed="yes"), 303)


@blueprint.post("/account/sign-out-everywhere")
@allow(SIGNED_IN)
def sign_out_everywhere() -> ResponseReturnValue:
    """End every session of the account, this one too."""
    if g.viewer.local:
        return _page(NO_ACCOUNT), 409
    end_sessions(connections().accounts(), g.account, by=sessions.by_viewer())
    sessions.end()
    return redirect(url_for("signin.sign_in"), 303)


def sentence(error: Exception) -> str:
    """An error's message with its full stop; it may begin with a name, so its first letter stays as it is."""
    return f"{str(error).removesuffix('.')}."


def _page(message: str = "") -> str:
    accounts = connections().accounts()
    roles = [
        (campaign.name, settings.read(campaign).title, role, members.team_of(campaign, g.account))
        for campaign, role in my_campaigns()
    ]
    return render_template(
        "account/page.html",
        message=message,
        changed=not message and request.args.get("changed") == "yes",
        is_local=g.viewer.local,
        may_make=may_make_campaigns(),
        roles=roles,
        acts=[] if g.viewer.local else acts.acts(accounts, g.account, last=SHOWN_ACTS, terminal=False)[::-1],
    )
