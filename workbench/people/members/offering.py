"""Offering roles: an account that there is gets a role in a campaign when its owner accepts it.

An offer is an invitation for one account (`accounts.links`), open for USUAL_DAYS. Its owner finds it on their account
page. The organiser who makes it is answered alike whether an account has the name or none, and learns more by
an acceptance alone.
"""

from __future__ import annotations

from workbench.core.errors import CampaignError, UnknownName
from workbench.people.accounts import (
    Account,
    Accounts,
    clean_name,
    find_account,
    links,
    name_key,
    security_log,
)
from workbench.people.accounts.links import Link, LinkGone
from workbench.people.accounts.security_log import log_event
from workbench.people.members import inviting
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import members
from workbench.storage.campaign.people.members import NO_ROLE


def offer_role(campaign: Campaign, accounts: Accounts, offered: inviting.Invitation) -> None:
    """Offer a role to the account that the note names, in place of an earlier offer of this campaign.

    Links for a new password that others made for the account are withdrawn: their holders could accept. Raises
    UnknownName and CampaignError as `give_role` does, and for a member, whose role is changed without an offer;
    AccountError for what cannot be a name.
    """
    inviting.check_role(offered.role, offered.team)
    if offered.role == NO_ROLE:
        raise UnknownName("an offer gives a role")
    typed = clean_name(offered.note)
    for member in members.all_members(campaign):
        if name_key(member) == name_key(typed):
            raise CampaignError(
                f"{member} is a member of {campaign.name} already; change the role in the table of members"
            )
    with accounts.write():
        account = find_account(accounts, typed)
        known = "" if account is None or account.disabled else account.name
        offers = [link for link in inviting.invitations_into(accounts, campaign) if link.is_offer]
        earlier = [link for link in offers if name_key(link.name) == name_key(typed)]
        links.withdraw_links(accounts, earlier)
        inviting.put_invitation(campaign, accounts, offered._replace(note=typed), account=known)
        links.withdraw_resets_by_others(accounts, known)


def find_offer(accounts: Accounts, number: str, account: Account) -> Link:
    """The open offer of this number to an account; LinkGone when there is none."""
    for offer in links.offers_to(accounts, account.name):
        if str(offer.link) == number:
            return offer
    raise LinkGone


def accept_offer(campaign: Campaign, accounts: Accounts, number: str, account: Account) -> None:
    """Take the role that was offered to an account.

    Raises LinkGone for an offer that is not open, to another account or into another campaign, and CampaignError for
    an account that has another role there meanwhile.
    """
    with accounts.write():
        offer = find_offer(accounts, number, account)
        inviting.use_invitation(campaign, accounts, offer, account.name)


def decline_offer(accounts: Accounts, number: str, account: Account) -> None:
    """End an offer to an account; who made it does not see that. Raises LinkGone as `accept_offer` does."""
    with accounts.write():
        offer = find_offer(accounts, number, account)
        links.put_declined(accounts, offer)
        detail = inviting.role_detail(offer.campaign, offer.role, offer.team)
        log_event(accounts.by(account.name), security_log.OFFER_DECLINED, account.name, detail=detail)
