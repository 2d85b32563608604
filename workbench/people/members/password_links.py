"""Links for a new password: who may make one for an account, and setting the password by it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from workbench.people.accounts import Account, AccountError, Accounts, get_account, links, security_log
from workbench.people.accounts.identities import drop_identities
from workbench.people.accounts.links import RESET, NewLink
from workbench.people.accounts.passwords import hash_password
from workbench.people.accounts.people import put_password
from workbench.people.accounts.security_log import log_event
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import members

RESET_LIFETIME = timedelta(days=2)


def make_reset(accounts: Accounts, name: str) -> str:
    """Make a link by which a person sets a new password, in place of earlier ones; returns its token.

    Raises AccountError for an unknown name and for an account that is shut; except at the terminal also for one that
    another organiser has offered a role, which the holder of the link could accept.
    """
    account = get_account(accounts, name)
    if account.disabled:
        raise AccountError(
            f"{account.name}: this account is disabled; enable it first with: workbench user enable"
        )
    with accounts.write():
        if not accounts.at_terminal and is_offered_by_others(accounts, account):
            raise AccountError(f"{account.name}: another organiser has offered this account a role")
        links.withdraw_links(accounts, links.resets_of(accounts, account.name))
        token = links.put_link(accounts, NewLink(RESET, account.name), RESET_LIFETIME)
        log_event(accounts, security_log.RESET_MADE, account.name)
    return token


def reset_password(accounts: Accounts, token: str, password: str) -> Account:
    """Set a password by a link, which ends the person's sessions everywhere; raises LinkGone and AccountError.

    The link of another person also disconnects providers: who asks for it may have lost the account to an intruder.
    """
    name = links.find_link(accounts, token, RESET).name
    password_hash = hash_password(password, name)
    with accounts.write():
        if get_account(accounts, name).disabled:
            raise links.LinkGone
        link = links.find_link(accounts, token, RESET)  # another may have come first
        links.put_used(accounts, link, name=name)
        put_password(accounts.by(name), name, password_hash, security_log.PASSWORD_RESET)
        if link.maker != name:
            drop_identities(accounts.by(name), name)
    return get_account(accounts, name)


def may_reset(account: Account, who: str, campaigns: Sequence[Campaign]) -> bool:
    """Whether `who` may make a reset link for an account: the password gives access to everything the account may do.

    So the account must have come by an invitation of `who`, have a role in campaigns of which `who` is organiser and
    never have had one elsewhere, be organiser of none, and have no right to make campaigns. A role alone does not do:
    organisers give it to accounts of others. All other resets are made in the server's terminal.
    """
    if account.invited_by != who or account.name == who or account.makes_campaigns or account.disabled:
        return False
    known = [campaign for campaign in campaigns if members.was_member(campaign, account.name)]
    theirs = {members.role_of(campaign, account.name) for campaign in known} - {None}
    mine = {members.role_of(campaign, who) for campaign in known}
    return bool(theirs) and "organiser" not in theirs and mine == {"organiser"}


def is_offered_by_others(accounts: Accounts, account: Account) -> bool:
    """Whether another organiser than the actor has offered an account a role that is still open."""
    return any(offer.maker != accounts.actor for offer in links.offers_to(accounts, account.name))
