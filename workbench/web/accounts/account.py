"""One's own account: a new password, the sessions that are open, recent activity, and all that is stored about one."""

from __future__ import annotations

from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from flask import abort, current_app, g, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from workbench.core.wording import translatable
from workbench.people.accounts import AccountError, end_sessions, security_log, set_password
from workbench.people.accounts.guesses import TooManyGuesses
from workbench.people.accounts.identities import has_password
from workbench.people.accounts.second_factor import has_second_factor, recovery_codes_left
from workbench.people.accounts.sessions import end_others, end_session, sessions_of
from workbench.people.accounts.tokens import (
    LONGEST_PURPOSE,
    MOST_DAYS,
    USUAL_DAYS,
    Scope,
    make_token,
    revoke,
    tokens,
)
from workbench.people.members.programs import scopes
from workbench.people.personal_data import personal_data, pseudonym
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.storage.instance import JOBS_FOLDER, secret_key
from workbench.web.access import sessions
from workbench.web.access.passwords import checks_passwords, verify
from workbench.web.access.rules import (
    ACCOUNTS,
    JUDGES,
    SIGNED_IN,
    Pages,
    may_make_campaigns,
    my_campaigns,
    open_campaigns,
)
from workbench.web.accounts.reauthentication import confirmed
from workbench.web.accounts.sign_in import local_path, new_password, sentence
from workbench.web.requests.connections import accounts, connections
from workbench.web.requests.languages import gettext, in_language
from workbench.web.requests.long_work import takes_long

SHOWN_ACTS = 20
WRONG = translatable("The current password is wrong.")

IN_MEMORY = 4_000_000
"""Bytes of a document of stored data from which on it is written to a temporary file."""

INCOMPLETE = translatable(
    "A campaign on this server cannot be read at the moment, so the file would be incomplete; try again later."
)

DONE = {
    "password": translatable("Password changed. All other sessions are signed out."),  # nosec B105
    "session": translatable("Session signed out."),
    "gone": translatable("That session had already ended."),
    "declined": translatable("Offer declined. The organiser does not see this."),
    "others": translatable("You are signed out everywhere else."),
    "token": translatable("Token revoked."),  # nosec B105
    "connected": translatable("Provider connected. You can sign in with it from now on."),
    "disconnected": translatable("Provider disconnected."),
}

blueprint = Pages("account", __name__)


@blueprint.get("/account", allow=SIGNED_IN)
def page() -> str:
    """The account of the person who is signed in."""
    return _page()


@blueprint.post("/account/password", allow=ACCOUNTS)
@checks_passwords
def change_password() -> ResponseReturnValue:
    """Set a new password after the present one was given; every other session of the account ends."""
    try:
        account = verify(g.account, request.form.get("now", ""), signed_in=True)
    except TooManyGuesses as error:
        return _page(in_language(error)), 429
    if account is None:
        security_log.record(accounts(), security_log.PASSWORD_REFUSED, g.account)
        return _page(gettext(WRONG)), 400
    try:
        account = set_password(accounts(), g.account, new_password("new"))
    except AccountError as error:
        return _page(sentence(error)), 400
    sessions.begin(account.name)
    return _done("password")


@blueprint.post("/account/sessions/end", allow=ACCOUNTS)
@confirmed
def end_one() -> ResponseReturnValue:
    """End one other session of the account; the field `session` has its number."""
    number = request.form.get("session", 0, type=int)
    ended = end_session(accounts(), g.account, number)
    return _done("session" if ended else "gone")


@blueprint.post("/account/sessions/end-others", allow=ACCOUNTS)
@confirmed
def end_all_others() -> ResponseReturnValue:
    """End every session of the account but this one."""
    end_others(accounts(), g.viewer.session)
    return _done("others")


@blueprint.post("/account/tokens", allow=ACCOUNTS)
@confirmed
def add_token() -> ResponseReturnValue:
    """Make a token for a program; it is in the answer to this request and nowhere else."""
    place, _, role = request.form.get("scope", "").rpartition(" ")
    offered = {(each.campaign, each.role): each for each in _scopes()}
    if (scope := offered.get((place, role))) is None:
        return _page(gettext("Choose a campaign of yours, and a role that you have there.")), 400
    days = request.form.get("days", 0, type=int)
    try:
        token = make_token(accounts(), g.account, scope, request.form.get("purpose", ""), days)
    except AccountError as error:
        return _page(sentence(error)), 400
    return _page(token=token), 201


@blueprint.post("/account/tokens/revoke", allow=ACCOUNTS)
def revoke_token() -> ResponseReturnValue:
    """Revoke a token of the account; the field `token` has its number."""
    revoke(accounts(), tokens(accounts(), g.account), request.form.get("token", 0, type=int))
    return _done("token")


@blueprint.post("/account/sign-out-everywhere", allow=ACCOUNTS)
def sign_out_everywhere() -> ResponseReturnValue:
    """End every session of the account, this one too."""
    end_sessions(accounts(), g.account)
    sessions.end()
    return redirect(url_for("sign_in.sign_in"), 303)


@blueprint.get("/account/stored-data", allow=ACCOUNTS)
@takes_long
def stored_data() -> ResponseReturnValue:
    """What is stored about the person signed in, in the accounts and their campaigns, as one complete JSON."""
    campaigns, folder = open_campaigns(), Path(current_app.instance_path)
    if len(campaigns) < len(connections().paths()) or connections().missing():
        abort(503, gettext(INCOMPLETE))
    pieces = personal_data(
        g.account,
        [campaign for campaign in campaigns if members.was_member(campaign, g.account)],
        accounts(),
        jobs=folder / JOBS_FOLDER,
        request_log={"account": pseudonym(secret_key(folder), g.account), "lines": []},
    )
    stream = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed with the answer
    stream.writelines(map(str.encode, pieces))
    stream.seek(0)
    return send_file(
        cast("IO[bytes]", stream),
        mimetype="application/json",
        as_attachment=True,
        download_name=f"stored-data-{g.account}.json",
    )


def _done(what: str) -> ResponseReturnValue:
    return redirect(url_for(".page", done=what), 303)


def _scopes() -> list[Scope]:
    """What a token of this person can be good for."""
    return [each for campaign, _ in my_campaigns() for each in scopes(campaign, g.account)]


def _page(message: str = "", *, token: str = "") -> str:
    roles = [
        (campaign.name, settings.read(campaign).title, role, members.team_of(campaign, g.account))
        for campaign, role in my_campaigns()
    ]
    return render_template(
        "accounts/account/page.html",
        message=message,
        renew=local_path(request.args["renew"]) if "renew" in request.args else "",
        said="" if message else gettext(DONE.get(request.args.get("done", ""), "")),
        is_local=g.viewer.local,
        may_make=may_make_campaigns(),
        roles=roles,
        judges=JUDGES,
        has_password=has_password(accounts(), g.account),
        has_second_factor=has_second_factor(accounts(), g.account),
        recovery_codes=recovery_codes_left(accounts(), g.account),
        sessions=sessions_of(accounts(), g.account),
        this=g.viewer.session and g.viewer.session.session,
        token=token,
        tokens=tokens(accounts(), g.account),
        scopes=_scopes(),
        days=USUAL_DAYS,
        most_days=MOST_DAYS,
        longest_purpose=LONGEST_PURPOSE,
        act_name=gettext,
        acts=security_log.acts(accounts(), g.account, last=SHOWN_ACTS, terminal=False)[::-1],
    )
