"""Sign-in with a provider in the browser: to come in, to accept an invitation, to confirm, and to connect an account.

Each begins with a form of ours, so that no other site begins it, and ends at `back`, with what the form wanted.
"""

from __future__ import annotations

from typing import Any

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.core.errors import CampaignError
from workbench.core.wording import message_with, translatable
from workbench.people.accounts import AccountError, clean_name, find_account, security_log
from workbench.people.accounts.identities import Identity, disconnect, identities_of, name_of, put_identity
from workbench.people.accounts.links import INVITATION, LinkGone, find_link
from workbench.people.accounts.second_factor import has_second_factor
from workbench.people.accounts.sessions import confirm as note_confirmed
from workbench.people.members import inviting
from workbench.web.access import second_factor
from workbench.web.access.errors import error_answer
from workbench.web.access.providers import LEEWAY, Provider, ProviderError, providers_here
from workbench.web.access.rules import ACCOUNTS, PUBLIC, Pages, open_campaigns
from workbench.web.accounts import invitations
from workbench.web.accounts.reauthentication import CODE, confirmed
from workbench.web.accounts.sign_in import come_in, local_path, record_refusal, sentence, sign_in_page
from workbench.web.requests.connections import accounts
from workbench.web.requests.languages import gettext

STRANGER = message_with("no account here is connected with it; ask an organiser for an invitation")
ANOTHER = message_with("that is not the sign-in of this account")
NOT_FRESH = message_with("it does not say that you have signed in there just now")
LAST = translatable("This is your only way to sign in. Set a password first, or connect another provider.")

Flow = dict[str, Any]
blueprint = Pages("providers", __name__)
blueprint.register_error_handler(LinkGone, invitations.gone)


@blueprint.app_template_global()
def connected() -> dict[str, Identity]:
    """The sign-ins that the account of this request is connected with, by issuer."""
    return {each.issuer: each for each in identities_of(accounts(), g.account or "")}


@blueprint.post("/sign-in/with/<provider>", allow=PUBLIC)
def begin(provider: str) -> ResponseReturnValue:
    """Sign in with a provider; with an `invitation` also by a new account of the `name` given."""
    typed = {each: request.form.get(each, "")[:1000] for each in ("next", "invitation", "name")}
    return _leave(provider, fresh=bool(typed["invitation"]), **typed | {"next": local_path(typed["next"])})


@blueprint.post("/account/confirm/<provider>", allow=ACCOUNTS)
def begin_confirming(provider: str) -> ResponseReturnValue:
    """Confirm with a provider that it is oneself, in the place of the password; a second factor is wanted before."""
    code, wants_code = request.form.get(CODE, ""), has_second_factor(accounts(), g.account)
    if wants_code and (problem := second_factor.code_problem(g.account, code)):
        return error_answer(400, message=gettext(problem))
    where = {each: local_path(request.form.get(each)) for each in ("next", "back")}
    return _leave(provider, fresh=True, of=g.account, in_tab="in_tab" in request.form, **where)


@blueprint.post("/account/connect/<provider>", allow=ACCOUNTS)
@confirmed
def begin_connecting(provider: str) -> ResponseReturnValue:
    """Connect the account with a sign-in at a provider."""
    return _leave(provider, fresh=True, of=g.account)


@blueprint.post("/account/disconnect", allow=ACCOUNTS)
@confirmed
def end_connection() -> ResponseReturnValue:
    """Disconnect the account from the provider in the field `issuer`, unless there is no other way to sign in."""
    usable = {each.issuer for each in providers_here()}
    if not disconnect(accounts(), g.account, request.form.get("issuer", ""), usable):
        return error_answer(409, message=gettext(LAST))
    return redirect(url_for("account.page", done="disconnected"), 303)


@blueprint.get("/sign-in/with/<provider>", allow=PUBLIC)
def back(provider: str) -> ResponseReturnValue:
    """Where a provider sends people back to."""
    there, flow = _provider(provider), Flow()
    try:
        flow = there.pending()
        claims = there.arrive()
        identity, at = Identity(there.issuer, claims["sub"]), claims.get("auth_time")
        is_fresh = isinstance(at, int | float) and at >= flow["at"] - LEEWAY
        if "of" not in flow:
            return _come_in(there, flow, identity, is_fresh)
        if flow["of"] != g.account:
            raise ProviderError(ANOTHER)
        if "in_tab" in flow:
            return _confirm(there, flow, identity, is_fresh)
        with accounts().write():
            put_identity(accounts(), g.account, identity)
        return redirect(url_for("account.page", done="connected"), 303)
    except LinkGone:
        raise
    except (ProviderError, AccountError, CampaignError) as error:
        return _refused(there, error, flow)


def _leave(provider: str, **kept: Any) -> ResponseReturnValue:
    """The page that leads to a provider: the content policy lets no form be redirected to another site."""
    there = _provider(provider)
    try:
        if kept.get("invitation"):
            clean_name(kept["name"])
        address = there.leave(**kept)
    except (ProviderError, AccountError) as error:
        return _refused(there, error, kept)
    return render_template("accounts/sign_in/leaving.html", label=there.label, target=address)


def _come_in(there: Provider, flow: Flow, identity: Identity, is_fresh: bool) -> ResponseReturnValue:
    name, target = name_of(accounts(), identity), flow["next"]
    if not name and (token := flow["invitation"]):
        campaign, others = invitations.campaign_of(find_link(accounts(), token, INVITATION)), open_campaigns()
        name = inviting.accept_as_new(campaign, accounts(), token, flow["name"], identity, others=others).name
        target = url_for("campaigns.home", campaign=campaign.name)
    account = find_account(accounts(), name)
    if account is None or account.disabled:
        raise ProviderError(STRANGER)
    if second_factor.wants_code(account):
        return second_factor.begin_half(account, target)
    return come_in(account, target, there.label, confirmed=is_fresh)  # they may remember somebody else


def _confirm(there: Provider, flow: Flow, identity: Identity, is_fresh: bool) -> ResponseReturnValue:
    if name_of(accounts(), identity) != g.account:
        raise ProviderError(ANOTHER)
    if not is_fresh:
        raise ProviderError(NOT_FRESH)
    note_confirmed(accounts(), g.viewer.session)
    security_log.record(accounts(), security_log.CONFIRMED, g.account, detail=there.label)
    target = "" if flow["in_tab"] else flow["next"]
    return render_template("accounts/reauthentication/done.html", target=target, back=flow["back"])


def _refused(there: Provider, error: Exception, flow: Flow) -> ResponseReturnValue:
    """The page for who did not get through, with the reason, which the security log has too."""
    # Other errors may quote what was typed.
    reason = error if isinstance(error, ProviderError) else type(error).__name__
    record_refusal(g.account or "", security_log.PROVIDER_REFUSED, f"{there.label}: {reason}")
    message = gettext("Sign-in with %(name)s: %(reason)s", name=there.label, reason=sentence(error))
    if g.account is not None:
        return error_answer(403, message=message)
    if token := flow.get("invitation"):
        return invitations.page_of(token, find_link(accounts(), token, INVITATION), message), 403
    return sign_in_page(local_path(flow.get("next")), message=message), 403


def _provider(name: str) -> Provider:
    return next((each for each in providers_here() if each.name == name), None) or abort(404)
