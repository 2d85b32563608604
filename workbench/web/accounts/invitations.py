"""Invitations and offers that a person accepts, and the page of a link for a new password."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.core.errors import CampaignError
from workbench.people.accounts import Account, AccountError, find_account
from workbench.people.accounts.links import INVITATION, RESET, Link, LinkGone, find_link, offers_to
from workbench.people.members import inviting, offering, password_links
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings
from workbench.web.access import second_factor, sessions
from workbench.web.access.errors import error_answer
from workbench.web.access.passwords import checks_passwords
from workbench.web.access.rules import PUBLIC, SIGNED_IN, Pages, left_out, open_campaigns
from workbench.web.accounts.sign_in import new_password, sentence
from workbench.web.requests.connections import accounts, connections

blueprint = Pages("invitations", __name__)


class Offer(NamedTuple):
    """A role that is offered to the person of this request, and the title of its campaign."""

    link: Link
    title: str


@blueprint.errorhandler(LinkGone)
def gone(_: LinkGone) -> ResponseReturnValue:
    """The answer to a link that has expired, or never existed."""
    return render_template("accounts/invitations/gone.html"), 410


@blueprint.get("/invitation/<token>", allow=PUBLIC)
def invitation(token: str) -> str:
    """What the link invites to, and the ways to accept it; the page changes nothing by itself."""
    return page_of(token, find_link(accounts(), token, INVITATION))


@blueprint.post("/invitation/<token>", allow=PUBLIC)
@checks_passwords
def accept(token: str) -> ResponseReturnValue:
    """Take the role: under the account that is signed in, or under a new one with the name and password given."""
    link = find_link(accounts(), token, INVITATION)
    campaign, account = campaign_of(link), _account()
    try:
        if request.form.get("as") == "me" and account is not None:
            inviting.accept(campaign, accounts(), token, account)
        else:
            name, others = request.form.get("name", ""), open_campaigns()
            account = inviting.accept_as_new(campaign, accounts(), token, name, new_password(), others=others)
            sessions.begin(account.name)
    except (AccountError, CampaignError) as error:
        if isinstance(error, LinkGone):
            raise
        status = 429 if isinstance(error, inviting.TooManyNames) else 400
        return page_of(token, link, sentence(error)), status
    return redirect(url_for("campaigns.home", campaign=campaign.name), 303)


@blueprint.post("/account/offer", allow=SIGNED_IN)
def answer_offer() -> ResponseReturnValue:
    """Accept or decline a role that an organiser has offered to one's account."""
    if (account := _account()) is None:
        raise LinkGone
    number = request.form.get("offer", "")
    offer = offering.find_offer(accounts(), number, account)
    if request.form.get("answer") != "accept":
        offering.decline_offer(accounts(), number, account)
        return redirect(url_for("account.page", done="declined"), 303)
    campaign = campaign_of(offer)
    try:
        offering.accept_offer(campaign, accounts(), number, account)
    except CampaignError as error:
        return error_answer(409, message=sentence(error))
    return redirect(url_for("campaigns.home", campaign=campaign.name), 303)


@blueprint.app_template_global()
def open_offers() -> list[Offer]:
    """The roles that the person of this request can accept, the newest first."""
    viewer, found = g.get("viewer"), []
    if viewer is not None and not viewer.local:
        for link in offers_to(accounts(), viewer.name):
            with suppress(LinkGone), left_out(link.campaign):
                found.append(Offer(link, settings.read(campaign_of(link)).title))
    return found


@blueprint.get("/reset/<token>", allow=PUBLIC)
def reset(token: str) -> str:
    """The form for a new password."""
    return _reset_page(find_link(accounts(), token, RESET))


@blueprint.post("/reset/<token>", allow=PUBLIC)
@checks_passwords
def set_password(token: str) -> ResponseReturnValue:
    """Set the password; the person is signed in with it, and signed out everywhere else."""
    link = find_link(accounts(), token, RESET)
    try:
        account = password_links.reset_password(accounts(), token, new_password())
    except LinkGone:
        raise
    except AccountError as error:
        return _reset_page(link, sentence(error)), 400
    home = url_for("campaigns.index")
    if second_factor.wants_code(account):
        return second_factor.begin_half(account, home)
    sessions.begin(account.name)
    return redirect(home, 303)


def campaign_of(link: Link) -> Campaign:
    """The campaign that an invitation is to; one that is served no more, or another of its name, cannot be joined."""
    campaign = connections().campaign(link.campaign)
    if campaign is None or not inviting.is_into(link, campaign):
        raise LinkGone
    return campaign


def _account() -> Account | None:
    if g.account is None or g.viewer.local:
        return None
    return find_account(accounts(), g.account)


def page_of(token: str, link: Link, message: str = "") -> str:
    """What a link invites to, and the ways to accept it."""
    return render_template(
        "accounts/invitations/invitation.html",
        link=link,
        token=token,
        title=settings.read(campaign_of(link)).title,
        me=_account(),
        name=request.form.get("name", ""),
        message=message,
    )


def _reset_page(link: Link, message: str = "") -> str:
    return render_template("accounts/invitations/reset.html", link=link, message=message)
