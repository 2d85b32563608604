"""The pages behind links that are good once: an invitation into a campaign, and a new password."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench import inviting
from workbench.accounts import Account, AccountError, AccountsUnavailable, find_account
from workbench.accounts.links import INVITATION, RESET, Link, LinkGone, find_link
from workbench.campaign import Campaign, settings
from workbench.errors import CampaignError, CampaignUnavailable
from workbench.web import sessions
from workbench.web.access import PUBLIC, allow, open_campaigns
from workbench.web.account import DIFFERENT, sentence
from workbench.web.connections import connections

blueprint = Blueprint("invitations", __name__)


@blueprint.errorhandler(LinkGone)
def gone(_: LinkGone) -> ResponseReturnValue:
    """What everybody gets who comes with a link that is no longer good, or never was."""
    return render_template("invitations/gone.html"), 410


@blueprint.get("/invitation/<token>")
@allow(PUBLIC)
def invitation(token: str) -> str:
    """What the link invites to, and the ways to accept it; the page changes nothing by itself."""
    return _page(token, find_link(connections().accounts(), token, INVITATION, now=_now()))


@blueprint.post("/invitation/<token>")
@allow(PUBLIC)
def accept(token: str) -> ResponseReturnValue:
    """Take the role: under the account that is signed in, or under a new one with the name and password given."""
    accounts, now = connections().accounts(), _now()
    link = find_link(accounts, token, INVITATION, now=now)
    campaign = _campaign_of(link)
    account = _account()
    try:
        if request.form.get("as") == "me" and account is not None:
            inviting.accept(campaign, accounts, token, account, address=request.remote_addr or "", now=now)
        else:
            _accept_as_new(campaign, token, now)
    except (LinkGone, AccountsUnavailable, CampaignUnavailable):
        raise
    except (AccountError, CampaignError) as error:
        return _page(token, link, sentence(error)), 400
    return redirect(url_for("campaigns.home", campaign=campaign.name), 303)


@blueprint.get("/reset/<token>")
@allow(PUBLIC)
def reset(token: str) -> str:
    """The form for a new password."""
    return _reset_page(find_link(connections().accounts(), token, RESET, now=_now()))


@blueprint.post("/reset/<token>")
@allow(PUBLIC)
def set_password(token: str) -> ResponseReturnValue:
    """Set the password; the person is signed in with it, and signed out everywhere else."""
    accounts, now = connections().accounts(), _now()
    link = find_link(accounts, token, RESET, now=now)
    password = request.form.get("password", "")
    if password != request.form.get("again", ""):
        return _reset_page(link, DIFFERENT), 400
    try:
        account = inviting.reset_password(
            accounts, token, password, address=request.remote_addr or "", now=now
        )
    except (LinkGone, AccountsUnavailable):
        raise
    except AccountError as error:
        return _reset_page(link, sentence(error)), 400
    sessions.begin(account)
    return redirect(url_for("campaigns.index"), 303)


def _accept_as_new(campaign: Campaign, token: str, now: datetime) -> None:
    form = request.form
    if form.get("password", "") != form.get("again", ""):
        raise AccountError(DIFFERENT)
    account = inviting.accept_as_new(
        campaign,
        connections().accounts(),
        token,
        form.get("name", ""),
        form.get("password", ""),
        others=open_campaigns(),
        address=request.remote_addr or "",
        now=now,
    )
    sessions.begin(account)


def _campaign_of(link: Link) -> Campaign:
    """The campaign that an invitation is to; one that is served no more, or another of its name, invites nobody."""
    campaign = connections().campaign(link.campaign)
    if campaign is None or not inviting.is_into(link, campaign):
        raise LinkGone
    return campaign


def _account() -> Account | None:
    if g.account is None or g.viewer.local:
        return None
    return find_account(connections().accounts(), g.account)


def _page(token: str, link: Link, message: str = "") -> str:
    return render_template(
        "invitations/invitation.html",
        link=link,
        token=token,
        title=settings.read(_campaign_of(link)).title,
        me=_account(),
        name=request.form.get("name", ""),
        message=message,
    )


def _reset_page(link: Link, message: str = "") -> str:
    return render_template("invitations/reset.html", link=link, message=message)


def _now() -> datetime:
    return datetime.now(UTC)
